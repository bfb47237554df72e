//! The program `checkout`, with the site in `target/site` embedded.

use std::path::PathBuf;

use crate::outcome::Outcome;
use crate::process;
use crate::workspace::Workspace;

#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Debug,
    Release,
}

/// Returns the path of the binary.
pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--package", "checkout", "--bin", "checkout"]);
    if let Profile::Release = profile {
        cargo.arg("--release");
    }
    process::run(&mut cargo)?;
    Ok(binary(workspace, profile))
}

pub(crate) fn binary(workspace: &Workspace, profile: Profile) -> PathBuf {
    let folder = match profile {
        Profile::Debug => "debug",
        Profile::Release => "release",
    };
    workspace.target.join(folder).join(format!("checkout{}", std::env::consts::EXE_SUFFIX))
}
