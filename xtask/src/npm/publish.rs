//! A dry run of `npm publish`, and the findings of publint and attw about the packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::packed;
use crate::counts::Counts;
use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{process, setup};

/// The tools of npm/embed/tests/package.json.
pub(crate) fn packages(workspace: &Workspace) -> Outcome<PathBuf> {
    let project = workspace.root.join("npm/embed/tests");
    let why = "the npm packages are checked with them";
    Ok(setup::npm_packages("npm-packages", &project, workspace, why)?.join("node_modules"))
}

/// Requires `target/npm`, `target/npm-embed` and `target/npm-client`.
pub(crate) fn check(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let tools = packages(workspace)?;
    let _lock = packed::lock(workspace)?;
    // The core is ES modules only, and a WebAssembly module has no types.
    let of_core: &[&str] = &["--profile", "esm-only", "--exclude-entrypoints", "core.wasm"];
    for (package, options) in
        [(workspace.npm(), of_core), (workspace.npm_embed(), &[]), (workspace.npm_client(), &[])]
    {
        let run = |tool: &str, arguments: &[&str]| {
            process::run(Command::new(tools.join(".bin").join(tool)).args(arguments).current_dir(&package))
        };
        println!("npm: {}", package.display());
        run("publint", &["--strict"])?;
        run("attw", &[&["--pack", ".", "--no-emoji", "--no-color", "--format", "ascii"], options].concat())?;
        dry_run(&package)?;
        counts.passed += 3;
    }
    Ok(())
}

fn dry_run(package: &Path) -> Outcome<()> {
    println!("npm publish --dry-run");
    packed::npm(&["publish", "--dry-run", "--access", "public"], package).map(|_| ())
}
