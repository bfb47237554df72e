//! The program `checkout`: a release embeds the site in `target/site`, a debug build reads the one in `target/site-debug`.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::workspace::{Profile, Workspace};
use crate::{Outcome, files, process, setup, site};

/// `cargo xtask build`: the whole product as one binary.
pub(crate) fn run(workspace: &Workspace) -> Outcome<()> {
    let binary = with_site(workspace, Profile::Release)?;
    let megabytes = fs::metadata(&binary).map_err(files::fault(&binary))?.len().div_ceil(1_000_000);
    println!("{} ({megabytes} MB): gateway, widget and pages in one file", binary.display());
    Ok(())
}

const RELEASE: &str = "build --package checkout --bin checkout --release";

/// With the features of tests. The example has nearly no code: it makes cargo count the dependencies of tests, so that all others are
/// compiled with the features that they have in `cargo xtask test`, and once for both.
const DEBUG: &str = "build --workspace --exclude xtask-bindgen --bin checkout --example check_address";

/// Builds the site and the binary; returns the path of the binary.
pub(crate) fn with_site(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    site::build(workspace, profile)?;
    build(workspace, profile)
}

/// Returns the path of the binary.
pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let arguments = if profile == Profile::Release { RELEASE } else { DEBUG };
    process::run(workspace.cargo().args(arguments.split(' ')))?;
    Ok(binary(workspace, profile))
}

/// Builds the release for a target of rustc; returns the path of the binary.
pub(crate) fn build_for(workspace: &Workspace, target: &str) -> Outcome<PathBuf> {
    process::run(Command::new("rustup").args(["target", "add", target]))?;
    let mut cargo = workspace.cargo();
    cargo.args(RELEASE.split(' ')).args(["--locked", "--target", target]);
    cargo.args(["--config", &workspace.rustflags(target, &[])]);
    // The variable in which cc-rs finds the C compiler of a target.
    let variable = format!("CC_{}", target.replace('-', "_"));
    if target.ends_with("-musl") && env::var_os(&variable).is_none() {
        setup::MUSL.ensure()?;
        cargo.env(variable, setup::MUSL_COMPILER);
    }
    process::run(&mut cargo)?;
    Ok(workspace.target.join(target).join("release/checkout"))
}

pub(crate) fn binary(workspace: &Workspace, profile: Profile) -> PathBuf {
    let folder = if profile == Profile::Release { "release" } else { "debug" };
    workspace.target.join(folder).join("checkout")
}
