//! Node with npm, and programs from npm.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::needed::{Needed, announce, could_not_install};
use crate::workspace::Workspace;
use crate::{Outcome, files, process};

const NODE: Needed = Needed {
    what: "Node with npm",
    why: "the pages are built with it, and the npm packages tested",
    apt: &["nodejs", "npm"],
    elsewhere: "see https://nodejs.org, which has it for every system",
    programs: &[("", &["node"]), ("", &["npm"])],
};

/// The first version whose test runner and module loader have the required features.
const OLDEST: u32 = 20;

/// The program with which tests start their Ethereum nodes.
pub(crate) const ANVIL_VARIABLE: &str = "CHECKOUT_ANVIL";

pub(crate) const WASM_OPT_VERSION: &str = "132.0.0";

fn node() -> Outcome<()> {
    NODE.ensure()?;
    let version = process::capture(Command::new("node").arg("--version"))?;
    let version = version.trim();
    let major = version.strip_prefix('v').and_then(|version| version.split('.').next()?.parse().ok());
    if major.is_some_and(|major: u32| major >= OLDEST) {
        return Ok(());
    }
    Err(format!("Node is of version {version}, but {OLDEST} or later is needed: https://nodejs.org"))
}

/// Binaryen's wasm-opt, which makes the widget slightly smaller.
pub(crate) fn wasm_opt(workspace: &Workspace) -> Outcome<PathBuf> {
    let package =
        npm_tool(workspace, "binaryen", WASM_OPT_VERSION, "its wasm-opt makes the widget slightly smaller")?;
    Ok(package.with_file_name(".bin/wasm-opt"))
}

/// Installs the accessibility checker that the end-to-end tests run on every screen.
pub(crate) fn axe(workspace: &Workspace) -> Outcome<PathBuf> {
    let package =
        npm_tool(workspace, "axe-core", "4.14.1", "the end-to-end tests check every screen with it")?;
    Ok(package.join("axe.min.js"))
}

/// Installs anvil, an Ethereum node with its own chain, or uses the one set by the variable.
pub(crate) fn anvil(workspace: &Workspace) -> Outcome<PathBuf> {
    if let Some(path) = std::env::var_os(ANVIL_VARIABLE) {
        return Ok(path.into());
    }
    let package =
        npm_tool(workspace, "@foundry-rs/anvil", "1.7.1", "the Ethereum adapter is tested with it")?;
    // The package is a script that starts a binary from a platform package.
    let folder = package.parent().expect("the package is in a folder");
    let mut programs = files::entries(folder)?.into_iter().map(|place| place.join("bin/anvil"));
    programs
        .find(|path| path.is_file())
        .ok_or_else(|| format!("npm has no anvil for this system. Set {ANVIL_VARIABLE} to the path of one."))
}

/// Returns the folder of a package in exactly this version, in the user's cache folder.
pub(crate) fn npm_tool(workspace: &Workspace, name: &str, version: &str, why: &str) -> Outcome<PathBuf> {
    node()?;
    let folder = workspace.tools.join(format!("{name}-{version}"));
    files::made_once(&folder, |partial| {
        let package = format!("{name}@{version}");
        announce(&format!("{package} (from npm)"), why);
        npm(&["install", "--no-save", &package], partial)
    })?;
    Ok(folder.join("node_modules").join(name))
}

fn npm(arguments: &[&str], folder: &Path) -> Outcome<()> {
    let quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefix", "."];
    let command = format!("npm {}", arguments.join(" "));
    process::capture(Command::new("npm").args(arguments).args(quiet).current_dir(folder))
        .map_err(|cause| could_not_install("What npm packs", &cause, &command))
        .map(|_| ())
}

/// Copies a project with a manifest and a lock file into the user's cache folder and installs its dependencies. Returns
/// that folder, with the current version of the project's other files.
pub(crate) fn npm_project(name: &str, project: &Path, workspace: &Workspace, why: &str) -> Outcome<PathBuf> {
    let folder = npm_packages(name, project, workspace, why)?;
    files::copy_all(project, &folder)?;
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
    const MANIFESTS: [&str; 2] = ["package.json", "package-lock.json"];
    node()?;
    let content = MANIFESTS.map(|file| files::read(&project.join(file)));
    let content = content.into_iter().collect::<Outcome<Vec<_>>>()?;
    let folder = workspace.tools.join(format!("{name}-{}", &files::digest(&content)[..16]));
    files::made_once(&folder, |partial| {
        announce(&format!("the packages of {} (from npm)", project.join(MANIFESTS[0]).display()), why);
        MANIFESTS.iter().try_for_each(|file| files::copy(&project.join(file), &partial.join(file)))?;
        npm(&["ci", "--ignore-scripts"], partial)
    })?;
    Ok(folder)
}
