//! The program `checkout`: a release embeds the site in `target/site`, a debug build reads the one in `target/site-debug`.

use std::path::PathBuf;
use std::process::Command;

use crate::outcome::Outcome;
use crate::process;
use crate::rustflags::rustflags;
use crate::workspace::{Profile, Workspace};

/// Returns the path of the binary.
pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Outcome<PathBuf> {
    let mut cargo = match profile {
        Profile::Release => cargo_build(workspace),
        Profile::Debug => workspace.cargo(),
    };
    cargo.args(match profile {
        Profile::Release => &["--release"][..],
        Profile::Debug => WITH_THE_FEATURES_OF_TESTS,
    });
    process::run(&mut cargo)?;
    Ok(binary(workspace, profile))
}

/// The example has nearly no code. It makes cargo count the dependencies of tests, so that all others are compiled with the
/// features that they have in `cargo xtask test`, and once for both.
const WITH_THE_FEATURES_OF_TESTS: &[&str] = &[
    "build",
    "--workspace",
    "--exclude",
    "xtask-bindgen",
    "--bin",
    "checkout",
    "--example",
    "check_address",
];

fn cargo_build(workspace: &Workspace) -> Command {
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--package", "checkout", "--bin", "checkout"]);
    cargo
}

/// The C compiler of Debian's musl-tools and of other distributions.
pub(crate) const MUSL_COMPILER: &str = "musl-gcc";

/// The variable in which cc-rs finds the C compiler of a target.
pub(crate) fn c_compiler_variable(target: &str) -> String {
    format!("CC_{}", target.replace('-', "_"))
}

/// Builds the release for a target of rustc; returns the path of the binary.
pub(crate) fn build_for(workspace: &Workspace, target: &str) -> Outcome<PathBuf> {
    let mut cargo = cargo_build(workspace);
    cargo.args(["--locked", "--release", "--target", target]);
    cargo.args(["--config", &rustflags(&workspace.root, target, &[])]);
    let variable = c_compiler_variable(target);
    if target.ends_with("-musl") && std::env::var_os(&variable).is_none() {
        cargo.env(variable, MUSL_COMPILER);
    }
    process::run(&mut cargo)?;
    Ok(workspace.target.join(target).join("release/checkout"))
}

pub(crate) fn binary(workspace: &Workspace, profile: Profile) -> PathBuf {
    let folder = match profile {
        Profile::Debug => "debug",
        Profile::Release => "release",
    };
    workspace.target.join(folder).join(format!("checkout{}", std::env::consts::EXE_SUFFIX))
}
