//! The steps of `cargo xtask test lint`: clippy of everything, and the documentation of the core.

use crate::outcome::Outcome;
use crate::workspace::{ORACLES, TESTED, Workspace};
use crate::{process, setup};

pub(crate) fn clippy(workspace: &Workspace) -> Outcome<()> {
    clippy_of(workspace, &[TESTED, &["--all-targets"]].concat())?;
    clippy_of(workspace, &["--package", "xtask-bindgen"])
}

/// Only with the features that the package itself enables.
pub(crate) fn program(workspace: &Workspace) -> Outcome<()> {
    clippy_of(workspace, &["--package", "checkout"])
}

pub(crate) fn widget(workspace: &Workspace) -> Outcome<()> {
    clippy_of(workspace, &["--package", "checkout-widget", "--target", setup::WASM_TARGET])
}

fn clippy_of(workspace: &Workspace, selection: &[&str]) -> Outcome<()> {
    process::run(workspace.cargo().arg("clippy").args(selection).args(["--", "--deny", "warnings"]))
}

/// Runs clippy on the workspace of the oracles and benchmarks, with the same target folder.
pub(crate) fn oracles(workspace: &Workspace) -> Outcome<()> {
    let mut cargo = workspace.cargo_of(ORACLES, "clippy");
    process::run(cargo.args(["--workspace", "--all-targets", "--", "--deny", "warnings"]))
}

/// Builds the documentation of the core; warnings, such as broken links, are errors.
pub(crate) fn core_pages(workspace: &Workspace) -> Outcome<()> {
    let mut cargo = workspace.cargo();
    cargo.args(["doc", "--package", "crypto-checkout-core", "--no-deps"]);
    process::run(cargo.env("RUSTDOCFLAGS", "--deny warnings"))
}
