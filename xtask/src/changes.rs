//! The files that differ from the last state that was good.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::workspace::Workspace;
use crate::{Outcome, files, process};

/// The files that changed since the base, committed or not.
pub(crate) fn files(workspace: &Workspace) -> Outcome<Vec<String>> {
    let base = base(workspace)?;
    let changed = git(workspace, &["diff", "--name-only", base.trim()])?;
    let new = git(workspace, &["ls-files", "--others", "--exclude-standard"])?;
    Ok(changed.lines().chain(new.lines()).map(str::to_owned).collect())
}

/// Where this branch left the main branch. On the main branch itself, also in a fresh clone, the last commit that passed
/// `cargo xtask ci` on this machine, or else the parent of the newest.
fn base(workspace: &Workspace) -> Outcome<String> {
    let git = |arguments: &[&str]| git(workspace, arguments);
    let head = git(&["rev-parse", "HEAD"])?;
    let main = ["origin/main", "main"].into_iter().find(|name| git(&["rev-parse", "--verify", name]).is_ok());
    let fork = git(&["merge-base", "HEAD", main.unwrap_or("HEAD")])?;
    if fork != head {
        return Ok(fork);
    }
    let green = fs::read_to_string(green(workspace)).unwrap_or_default();
    let is_before = !green.is_empty() && git(&["merge-base", "--is-ancestor", &green, "HEAD"]).is_ok();
    if is_before { Ok(green) } else { Ok(git(&["rev-parse", "--verify", "HEAD^"]).unwrap_or(head)) }
}

/// Remembers that the commit passed everything, unless files differ from it.
pub(crate) fn passed(workspace: &Workspace) -> Outcome<()> {
    if git(workspace, &["status", "--porcelain"])?.is_empty() {
        let head = git(workspace, &["rev-parse", "HEAD"])?;
        files::write(&green(workspace), head.trim())?;
    }
    Ok(())
}

/// The number of commits up to this one, by which the groups take turns.
pub(crate) fn count(workspace: &Workspace) -> Outcome<usize> {
    let count = git(workspace, &["rev-list", "--count", "HEAD"])?;
    count.trim().parse().map_err(|_| format!("git counts {count} commits."))
}

fn green(workspace: &Workspace) -> PathBuf {
    workspace.cache.join("green")
}

pub(crate) fn git(workspace: &Workspace, arguments: &[&str]) -> Outcome<String> {
    process::capture(Command::new("git").arg("-C").arg(&workspace.root).args(arguments))
}
