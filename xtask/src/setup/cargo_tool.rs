//! Programs that are compiled once per version into the user's cache folder: from crates.io, and wasm-bindgen in exactly the library's
//! version in Cargo.lock.

use std::path::PathBuf;

use super::needed::cached;
use crate::workspace::Workspace;
use crate::{Outcome, files, process};

/// A crate that has a program of its name, the version, more arguments of `cargo install`, and what it is for.
pub(crate) type CargoTool<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Without its own server.
pub(crate) const MDBOOK: CargoTool<'static> = (
    "mdbook",
    "0.5.4",
    "--no-default-features --features search --locked",
    "it builds the documentation's site",
);
pub(crate) const CARGO_SBOM: CargoTool<'static> =
    ("cargo-sbom", "0.10.0", "--locked", "it writes the bill of materials of a release");
pub(crate) const CARGO_DENY: CargoTool<'static> =
    ("cargo-deny", "0.20.2", "--locked", "it checks licences, sources and advisories");
pub(crate) const CARGO_SEMVER_CHECKS: CargoTool<'static> =
    ("cargo-semver-checks", "0.51.0", "--locked", "it compares the core's API with the last release");
/// Few systems package the WebDriver of Firefox.
pub(super) const GECKODRIVER: CargoTool<'static> =
    ("geckodriver", "0.37.1", "--locked", "the end-to-end tests drive Firefox with it");

/// Runs the tests of a module in a browser.
pub(crate) fn test_runner(workspace: &Workspace) -> Outcome<PathBuf> {
    let version = workspace.locked_version("wasm-bindgen")?;
    let program = "wasm-bindgen-test-runner";
    let more = format!("--bin {program}");
    let tool = ("wasm-bindgen-cli", version.as_str(), more.as_str(), "it tests the widget in browsers");
    Ok(cargo_tool(workspace, &tool)?.with_file_name(program))
}

/// The package `xtask-bindgen`: one program for each version of the library and state of its source.
pub(crate) fn wasm_bindgen(workspace: &Workspace) -> Outcome<PathBuf> {
    const PACKAGE: &str = "xtask-bindgen";
    let version = workspace.locked_version("wasm-bindgen")?;
    let source = &files::digest(&[include_str!("../../bindgen/src/main.rs")])[..8];
    let folder = workspace.tools.join(format!("{PACKAGE}-{version}-{source}"));
    let why = "it generates the widget's JavaScript (half a minute, once)";
    let build = format!("build --package {PACKAGE}");
    let folder = cached(folder, "wasm-bindgen", why, &format!("cargo {build}"), |partial| {
        process::run(workspace.cargo().args(build.split(' ')))?;
        files::copy(&workspace.target.join("debug").join(PACKAGE), &partial.join(PACKAGE))
    })?;
    Ok(folder.join(PACKAGE))
}

/// Installs a program; returns its path.
pub(crate) fn cargo_tool(
    workspace: &Workspace,
    (package, version, more, why): &CargoTool<'_>,
) -> Outcome<PathBuf> {
    let folder = workspace.tools.join(format!("{package}-{version}"));
    let install = format!("install {package} --version {version} --debug {more}");
    let why = format!("{why} (minutes, once)");
    let folder = cached(folder, package, &why, &format!("cargo {install}"), |partial| {
        let mut cargo = workspace.cargo();
        cargo.args(install.split(' ')).arg("--root").arg(partial);
        process::run(cargo.env("CARGO_PROFILE_DEV_DEBUG", "none"))
    })?;
    Ok(folder.join("bin").join(package))
}
