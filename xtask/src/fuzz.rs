//! `cargo xtask fuzz`: every parser of the core under libFuzzer, for so many seconds each.
//!
//! The toolchain is the ordinary one: LLVM puts the coverage counters in when it is asked by flags of the stable
//! compiler, and libFuzzer itself comes with a crate. Nothing is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::Workspace;
use crate::{Outcome, process, setup};

/// What `cargo fuzz` asks of the compiler too: counters at every edge, and the operands of comparisons.
const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

const SECONDS: u32 = 60;

/// Longer inputs than any parser takes, so that refusing them is tried too.
const LONGEST: &str = "-max_len=2048";

pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    let (seconds, wanted) = read(arguments)?;
    setup::for_fuzzing(workspace)?;
    let fuzzer = Fuzzer::build(workspace)?;
    let targets = fuzzer.targets()?;
    if let Some(unknown) = wanted.iter().find(|name| !targets.contains(name)) {
        return Err(format!("There is no fuzz target `{unknown}`; there are: {}.", targets.join(", ")));
    }
    let chosen: Vec<&String> =
        targets.iter().filter(|name| wanted.is_empty() || wanted.contains(name)).collect();
    for target in &chosen {
        fuzzer.run(target, seconds)?;
    }
    println!("\nfuzz: {} targets ran for {seconds} s each, and nothing was found", chosen.len());
    Ok(())
}

/// Every target for a second: they build, run, and hold for their seeds.
pub(crate) fn smoke(workspace: &Workspace) -> Outcome<()> {
    run(workspace, &["--seconds".to_owned(), "1".to_owned()])
}

/// `--seconds` and the names of targets.
fn read(arguments: &[String]) -> Outcome<(u32, Vec<String>)> {
    let (mut seconds, mut targets) = (SECONDS, Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--seconds" {
            let number = rest.next().and_then(|number| number.parse().ok()).filter(|number| *number > 0);
            seconds = number.ok_or("`--seconds` needs a number, such as 60.")?;
        } else {
            targets.push(argument.clone());
        }
    }
    Ok((seconds, targets))
}

struct Fuzzer {
    binary: PathBuf,
    /// What was learnt is kept here from run to run.
    folder: PathBuf,
}

impl Fuzzer {
    fn build(workspace: &Workspace) -> Outcome<Self> {
        let host = process::capture(Command::new("rustc").arg("-vV"))?;
        let host = host.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
        let folder = workspace.target.join("fuzz");
        // The flags are for the target only: without `--target` they would reach build scripts, which have no libFuzzer.
        process::run(
            workspace
                .cargo()
                .args(["build", "--release", "--target", host, "--manifest-path"])
                .arg(workspace.root.join("core/fuzz/Cargo.toml"))
                .arg("--target-dir")
                .arg(&folder)
                .env_remove("RUSTFLAGS")
                .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}")),
        )?;
        Ok(Self { binary: folder.join(host).join("release/checkout-fuzz"), folder })
    }

    fn targets(&self) -> Outcome<Vec<String>> {
        let list = process::capture(&mut Command::new(&self.binary))?;
        Ok(list.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
    }

    fn run(&self, target: &str, seconds: u32) -> Outcome<()> {
        let place = self.folder.join("inputs").join(target);
        let [seeds, corpus, found] = ["seeds", "corpus", "found"].map(|name| place.join(name));
        for folder in [&seeds, &corpus, &found] {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}.", folder.display()))?;
        }
        let mut command = Command::new(&self.binary);
        command.env("CHECKOUT_FUZZ_TARGET", target);
        process::capture(command.env("CHECKOUT_FUZZ_SEEDS", &seeds))?;
        let log = place.join("log");
        let file = fs::File::create(&log).map_err(|error| format!("{}: {error}.", log.display()))?;
        let mut command = Command::new(&self.binary);
        let outcome = process::run(
            command
                .env("CHECKOUT_FUZZ_TARGET", target)
                .args([&corpus, &seeds, &found])
                .args([LONGEST, "-timeout=5", "-rss_limit_mb=1024"])
                .arg(format!("-max_total_time={seconds}"))
                .arg(format!("-artifact_prefix={}/", found.display()))
                .stderr(file),
        );
        let log = fs::read_to_string(&log).unwrap_or_default();
        println!(
            "fuzz: {target:<12} {}",
            log.lines().rfind(|line| line.contains("DONE")).unwrap_or("failed")
        );
        outcome.map_err(|_| failure(target, &log, &found))
    }
}

/// What was found, and how to see it again.
fn failure(target: &str, log: &str, found: &Path) -> String {
    let start = log.find("panicked at").or_else(|| log.find("ERROR")).unwrap_or(0);
    let lines: Vec<&str> = log[start..].lines().take(8).collect();
    format!(
        "Fuzz target {target}: {}\nThe input is in {}; `cargo xtask fuzz {target}` finds it again. \
         Make a test of it before you mend what is wrong.",
        lines.join("\n"),
        found.display()
    )
}

#[cfg(test)]
mod tests {
    use super::{SECONDS, read};

    #[test]
    fn reads_seconds_and_targets_in_any_order() {
        let check = |arguments: &[&str], expected: Option<(u32, &[&str])>| {
            let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
            let read = read(&arguments).ok();
            let read = read
                .as_ref()
                .map(|(seconds, targets)| (*seconds, targets.iter().map(String::as_str).collect::<Vec<_>>()));
            assert_eq!(read, expected.map(|(seconds, targets)| (seconds, targets.to_vec())), "{arguments:?}");
        };
        check(&[], Some((SECONDS, &[])));
        check(&["--seconds", "5", "uri"], Some((5, &["uri"])));
        check(&["uri", "--seconds", "5", "tag"], Some((5, &["uri", "tag"])));
        check(&["--seconds"], None);
        check(&["--seconds", "0"], None);
        check(&["--seconds", "soon"], None);
    }
}
