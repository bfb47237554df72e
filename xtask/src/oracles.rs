//! Compares the core with other implementations: Rust crates and npm packages get the same inputs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::counts::{Counts, counted};
use crate::workspace::Workspace;
use crate::{Outcome, npm, process, setup};

/// A separate workspace.
pub(crate) const MANIFEST: &str = "core/oracles/Cargo.toml";

fn cargo(workspace: &Workspace, command: &str) -> Command {
    workspace.cargo_of(Path::new(MANIFEST), command)
}

pub(crate) fn rust(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    counted(cargo(workspace, "test").args(["--no-fail-fast"]), counts)
}

/// Returns the folder with the npm packages that the core is compared with.
pub(crate) fn packages(workspace: &Workspace) -> Outcome<PathBuf> {
    let project = workspace.root.join("core/oracles/npm");
    setup::npm_project(
        "core-oracles",
        &project,
        workspace,
        "the core's answers are compared with those of other packages",
    )
}

pub(crate) fn javascript(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = packages(workspace)?;
    let questions = workspace.scratch().join("questions.jsonl");
    let fault = |error: std::io::Error| format!("{}: {error}.", questions.display());
    fs::create_dir_all(workspace.scratch()).map_err(fault)?;
    let file = File::create(&questions).map_err(fault)?;
    process::run(cargo(workspace, "run").args(["--quiet", "--example", "questions"]).stdout(file))?;
    npm::counted(Command::new("node").arg("ask.js").arg(&questions).current_dir(&folder), counts)
}
