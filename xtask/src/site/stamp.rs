//! Detects whether the site is still up to date with its inputs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::folder::Files;
use crate::outcome::Outcome;
use crate::setup::wasm_opt::WasmOpt;
use crate::workspace::Workspace;
use crate::{files, process};

/// The files and folders that the site is built from.
const INPUTS: &[&str] = &[
    ".cargo/config.toml",
    "Cargo.lock",
    "Cargo.toml",
    "core/Cargo.toml",
    "core/src",
    "sandbox/console",
    "tsconfig.json",
    "widget",
    "www",
    "xtask/src/rustflags.rs",
    "xtask/src/site",
    "xtask/src/site.rs",
    "xtask/src/wasm.rs",
    "xtask/src/workspace.rs",
];

/// Allows one build of the site at a time; dropping the file releases the lock.
pub(crate) fn lock(scratch: &Path) -> Outcome<File> {
    let path = scratch.join("site.lock");
    let file = File::create(&path).map_err(files::fault(&path))?;
    if file.try_lock().is_err() {
        println!("site: waiting for another build");
        file.lock().map_err(files::fault(&path))?;
    }
    Ok(file)
}

pub(crate) fn of_inputs(workspace: &Workspace, wasm_opt: Option<&WasmOpt>, docs: &Files) -> Outcome<String> {
    let mut hash = Sha256::new();
    let rustc = process::capture(Command::new("rustc").arg("-vV"))?;
    let tools = [rustc.as_str(), wasm_opt.map_or("no wasm-opt", |tool| &tool.version)];
    for tool in tools {
        hash.update(tool.as_bytes());
        hash.update([0]);
    }
    for input in INPUTS {
        for path in files_under(&workspace.root.join(input))? {
            let name = path.strip_prefix(&workspace.root).expect("inputs lie in the repository");
            let content = files::read(&path)?;
            hash.update(name.to_string_lossy().as_bytes());
            hash.update([0]);
            hash.update(Sha256::digest(content));
        }
    }
    for (name, content) in docs {
        hash.update(name);
        hash.update([0]);
        hash.update(Sha256::digest(content));
    }
    Ok(hex::encode(hash.finalize()))
}

pub(crate) fn is_fresh(site: &Path, stamp: &str) -> bool {
    fs::read_to_string(path(site)).is_ok_and(|old| old == stamp) && site.join("checkout.html").is_file()
}

pub(crate) fn write(site: &Path, stamp: &str) -> Outcome<()> {
    files::write(&path(site), stamp)
}

/// Beside the site, so that no gateway serves it.
fn path(site: &Path) -> PathBuf {
    site.with_extension("stamp")
}

/// All files below a path, in an order that does not depend on the file system.
fn files_under(path: &Path) -> Outcome<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries = fs::read_dir(path)
        .and_then(|entries| {
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()
        })
        .map_err(files::fault(path))?;
    // `node_modules` exists only for editors, which read type definitions there.
    entries.retain(|entry| !entry.ends_with("node_modules"));
    entries.sort();
    let mut found = Vec::new();
    for entry in entries {
        found.extend(files_under(&entry)?);
    }
    Ok(found)
}
