//! The widget: cargo, wasm-bindgen, wasm-opt.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Widget, compress, fault, remove};
use crate::setup::{WASM_TARGET, WasmOpt};
use crate::workspace::Workspace;
use crate::{Outcome, process};

const NAME: &str = "checkout";

/// The features that rustc emits for wasm32 by default; wasm-opt rejects the module without these flags.
pub(crate) const WASM_FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Selects a small SHA-256 instead of a fast one, because the widget checks one address at a time.
const COMPACT: &[&str] = &["--cfg=sha2_backend=\"soft\"", "--cfg=sha2_backend_soft=\"compact\""];

struct Way {
    name: &'static str,
    arguments: &'static [&'static str],
}

/// Code without inlining is longer but compresses better. Which version is smaller depends on the code.
const WAYS: [Way; 2] = [
    Way { name: "inlined", arguments: &["-Os"] },
    Way {
        name: "called",
        arguments: &[
            "-O3",
            "--converge",
            "--skip-pass=inlining",
            "--skip-pass=inlining-optimizing",
            "--skip-pass=local-cse",
            "--skip-pass=memory-packing",
        ],
    },
];

pub(crate) fn build(
    workspace: &Workspace,
    wasm_bindgen: &Path,
    wasm_opt: Option<&WasmOpt>,
) -> Outcome<Widget> {
    let module = compile(workspace)?;
    let folder = workspace.scratch().join("bindgen");
    let made_from = origin(&module, workspace, wasm_opt)?;
    if let Some(wasm) = Stored::at(&folder).read(&made_from) {
        return Ok(Widget { glue: folder.join(format!("{NAME}.js")), wasm });
    }
    remove(&folder)?;
    process::run(Command::new(wasm_bindgen).args([&module, &folder]).arg(NAME))?;
    if folder.join("snippets").exists() {
        return Err(
            "The widget brings JavaScript files of its own (`snippets`): each would be one more request. \
                    Use web-sys or js-sys instead of `#[wasm_bindgen(inline_js)]` and `module = …`."
                .to_owned(),
        );
    }
    let wasm = smallest(&folder.join(format!("{NAME}_bg.wasm")), wasm_opt)?;
    let widget = Widget { glue: folder.join(format!("{NAME}.js")), wasm };
    Stored::at(&folder).write(&widget.wasm, &made_from)?;
    Ok(widget)
}

/// The inputs of the result: the module, the tools and their use.
fn origin(module: &Path, workspace: &Workspace, wasm_opt: Option<&WasmOpt>) -> Outcome<String> {
    let content = fs::read(module).map_err(|error| fault(module, &error))?;
    let wasm_bindgen = workspace.locked_version("wasm-bindgen")?;
    let wasm_opt = wasm_opt.map_or("none", |tool| &tool.version);
    let (module, code) =
        (hex::encode(Sha256::digest(content)), hex::encode(Sha256::digest(include_str!("wasm.rs"))));
    Ok(format!("{module} wasm-bindgen {wasm_bindgen} wasm-opt {wasm_opt} xtask {code}"))
}

/// The optimised module of the last build, so that a change of a page does not optimise it again.
struct Stored {
    wasm: PathBuf,
    origin: PathBuf,
}

impl Stored {
    fn at(folder: &Path) -> Self {
        Self { wasm: folder.join("optimised.wasm"), origin: folder.join("origin") }
    }

    fn read(&self, origin: &str) -> Option<Vec<u8>> {
        let known = fs::read_to_string(&self.origin).ok()?;
        if known == origin { fs::read(&self.wasm).ok() } else { None }
    }

    fn write(&self, wasm: &[u8], origin: &str) -> Outcome<()> {
        fs::write(&self.wasm, wasm).map_err(|error| fault(&self.wasm, &error))?;
        fs::write(&self.origin, origin).map_err(|error| fault(&self.origin, &error))
    }
}

fn compile(workspace: &Workspace) -> Outcome<PathBuf> {
    let mut module = None;
    process::lines(
        workspace
            .cargo()
            .args([
                "build",
                "--package",
                "checkout-widget",
                "--target",
                WASM_TARGET,
                "--profile",
                "wasm-release",
            ])
            .args(["--message-format", "json-render-diagnostics"])
            .args(["--config", &rustflags(&workspace.root, COMPACT)]),
        |line| module = wasm_artifact(line).or(module.take()),
    )?;
    module.ok_or_else(|| "checkout-widget built no .wasm file; is its `crate-type` \"cdylib\"?".to_owned())
}

