//! `cargo xtask lint`: checks formatting, clippy, benchmarks, fuzz targets, documentation and licences.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::runner::{self, Context, Selected, Step, named, select};
use crate::workspace::Workspace;
use crate::{Outcome, bench, deny, flags, fuzz, oracles, process, setup};

const TOOLS: &str = "set-up for linting";

const STEPS: &[Step] = &[
    Step::new(TOOLS, 10, |context, _| setup::for_linting(context.workspace)),
    Step::new("formatting", 3, |context, _| format(context.workspace)).needs(&[TOOLS]),
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
    Step::new("clippy of the oracles", 20, |context, _| clippy_of(context.workspace, oracles::MANIFEST))
        .needs(&[TOOLS]),
    Step::new("clippy of the benchmarks", 40, |context, _| clippy_of(context.workspace, bench::MANIFEST))
        .needs(&[TOOLS]),
    Step::new("benchmarks accept their addresses", 60, |context, counts| {
        bench::test(context.workspace, counts)
    }),
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

/// Checks this workspace and the separate workspaces of the repository, which cargo does not include.
pub(crate) fn format(workspace: &Workspace) -> Outcome<()> {
    let others = [oracles::MANIFEST, bench::MANIFEST, fuzz::MANIFEST];
    let check = |manifest: &str, all: &[&str]| {
        let mut cargo = workspace.cargo();
        cargo.args(["fmt", "--check", "--manifest-path"]).arg(workspace.root.join(manifest)).args(all);
        process::run(&mut cargo).map_err(|sentence| {
            format!(
                "{sentence} `cargo fmt --manifest-path {manifest}{}` formats it.",
                if all.is_empty() { "" } else { " --all" }
            )
        })
    };
    check("Cargo.toml", &["--all"])?;
    languages(workspace)?;
    others.into_iter().try_for_each(|manifest| check(manifest, &[]))
}

/// A macro declares these files, so that `cargo fmt` does not find them.
fn languages(workspace: &Workspace) -> Outcome<()> {
    let folder = workspace.root.join("widget/src/words");
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024"]).current_dir(&workspace.root);
    for entry in fs::read_dir(&folder).map_err(|error| error.to_string())? {
        rustfmt.arg(entry.map_err(|error| error.to_string())?.path());
    }
    process::run(&mut rustfmt)
        .map_err(|sentence| format!("{sentence} `rustfmt --edition 2024 widget/src/words/*.rs` formats it."))
}

fn clippy(workspace: &Workspace, selection: &[&str]) -> Outcome<()> {
    process::run(workspace.cargo().arg("clippy").args(selection).args(["--", "--deny", "warnings"]))
}

/// Runs clippy on another workspace, with the same target folder.
fn clippy_of(workspace: &Workspace, manifest: impl AsRef<Path>) -> Outcome<()> {
    let mut cargo = workspace.cargo_of(manifest.as_ref(), "clippy");
    process::run(cargo.args(["--all-targets", "--", "--deny", "warnings"]))
}

/// Builds the documentation of the core; warnings, such as broken links, are errors.
fn core_pages(workspace: &Workspace) -> Outcome<()> {
    let mut cargo = workspace.cargo();
    cargo.args(["doc", "--package", "checkout-core", "--no-deps"]);
    process::run(cargo.env("RUSTDOCFLAGS", "--deny warnings"))
}
