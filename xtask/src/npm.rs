//! `cargo xtask npm`: the npm packages: the core in `target/npm`, the loader in `target/npm-embed`.
//!
//! ```text
//! npm/src ─cargo─> .wasm ─wasm-opt─> core.wasm ─┐
//! npm/package ── api.js, node.js, … as they are ┼─> target/npm
//! package.json ─ with the workspace's version ──┘
//! ```

pub(crate) mod embed;
mod module;
mod packed;
pub(crate) mod publish;
mod test;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

pub(crate) use test::{counted, run as test};

use crate::site::compress;
use crate::workspace::Workspace;
use crate::{Outcome, budget, setup};

/// The limit for the compressed bytes that a browser loads.
const LIMIT: usize = 60_000;
const LOADED: &[&str] = &["api.js", "browser.js", "core.wasm"];

/// The placeholder for the version in the manifest.
const VERSION_PLACE: &str = "\"version\": \"0.0.0\"";

pub(crate) fn run(workspace: &Workspace) -> Outcome<()> {
    setup::for_npm(workspace)?;
    build(workspace)?;
    embed::build(workspace)?;
    for package in [folder(workspace), embed::folder(workspace)] {
        println!("npm: {} is ready: `npm pack` or `npm publish` there", package.display());
    }
    Ok(())
}

/// Builds the package and checks its size against the budget.
pub(crate) fn build(workspace: &Workspace) -> Outcome<()> {
    make(workspace)?;
    check_size(workspace)
}

pub(crate) fn make(workspace: &Workspace) -> Outcome<()> {
    let _lock = lock(workspace)?;
    let package = folder(workspace);
    let fault = |error: std::io::Error| format!("{}: {error}.", package.display());
    let wasm = module::build(workspace)?;
    if package.exists() {
        fs::remove_dir_all(&package).map_err(fault)?;
    }
    fs::create_dir_all(&package).map_err(fault)?;
    for (from, name) in sources(&workspace.root)? {
        let mut content = fs::read(&from).map_err(|error| format!("{}: {error}.", from.display()))?;
        if name == "package.json" {
            content =
                with_version(&String::from_utf8_lossy(&content), env!("CARGO_PKG_VERSION"))?.into_bytes();
        }
        fs::write(package.join(name), content).map_err(fault)?;
    }
    fs::write(package.join("core.wasm"), wasm).map_err(fault)
}

/// Prints the size that a browser loads, with its budget.
pub(crate) fn check_size(workspace: &Workspace) -> Outcome<()> {
    let mut sum = 0;
    for name in LOADED {
        let path = folder(workspace).join(name);
        let content = fs::read(&path).map_err(|error| format!("{}: {error}.", path.display()))?;
        sum += compress::brotli(&content)?.len();
    }
    let (row, kept) = budget::row("bytes of the npm package in a browser", sum, LIMIT);
    print!("{row}");
    if kept { Ok(()) } else { Err("The npm package exceeds its size budget.".to_owned()) }
}

/// Locks the package's folders; dropping the file releases the lock.
fn lock(workspace: &Workspace) -> Outcome<File> {
    let path = workspace.scratch().join("npm.lock");
    let fault = |error: std::io::Error| format!("{}: {error}.", path.display());
    fs::create_dir_all(workspace.scratch()).map_err(fault)?;
    let file = File::create(&path).map_err(fault)?;
    file.lock().map_err(fault)?;
    Ok(file)
}

pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("npm")
}

/// The files that are copied unchanged, with their names in the package.
fn sources(root: &Path) -> Outcome<Vec<(PathBuf, String)>> {
    let package = root.join("npm/package");
    let mut sources = vec![(root.join("LICENSE"), "LICENSE".to_owned())];
    for entry in fs::read_dir(&package).map_err(|error| format!("{}: {error}.", package.display()))? {
        let entry = entry.map_err(|error| format!("{}: {error}.", package.display()))?;
        sources.push((entry.path(), entry.file_name().to_string_lossy().into_owned()));
    }
    Ok(sources)
}

fn with_version(manifest: &str, version: &str) -> Outcome<String> {
    if manifest.matches(VERSION_PLACE).count() == 1 {
        Ok(manifest.replace(VERSION_PLACE, &format!("\"version\": \"{version}\"")))
    } else {
        Err(format!(
            "The manifest of an npm package must have {VERSION_PLACE}, which the workspace's version replaces."
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{VERSION_PLACE, with_version};

    #[test]
    fn the_version_is_that_of_the_workspace() {
        assert_eq!(with_version(VERSION_PLACE, "1.2.3").as_deref(), Ok("\"version\": \"1.2.3\""));
        assert!(with_version("{}", "1.2.3").is_err());
    }
}
