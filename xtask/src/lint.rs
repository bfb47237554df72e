//! `cargo xtask lint`: formatting, and clippy as native code and as WebAssembly.

use crate::workspace::Workspace;
use crate::{Outcome, no_arguments, process, setup};

pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    no_arguments("lint", arguments)?;
    setup::for_linting(workspace)?;
    format(workspace)?;
    clippy_native(workspace)?;
    clippy_wasm(workspace)
}

pub(crate) fn format(workspace: &Workspace) -> Outcome<()> {
    process::run(workspace.cargo().args(["fmt", "--all", "--check"]))
        .map_err(|sentence| format!("{sentence} `cargo fmt --all` sets it right."))
}

pub(crate) fn clippy_native(workspace: &Workspace) -> Outcome<()> {
    process::run(workspace.cargo().args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "--deny",
        "warnings",
    ]))
}

pub(crate) fn clippy_wasm(workspace: &Workspace) -> Outcome<()> {
    process::run(
        workspace
            .cargo()
            .args(["clippy", "--package", "checkout-widget", "--target", setup::WASM_TARGET])
            .args(["--", "--deny", "warnings"]),
    )
}
