//! Compiles a package to WebAssembly, and optimises the module.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::outcome::Outcome;
use crate::process;
use crate::rustflags::rustflags;
use crate::setup::rust::WASM_TARGET;
use crate::workspace::Workspace;

/// The features that rustc emits for wasm32 by default; wasm-opt rejects the module without these flags.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Returns the path of the module.
pub(crate) fn compile(
    workspace: &Workspace,
    package: &str,
    profile: &str,
    rustc: &[&str],
) -> Outcome<PathBuf> {
    let mut module = None;
    process::lines(
        workspace
            .cargo()
            .args(["build", "--lib", "--package", package, "--target", WASM_TARGET, "--profile", profile])
            .args(["--message-format", "json-render-diagnostics"])
            .args(["--config", &rustflags(&workspace.root, WASM_TARGET, rustc)]),
        |line| module = artifact(line, package).or(module.take()),
    )?;
    module.ok_or_else(|| format!("{package} built no .wasm file; is its `crate-type` \"cdylib\"?"))
}

/// Runs wasm-opt.
pub(crate) fn optimise(wasm_opt: &Path, arguments: &[&str], from: &Path, to: &Path) -> Outcome<()> {
    let mut command = Command::new(wasm_opt);
    process::capture(command.args(arguments).args(FEATURES).arg(from).arg("-o").arg(to)).map(|_| ())
}

fn artifact(line: &str, package: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_ours = message["reason"] == "compiler-artifact"
        && message["target"]["name"] == package.replace('-', "_").as_str();
    let files = message["filenames"].as_array().filter(|_| is_ours)?.iter().filter_map(Value::as_str);
    files.map(PathBuf::from).find(|file| file.extension().is_some_and(|end| end == "wasm"))
}
