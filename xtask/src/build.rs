//! `cargo xtask build`: the whole product in one file.

use std::fs;

use crate::workspace::Workspace;
use crate::{Outcome, no_arguments, process, setup, site};

pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    no_arguments("build", arguments)?;
    setup::for_building(workspace)?;
    site::build(workspace)?;
    process::run(workspace.cargo().args([
        "build",
        "--release",
        "--package",
        "checkout-gateway",
        "--bin",
        "checkout",
    ]))?;
    let binary = workspace.target.join("release").join(format!("checkout{}", std::env::consts::EXE_SUFFIX));
    let bytes = fs::metadata(&binary).map_err(|error| format!("{}: {error}", binary.display()))?.len();
    println!(
        "{} ({} MB): gateway, widget and pages in one file",
        binary.display(),
        bytes.div_ceil(1_000_000)
    );
    Ok(())
}
