//! Programs from crates.io, compiled once per version into the user's cache folder.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use super::system::{announce, could_not_install};
use crate::outcome::Outcome;
use crate::process;
use crate::workspace::Workspace;

pub(crate) const MDBOOK_VERSION: &str = "0.5.4";

/// mdBook, without its own server.
pub(crate) fn mdbook(workspace: &Workspace) -> Outcome<PathBuf> {
    let features = ["--no-default-features", "--features", "search", "--locked"];
    cargo_tool(
        workspace,
        "mdbook",
        ["mdbook", MDBOOK_VERSION],
        &features,
        "it builds the documentation's site",
    )
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

/// A program that has the name of its crate.
fn locked(workspace: &Workspace, package: [&str; 2], why: &str) -> Outcome<PathBuf> {
    cargo_tool(workspace, package[0], package, &["--locked"], why)
}

/// Returns the path of the program `name` of a crate; `more` are arguments of `cargo install`.
pub(super) fn cargo_tool(
    workspace: &Workspace,
    name: &str,
    [package, version]: [&str; 2],
    more: &[&str],
    why: &str,
) -> Outcome<PathBuf> {
    let folder = workspace.tools.join(format!("{name}-{version}"));
    let binary = folder.join("bin").join(format!("{name}{EXE_SUFFIX}"));
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
