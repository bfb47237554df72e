//! The core beside other implementations: the same questions to Rust crates and to npm packages.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use crate::test::{Counts, counted};
use crate::workspace::Workspace;
use crate::{Outcome, npm, process, setup};

/// A workspace of its own.
fn manifest(workspace: &Workspace) -> PathBuf {
    workspace.root.join("core/oracles/Cargo.toml")
}

fn cargo(workspace: &Workspace, command: &str) -> Command {
    let mut cargo = workspace.cargo();
    cargo.arg(command).arg("--manifest-path").arg(manifest(workspace));
    cargo.arg("--target-dir").arg(workspace.target.join("oracles"));
    cargo
}

pub(crate) fn rust(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    counted(cargo(workspace, "test").args(["--no-fail-fast"]), counts)
}

pub(crate) fn javascript(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let project = workspace.root.join("core/oracles/npm");
    let why = "the core's answers are compared with those of other packages";
    let folder = setup::npm_project("core-oracles", &project, workspace, why)?;
    let questions = workspace.scratch().join("questions.jsonl");
    let fault = |error: std::io::Error| format!("{}: {error}.", questions.display());
    fs::create_dir_all(workspace.scratch()).map_err(fault)?;
    let file = File::create(&questions).map_err(fault)?;
    process::run(cargo(workspace, "run").args(["--quiet", "--example", "questions"]).stdout(file))?;
    npm::counted(Command::new("node").arg("ask.js").arg(&questions).current_dir(&folder), counts)
}

/// Formatting and clippy, which do not see other workspaces.
pub(crate) fn lint(workspace: &Workspace) -> Outcome<()> {
    process::run(cargo_fmt(workspace).arg("--check"))?;
    process::run(cargo(workspace, "clippy").args(["--all-targets", "--", "--deny", "warnings"]))
}

fn cargo_fmt(workspace: &Workspace) -> Command {
    let mut cargo = workspace.cargo();
    cargo.args(["fmt", "--manifest-path"]).arg(manifest(workspace));
    cargo
}