/// Shortens the source paths in panic messages, so that they are the same on every machine and name no home folder.
pub(crate) fn remapped_paths(root: &Path) -> String {
    rustflags(root, &[])
}

fn rustflags(root: &Path, more: &[&str]) -> String {
    let cargo_home =
        env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let registries = cargo_home.as_ref().and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    let registries: Vec<PathBuf> =
        registries.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    let mut flags: Vec<String> = more.iter().map(|flag| (*flag).to_owned()).collect();
    // The last prefix that matches is used.
    let homes = [root.to_owned()].into_iter().chain(cargo_home).chain(registries);
    flags.extend(homes.map(|home| format!("--remap-path-prefix={}=", home.display())));
    format!("target.{WASM_TARGET}.rustflags={}", Value::from(flags))
}

fn wasm_artifact(line: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let ours = message["reason"] == "compiler-artifact" && message["target"]["name"] == "checkout_widget";
    let files = message["filenames"].as_array().filter(|_| ours)?;
    files
        .iter()
        .filter_map(Value::as_str)
        .map(PathBuf::from)
        .find(|file| file.extension().is_some_and(|end| end == "wasm"))
}

/// Returns the module or its wasm-opt result, whichever is smallest after compression.
fn smallest(module: &Path, wasm_opt: Option<&WasmOpt>) -> Outcome<Vec<u8>> {
    let candidates = thread::scope(|scope| {
        let plain = scope.spawn(|| with_size(module));
        let optimised =
            wasm_opt.map(|tool| WAYS.each_ref().map(|way| scope.spawn(move || optimise(module, tool, way))));
        let mut candidates = vec![joined(plain)];
        candidates.extend(optimised.into_iter().flatten().map(joined));
        candidates
    });
    let mut found = Vec::new();
    for candidate in candidates {
        match candidate {
            Ok(candidate) => found.push(candidate),
            Err(cause) => println!("site: continuing without wasm-opt: {cause}"),
        }
    }
    let smallest = found.into_iter().min_by_key(|(size, _)| *size);
    smallest.map(|(_, module)| module).ok_or_else(|| format!("{} cannot be read.", module.display()))
}

/// The compressed size and the content of a file.
fn with_size(module: &Path) -> Outcome<(usize, Vec<u8>)> {
    let content = fs::read(module).map_err(|error| fault(module, &error))?;
    Ok((compress::brotli(&content)?.len(), content))
}

fn optimise(module: &Path, tool: &WasmOpt, way: &Way) -> Outcome<(usize, Vec<u8>)> {
    let optimised = module.with_extension(format!("{}.wasm", way.name));
    let mut command = Command::new(&tool.binary);
    process::capture(command.args(way.arguments).args(WASM_FEATURES).arg(module).arg("-o").arg(&optimised))?;
    with_size(&optimised)
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().expect("a worker returns its faults")
}

#[cfg(test)]
mod tests {
    use super::{Stored, remapped_paths, wasm_artifact};

    #[test]
    fn finds_the_widget_among_cargos_messages() {
        let check = |line: &str, expected: Option<&str>| {
            assert_eq!(wasm_artifact(line).as_deref(), expected.map(std::path::Path::new), "{line}");
        };
        let artifact = r#""reason":"compiler-artifact","target":{"name":"checkout_widget"}"#;
        check(
            &format!(r#"{{{artifact},"filenames":["/t/a.rlib","/t/checkout_widget.wasm"]}}"#),
            Some("/t/checkout_widget.wasm"),
        );
        check(&format!(r#"{{{artifact},"filenames":["/t/a.rlib"]}}"#), None);
        check(r#"{"reason":"compiler-artifact","target":{"name":"leptos"},"filenames":["/t/x.wasm"]}"#, None);
        check(r#"{"reason":"build-finished","success":true}"#, None);
        check("not json", None);
    }

    #[test]
    fn a_stored_module_is_reused_only_for_its_own_input() {
        let folder = std::env::temp_dir().join(format!("xtask-stored-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
        let stored = Stored::at(&folder);
        assert!(stored.read("one").is_none());
        stored.write(b"wasm", "one").expect("writable");
        assert!(stored.read("one").is_some_and(|wasm| wasm == b"wasm"));
        assert!(stored.read("two").is_none());
        std::fs::remove_dir_all(folder).expect("was made above");
    }

    #[test]
    fn the_repositorys_own_path_is_replaced() {
        let config = remapped_paths(std::path::Path::new("/somewhere/with \"quotes\""));
        assert!(config.starts_with("target.wasm32-unknown-unknown.rustflags=[\"--remap-path-prefix=/somewhere/with \\\"quotes\\\"=\""), "{config}");
    }
}
