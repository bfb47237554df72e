//! `cargo xtask lint`: checks formatting, clippy (of benchmarks, too), fuzz targets, documentation and licences.

use crate::outcome::Outcome;
use crate::step::{Context, Selected, Step, named, select};
use crate::workspace::{ORACLES, Workspace};
use crate::{deny, flags, format, fuzz, process, runner, setup};

const TOOLS: &str = "set-up for linting";

const STEPS: &[Step] = &[
    Step::new(TOOLS, 10, |_, _| setup::for_linting()),
    Step::new("formatting", 3, |context, _| format::check(context.workspace)).needs(&[TOOLS]),
    Step::new("clippy", 150, |context, _| clippy(context.workspace, &["--workspace", "--all-targets"]))
        .needs(&[TOOLS]),
    // Only with the features that the package itself enables.
    Step::new("clippy of the program", 60, |context, _| {
        clippy(context.workspace, &["--package", "checkout"])
    })
    .needs(&[TOOLS]),
    Step::new("clippy for WebAssembly", 60, |context, _| {
        clippy(context.workspace, &["--package", "checkout-widget", "--target", setup::WASM_TARGET])
    })
    .needs(&[TOOLS]),
    Step::new("clippy of the oracles and benchmarks", 50, |context, _| oracles_clippy(context.workspace))
        .needs(&[TOOLS]),
    Step::new("fuzz targets", 100, |context, _| fuzz::smoke(context.workspace)),
    Step::new("core's pages", 20, |context, _| core_pages(context.workspace)),
    Step::new("licences and sources", 5, |context, _| deny::check(context.workspace)),
];

pub(crate) fn run(workspace: &Workspace, flags: &flags::Lint) -> Outcome<()> {
    let steps = match &flags.step {
        Some(name) => named("lint", STEPS, name)?,
        None => steps(),
    };
    runner::run(&steps, &Context::new(workspace, Vec::new()))
}

pub(crate) fn steps() -> Vec<Selected> {
    select("lint", STEPS, |_| true)
}

fn clippy(workspace: &Workspace, selection: &[&str]) -> Outcome<()> {
    process::run(workspace.cargo().arg("clippy").args(selection).args(["--", "--deny", "warnings"]))
}

/// Runs clippy on the workspace of the oracles, with the same target folder.
fn oracles_clippy(workspace: &Workspace) -> Outcome<()> {
    let mut cargo = workspace.cargo_of(ORACLES, "clippy");
    process::run(cargo.args(["--workspace", "--all-targets", "--", "--deny", "warnings"]))
}

/// Builds the documentation of the core; warnings, such as broken links, are errors.
fn core_pages(workspace: &Workspace) -> Outcome<()> {
    let mut cargo = workspace.cargo();
    cargo.args(["doc", "--package", "checkout-core", "--no-deps"]);
    process::run(cargo.env("RUSTDOCFLAGS", "--deny warnings"))
}
