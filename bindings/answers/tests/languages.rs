//! Every vector, asked in each language, gets the answer of the core. `cargo xtask test --step "core in other languages"` builds what this
//! needs, and names it in the environment: the folders of the C and the PHP package, and a Python that has the wheel.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn variable(name: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} is not set: cargo xtask test --step \"core in other languages\""))
}

/// Currency, network, address, tag (`-`: none, else `+` and the tag) and options.
type Question = [String; 5];

fn questions() -> Vec<Question> {
    let vectors = folder().join("../core/tests/vectors");
    let mut files = vec![vectors.join("policy.jsonl"), vectors.join("pasted.jsonl")];
    files.extend(fs::read_dir(vectors.join("addresses")).unwrap().map(|entry| entry.unwrap().path()));
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let lines: Vec<Value> = texts
        .flat_map(|text| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>())
        .collect();
    lines
        .iter()
        .map(|line| {
            let text = |name: &str| line[name].as_str().map(str::to_owned);
            let tag = text("destinationTag").map_or("-".to_owned(), |tag| format!("+{tag}"));
            let options =
                text("memoType").map_or(String::new(), |memo_type| format!("memo_type={memo_type}"));
            [text("currency").unwrap(), text("network").unwrap(), text("address").unwrap(), tag, options]
        })
        // These separate the questions, and C ends a text at a zero byte.
        .filter(|question: &Question| !question.iter().any(|text| text.contains(['\0', '\u{1f}'])))
        .collect()
}

fn check(driver: &mut Command) {
    let questions = questions();
    assert!(questions.len() > 2_000, "{}", questions.len());
    let texts: Vec<&str> = questions.iter().flatten().map(String::as_str).collect();
    let input = texts.join("\u{1f}") + "\u{1f}";
    let mut child = driver.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{}", output.status);
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), questions.len());
    for (question, answer) in questions.iter().zip(answers) {
        let [currency, network, address, tag, options] = question;
        let [currency, network, address, options] =
            [currency, network, address, options].map(String::as_bytes);
        let tag = tag.strip_prefix('+').map(str::as_bytes);
        let expected = crypto_checkout_answers::validate(currency, network, address, tag, [options]);
        assert_eq!(answer, serde_json::from_str::<Value>(&expected).unwrap(), "{question:?}");
    }
}

/// The example of a README: the code after a fence with `check`.
fn example(language: &str, fence: &str) -> String {
    let readme = fs::read_to_string(folder().join(language).join("README.md")).unwrap();
    let (_, rest) = readme.split_once(&format!("```{fence} check\n")).expect("an example");
    rest.split_once("```").unwrap().0.to_owned()
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn compiled(source: &Path, place: &Path) -> Command {
    let package = variable("CHECKOUT_C");
    let program = place.join("program");
    let mut cc = Command::new("cc");
    cc.args(["-Wall", "-Wextra", "-Werror"]).arg(source).args(["-I", &package, "-L", &package]);
    said(cc.args(["-lcrypto_checkout", "-o"]).arg(&program));
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", package);
    command
}

#[test]
fn in_c() {
    let place = tempfile::tempdir().unwrap();
    check(&mut compiled(&folder().join("answers/tests/drivers/driver.c"), place.path()));
    let source = place.path().join("example.c");
    fs::write(&source, example("c", "c")).unwrap();
    let answer = said(&mut compiled(&source, place.path()));
    let readme = fs::read_to_string(folder().join("c/README.md")).unwrap();
    assert!(readme.contains(answer.trim()), "{answer}");
}

#[test]
fn in_python() {
    let python = variable("CHECKOUT_PYTHON");
    check(Command::new(&python).arg(folder().join("answers/tests/drivers/driver.py")));
    let answer = said(Command::new(python).args(["-c", &example("python", "python")]));
    assert_eq!(answer.trim(), "this is an address of another network");
}

#[test]
fn in_php() {
    let package = variable("CHECKOUT_PHP");
    let php = || {
        let mut php = Command::new("php");
        php.args(["-d", "ffi.enable=1", "-d", "zend.assertions=1"]);
        php
    };
    check(php().arg(folder().join("answers/tests/drivers/driver.php")));
    let classes = ["Core", "Verdict"].map(|class| format!("require '{package}/src/{class}.php';"));
    let (uses, code) = example("php", "php")
        .split_once('\n')
        .map(|(uses, code)| (uses.to_owned(), code.to_owned()))
        .unwrap();
    let answer = said(php().args(["-r", &[&uses, &classes.concat(), &code].map(String::as_str).join("\n")]));
    assert_eq!(answer.trim(), "this is an address of another network");
}

/// All files of a folder, with their paths from there.
fn files(place: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            return files(&path)
                .into_iter()
                .map(|(below, bytes)| (format!("{name}/{below}"), bytes))
                .collect();
        }
        vec![(name, fs::read(path).unwrap())]
    };
    entries.flat_map(read).collect()
}

#[test]
fn packages_have_their_licence_and_no_folder_of_their_build() {
    let source = folder().canonicalize().unwrap().join("..").canonicalize().unwrap();
    for variable_name in ["CHECKOUT_C", "CHECKOUT_PHP", "PYTHONPATH"] {
        let files = files(Path::new(&variable(variable_name)));
        assert!(files.iter().any(|(name, _)| name.ends_with("LICENSE")), "{variable_name}");
        // pip writes that file when it installs a wheel.
        for (name, bytes) in files.iter().filter(|(name, _)| !name.ends_with("direct_url.json")) {
            for path in [source.to_str().unwrap(), "/registry/src/"] {
                let found = bytes.windows(path.len()).any(|bytes| bytes == path.as_bytes());
                assert!(!found, "{variable_name} {name} has {path}");
            }
        }
    }
}
