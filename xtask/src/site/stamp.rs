//! Detects whether the site is still up to date with its inputs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folder::{Files, read_all, sums};
use crate::workspace::Workspace;
use crate::{Outcome, files, process, setup};

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

/// Names the compiler, and every input with its digest.
pub(crate) fn of_inputs(workspace: &Workspace, docs: &Files) -> Outcome<String> {
    let mut stamp =
        process::capture(Command::new("rustc").arg("-vV"))? + setup::WASM_OPT_VERSION + &sums(docs);
    for input in INPUTS {
        let path = workspace.root.join(input);
        let files = if path.is_dir() {
            read_all(&path)?
        } else {
            Files::from([(String::new(), files::read(&path)?)])
        };
        stamp.push_str(&format!("{input}\n{}", sums(&files)));
    }
    Ok(stamp)
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
