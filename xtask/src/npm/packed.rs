//! A package as its users get it: packed, and installed from the tarball.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::Workspace;
use crate::{Outcome, process};

const QUIET: &[&str] = &["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

/// Creates an empty project in the scratch folder, with the package as its only dependency.
pub(super) fn project(workspace: &Workspace, name: &str, package: &Path) -> Outcome<PathBuf> {
    let stage = workspace.scratch().join(name);
    let fault = |error: std::io::Error| format!("{}: {error}.", stage.display());
    if stage.exists() {
        fs::remove_dir_all(&stage).map_err(fault)?;
    }
    fs::create_dir_all(&stage).map_err(fault)?;
    fs::write(stage.join("package.json"), "{\"private\": true, \"type\": \"module\"}\n").map_err(fault)?;
    let tarball = pack(package, &stage)?;
    println!("npm: packed {tarball}");
    npm(&["install", "--offline", "--ignore-scripts", &format!("./{tarball}")], &stage)?;
    Ok(stage)
}

/// Packs a package into this folder, and returns the name of the tarball.
pub(super) fn pack(package: &Path, into: &Path) -> Outcome<String> {
    let destination = into.to_string_lossy().into_owned();
    let packed = npm(&["pack", "--pack-destination", &destination], package)?;
    Ok(packed.lines().last().ok_or("`npm pack` named no file.")?.to_owned())
}

pub(super) fn npm(arguments: &[&str], place: &Path) -> Outcome<String> {
    process::capture(Command::new("npm").args(arguments).args(QUIET).current_dir(place))
}

/// Copies the files of a folder, without those in folders of it.
pub(super) fn copy(from: &Path, to: &Path) -> Outcome<()> {
    let fault = |error: std::io::Error| format!("{}: {error}.", from.display());
    for entry in fs::read_dir(from).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().expect("a folder's entry has a name")))
                .map_err(fault)?;
        }
    }
    Ok(())
}
