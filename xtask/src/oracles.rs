//! Compares the core with other implementations: Rust crates and npm packages get the same inputs.

use std::fs::File;
use std::path::PathBuf;
use std::process::Command;

use crate::counts::{Counts, counted, counted_in_node};
use crate::files;
use crate::outcome::Outcome;
use crate::workspace::{ORACLES, Workspace};
use crate::{process, setup};

/// The benchmarks are in the workspace of the oracles: each of their candidates has to accept its address.
pub(crate) fn rust(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    counted(workspace.cargo_of(ORACLES, "test").args(["--workspace", "--no-fail-fast"]), counts)
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
    files::create_folder(&workspace.scratch())?;
    let file = File::create(&questions).map_err(files::fault(&questions))?;
    process::run(
        workspace.cargo_of(ORACLES, "run").args(["--quiet", "--example", "questions"]).stdout(file),
    )?;
    counted_in_node(Command::new("node").arg("ask.js").arg(&questions).current_dir(&folder), counts)
}
