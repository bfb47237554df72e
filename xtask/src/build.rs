//! `cargo xtask build`: the whole product as one binary.

use std::fs;
use std::path::PathBuf;

use crate::workspace::Workspace;
use crate::{Outcome, flags, process, setup, site};

#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Debug,
    Release,
}

pub(crate) fn run(workspace: &Workspace, flags: &flags::Build) -> Outcome<()> {
    let profile = if flags.debug { Profile::Debug } else { Profile::Release };
    setup::for_building(workspace)?;
    site::build(workspace)?;
    let binary = gateway(workspace, profile)?;
    let bytes = fs::metadata(&binary).map_err(|error| format!("{}: {error}", binary.display()))?.len();
    println!(
        "{} ({} MB): gateway, widget and pages in one file",
        binary.display(),
        bytes.div_ceil(1_000_000)
    );
    Ok(())
}

/// Builds the gateway with the site in `target/site` embedded; returns the binary's path.
pub(crate) fn gateway(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
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
