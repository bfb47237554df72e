//! Programs from crates.io, compiled once per version into the user's cache folder.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use super::system::{announce, could_not_install};
use crate::outcome::Outcome;
use crate::process;
use crate::workspace::Workspace;

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
