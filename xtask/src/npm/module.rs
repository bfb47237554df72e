//! The WebAssembly module of the package: cargo, then wasm-opt for speed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::setup::{WASM_TARGET, WasmOpt, wasm_opt};
use crate::site::wasm::{WASM_FEATURES, remapped_paths};
use crate::workspace::Workspace;
use crate::{Outcome, process};

const PACKAGE: &str = "checkout-npm";
const PROFILE: &str = "npm-release";

pub(super) fn build(workspace: &Workspace) -> Outcome<Vec<u8>> {
    println!("npm: building the core as WebAssembly, optimised for speed");
    let compiled = compile(workspace)?;
    let plain = read(&compiled)?;
    let Some(tool) = wasm_opt(workspace) else { return Ok(plain) };
    // wasm-opt takes some seconds, so its result for the same module is stored.
    let hash: [u8; 32] = Sha256::digest([plain.as_slice(), tool.version.as_bytes()].concat()).into();
    let [start, ..] = hash.as_chunks().0 else { return Ok(plain) };
    let optimised = workspace.scratch().join(format!("npm-{:016x}.wasm", u64::from_be_bytes(*start)));
    if !optimised.is_file()
        && let Err(cause) = optimise(&compiled, &optimised, &tool)
    {
        println!("npm: wasm-opt {} failed, continuing without it: {cause}", tool.version);
        return Ok(plain);
    }
    read(&optimised)
}

fn optimise(from: &Path, to: &Path, tool: &WasmOpt) -> Outcome<()> {
    let folder = to.parent().expect("a file of the scratch folder");
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}.", folder.display()))?;
    let partial = to.with_extension("partial");
    process::capture(
        Command::new(&tool.binary)
            .args(["-O3", "--strip-debug", "--strip-producers"])
            .args(WASM_FEATURES)
            .arg(from)
            .arg("-o")
            .arg(&partial),
    )?;
    fs::rename(&partial, to).map_err(|error| format!("{}: {error}.", to.display()))
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    fs::read(path).map_err(|error| format!("{}: {error}.", path.display()))
}

fn compile(workspace: &Workspace) -> Outcome<PathBuf> {
    let mut module = None;
    process::lines(
        workspace
            .cargo()
            .args(["build", "--lib", "--package", PACKAGE, "--target", WASM_TARGET, "--profile", PROFILE])
            .args(["--message-format", "json-render-diagnostics"])
            .args(["--config", &remapped_paths(&workspace.root)]),
        |line| module = artifact(line).or(module.take()),
    )?;
    module.ok_or_else(|| format!("{PACKAGE} built no .wasm file; is its `crate-type` \"cdylib\"?"))
}

fn artifact(line: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    let files = message["filenames"].as_array().filter(|_| message["target"]["name"] == "checkout_npm")?;
    let mut files = files.iter().filter_map(Value::as_str).map(PathBuf::from);
    files.find(|file| file.extension().is_some_and(|end| end == "wasm"))
}

#[cfg(test)]
mod tests {
    use super::artifact;

    #[test]
    fn finds_the_module_among_cargos_messages() {
        let message = |name: &str| {
            format!(r#"{{"target":{{"name":"{name}"}},"filenames":["/t/a.rlib","/t/checkout_npm.wasm"]}}"#)
        };
        assert_eq!(artifact(&message("checkout_npm")), Some("/t/checkout_npm.wasm".into()));
        assert_eq!(artifact(&message("checkout_core")), None);
        assert_eq!(artifact("not json"), None);
    }
}
