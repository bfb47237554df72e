//! A package as its users get it: packed, and installed from the tarball.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{files, process};

/// The placeholder for the version in the manifest.
const VERSION_PLACE: &str = "\"version\": \"0.0.0\"";

const QUIET: &[&str] = &["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

/// Creates an empty project in the scratch folder, with the package as its only dependency.
pub(super) fn project(workspace: &Workspace, name: &str, package: &Path) -> Outcome<PathBuf> {
    let stage = workspace.scratch().join(name);
    files::empty_folder(&stage)?;
    files::write(&stage.join("package.json"), "{\"private\": true, \"type\": \"module\"}\n")?;
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

/// One build or test of the packages at a time.
pub(super) fn lock(workspace: &Workspace) -> Outcome<File> {
    files::lock(&workspace.scratch().join("npm.lock"))
}

/// The version of a package is that of the workspace.
pub(super) fn set_version(package: &Path) -> Outcome<()> {
    let path = package.join("package.json");
    let manifest = files::read_text(&path)?;
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    if manifest.matches(VERSION_PLACE).count() != 1 {
        return Err(format!(
            "{} needs {VERSION_PLACE}, which that of the workspace replaces.",
            path.display()
        ));
    }
    files::write(&path, manifest.replace(VERSION_PLACE, &version))
}
