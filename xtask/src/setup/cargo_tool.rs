//! Programs that are compiled once per version into the user's cache folder: from crates.io, and wasm-bindgen in exactly the library's
//! version in Cargo.lock.

use std::path::PathBuf;

use super::needed::{announce, could_not_install};
use crate::workspace::Workspace;
use crate::{Outcome, files, process};

pub(crate) const MDBOOK_VERSION: &str = "0.5.4";

/// mdBook, without its own server.
pub(crate) fn mdbook(workspace: &Workspace) -> Outcome<PathBuf> {
    let features = ["--no-default-features", "--features", "search", "--locked"];
    let why = "it builds the documentation's site";
    cargo_tool(workspace, "mdbook", ["mdbook", MDBOOK_VERSION], &features, why)
}

pub(crate) fn cargo_sbom(workspace: &Workspace) -> Outcome<PathBuf> {
    locked(workspace, ["cargo-sbom", "0.10.0"], "it writes the bill of materials of a release")
}

pub(crate) fn cargo_deny(workspace: &Workspace) -> Outcome<PathBuf> {
    locked(workspace, ["cargo-deny", "0.20.2"], "it checks licences, sources and advisories")
}

pub(crate) fn cargo_semver_checks(workspace: &Workspace) -> Outcome<PathBuf> {
    locked(workspace, ["cargo-semver-checks", "0.51.0"], "it compares the core's API with the last release")
}

/// Few systems package the WebDriver of Firefox.
pub(super) fn geckodriver(workspace: &Workspace) -> Outcome<PathBuf> {
    locked(workspace, ["geckodriver", "0.37.1"], "the end-to-end tests drive Firefox with it")
}

/// Runs the tests of a module in a browser.
pub(crate) fn test_runner(workspace: &Workspace) -> Outcome<PathBuf> {
    const NAME: &str = "wasm-bindgen-test-runner";
    let version = workspace.locked_version("wasm-bindgen")?;
    let package = ["wasm-bindgen-cli", version.as_str()];
    cargo_tool(workspace, NAME, package, &["--bin", NAME], "it tests the widget in browsers")
}

/// The package `xtask-bindgen`: one program for each version of the library and state of its source.
pub(crate) fn wasm_bindgen(workspace: &Workspace) -> Outcome<PathBuf> {
    const PACKAGE: &str = "xtask-bindgen";
    let version = workspace.locked_version("wasm-bindgen")?;
    let source = &files::digest(&[include_str!("../../bindgen/src/main.rs")])[..8];
    let folder = workspace.tools.join(format!("{PACKAGE}-{version}-{source}"));
    files::made_once(&folder, |partial| {
        let what = format!("wasm-bindgen {version}");
        announce(
            &what,
            &format!("it generates the widget's JavaScript (half a minute, once; into {})", folder.display()),
        );
        process::run(workspace.cargo().args(["build", "--package", PACKAGE]))
            .map_err(|cause| could_not_install(&what, &cause, &format!("cargo build --package {PACKAGE}")))?;
        files::copy(&workspace.target.join("debug").join(PACKAGE), &partial.join(PACKAGE))
    })?;
    Ok(folder.join(PACKAGE))
}

/// A program that has the name of its crate.
fn locked(workspace: &Workspace, package: [&str; 2], why: &str) -> Outcome<PathBuf> {
    cargo_tool(workspace, package[0], package, &["--locked"], why)
}

/// Returns the path of the program `name` of a crate; `more` are arguments of `cargo install`.
fn cargo_tool(
    workspace: &Workspace,
    name: &str,
    [package, version]: [&str; 2],
    more: &[&str],
    why: &str,
) -> Outcome<PathBuf> {
    let folder = workspace.tools.join(format!("{name}-{version}"));
    let binary = folder.join("bin").join(name);
    if binary.is_file() {
        return Ok(binary);
    }
    let what = format!("{name} {version}");
    announce(&what, &format!("{why} (minutes, once; into {})", folder.display()));
    let arguments = [&["install", package, "--debug", "--version", version], more, &["--root"]].concat();
    let mut cargo = workspace.cargo();
    cargo.args(&arguments).arg(&folder).env("CARGO_PROFILE_DEV_DEBUG", "none");
    process::run(&mut cargo).map_err(|cause| {
        could_not_install(&what, &cause, &format!("cargo install {package} --version {version}"))
    })?;
    Ok(binary)
}
