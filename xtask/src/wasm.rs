//! Compiles a package to WebAssembly, and optimises the module.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::rustflags::rustflags;
use crate::setup::{self, WASM_TARGET};
use crate::site::engines::WASM_FEATURES;
use crate::workspace::Workspace;
use crate::{Outcome, files, process};

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

/// The module after wasm-opt, which takes some seconds: kept under a name that says what it was made from.
pub(crate) fn optimised(workspace: &Workspace, module: &Path, arguments: &str) -> Outcome<PathBuf> {
    let folder = workspace.scratch().join("wasm-opt");
    files::create_folder(&folder)?;
    let content = files::digest(&[files::read(module)?]);
    let features = WASM_FEATURES.map(|(flag, _)| flag);
    let made_from = [content.as_str(), setup::WASM_OPT_VERSION, arguments, &features.join(" ")];
    let optimised = folder.join(format!("{}.wasm", &files::digest(&made_from)[..16]));
    if !optimised.is_file() {
        let partial = optimised.with_extension("partial");
        let mut tool = Command::new(setup::wasm_opt(workspace)?);
        process::capture(tool.args(arguments.split(' ')).args(features).arg(module).arg("-o").arg(&partial))?;
        files::rename(&partial, &optimised)?;
    }
    Ok(optimised)
}

fn artifact(line: &str, package: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_ours = message["reason"] == "compiler-artifact"
        && message["target"]["name"] == package.replace('-', "_").as_str();
    let files = message["filenames"].as_array().filter(|_| is_ours)?.iter().filter_map(Value::as_str);
    files.map(PathBuf::from).find(|file| file.extension().is_some_and(|end| end == "wasm"))
}
