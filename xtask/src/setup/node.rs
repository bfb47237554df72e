//! Node with npm, and programs from npm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use super::system::{Packages, announce, could_not_install};
use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{files, process};

const PACKAGES: Packages = Packages {
    what: "Node and npm",
    apt: &["nodejs", "npm"],
    dnf: &["nodejs", "npm"],
    pacman: &["nodejs", "npm"],
    brew: &["node"],
    elsewhere: "https://nodejs.org has it for every system",
};

/// The first version whose test runner and module loader have the required features.
const OLDEST: u32 = 20;

pub(super) fn find_or_install(why: &str) -> Outcome<()> {
    if process::on_path("node").is_none() || process::on_path("npm").is_none() {
        let by_hand = |command: &str| format!("Node and npm are needed ({why}). Install them: {command}");
        PACKAGES.install(why, by_hand)?;
    }
    let version = process::capture(Command::new("node").arg("--version"))?;
    match major(&version) {
        Some(major) if major >= OLDEST => Ok(()),
        _ => Err(format!(
            "Node is of version {}, but {OLDEST} or later is needed ({why}). Update it: https://nodejs.org",
            version.trim()
        )),
    }
}

/// Returns the major version of a text like `v20.11.1`.
fn major(version: &str) -> Option<u32> {
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// Returns the folder of a package in exactly this version, in the user's cache folder.
pub(crate) fn npm_tool(workspace: &Workspace, name: &str, version: &str, why: &str) -> Outcome<PathBuf> {
    let folder = workspace.tools.join(format!("{name}-{version}"));
    let package = folder.join("node_modules").join(name);
    if package.is_dir() {
        return Ok(package);
    }
    let what = format!("{name} {version} (from npm)");
    announce(&what, why);
    install_package(&folder, name, version).map_err(|cause| {
        let by_hand = format!("npm install --prefix '{}' {name}@{version}", folder.display());
        could_not_install(&what, &cause, &by_hand)
    })?;
    Ok(package)
}

/// Installs into a temporary folder and renames it, so that an interrupted download does not count as installed.
fn install_package(folder: &Path, name: &str, version: &str) -> Outcome<()> {
    let partial = folder.with_extension("partial");
    files::empty_folder(&partial)?;
    process::capture(
        Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", "--prefix"])
            .arg(&partial)
            .arg(format!("{name}@{version}"))
            .current_dir(&partial),
    )?;
    fs::rename(&partial, folder).map_err(files::fault(folder))
}

/// Copies a project with a manifest and a lock file into the user's cache folder and installs its dependencies. Returns
/// that folder, with the current version of the project's other files.
pub(crate) fn npm_project(name: &str, project: &Path, workspace: &Workspace, why: &str) -> Outcome<PathBuf> {
    let folder = npm_packages(name, project, workspace, why)?;
    copy_files(project, &folder)?;
    Ok(folder)
}

/// Returns the folder with the `node_modules` of the pages: esbuild, TypeScript and what the pages import, in exactly the
/// versions of `www/package-lock.json`.
pub(crate) fn page_packages(workspace: &Workspace) -> Outcome<PathBuf> {
    npm_packages("www", &workspace.root.join("www"), workspace, "esbuild bundles the pages")
}

/// Installs the dependencies of a project with a manifest and a lock file into the user's cache folder, once for each
/// content of the two files. Returns the folder that contains `node_modules`.
pub(crate) fn npm_packages(name: &str, project: &Path, workspace: &Workspace, why: &str) -> Outcome<PathBuf> {
    find_or_install(why)?;
    let read = |file: &str| files::read(&project.join(file));
    let hash = Sha256::new().chain_update(read("package.json")?).chain_update(read("package-lock.json")?);
    let hash = u64::from_be_bytes(hash.finalize()[..8].try_into().expect("a SHA-256 has 32 bytes"));
    let folder = workspace.tools.join(format!("{name}-{hash:016x}"));
    files::create_folder(&workspace.tools)?;
    let _one_at_a_time = files::lock(&workspace.tools.join(format!("{name}.lock")))?;
    if !folder.is_dir() {
        let what = format!("the packages of {} (from npm)", project.join("package.json").display());
        announce(&what, &format!("{why} (into {})", folder.display()));
        install_locked(project, &folder).map_err(|cause| {
            let by_hand = format!("npm ci --ignore-scripts, in a copy of {}", project.display());
            could_not_install(&what, &cause, &by_hand)
        })?;
    }
    Ok(folder)
}

/// Installs into a temporary folder, in the same way.
fn install_locked(project: &Path, folder: &Path) -> Outcome<()> {
    let partial = folder.with_extension("partial");
    files::empty_folder(&partial)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(project.join(file), partial.join(file)).map_err(files::fault(folder))?;
    }
    process::capture(
        Command::new("npm")
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
            .current_dir(&partial),
    )?;
    fs::rename(&partial, folder).map_err(files::fault(folder))
}

fn copy_files(from: &Path, to: &Path) -> Outcome<()> {
    let fault = files::fault(from);
    for entry in fs::read_dir(from).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        if entry.file_type().map_err(fault)?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).map_err(fault)?;
        }
    }
    Ok(())
}
