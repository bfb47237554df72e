//! The crate that others use, `crypto-checkout-core`: what a registry would get, built as a stranger builds it.

use std::process::Command;

use crate::counts::Counts;
use crate::files::{read_all, write_all};
use crate::workspace::Workspace;
use crate::{Outcome, changes, files, process, setup};

const CRATE: &str = "crypto-checkout-core";
const QUESTION: &[&str] = &["BTC", "BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"];

/// Tries to publish the crate, which builds it from its package, and runs its example outside of the workspace.
pub(crate) fn check(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let publish = ["publish", "--dry-run", "--package", CRATE, "--allow-dirty"];
    process::run(workspace.cargo().args(publish))?;
    let packed = workspace.target.join("package").join(format!("{CRATE}-{}", env!("CARGO_PKG_VERSION")));
    // Below the workspace cargo would count it to that.
    let place = std::env::temp_dir().join(format!("xtask-crates-{}", std::process::id()));
    write_all(&place, &read_all(&packed)?)?;
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--example", "check_address", "--manifest-path"]);
    cargo.arg(place.join("Cargo.toml")).arg("--target-dir").arg(&workspace.target);
    let said = process::capture(cargo.arg("--").args(QUESTION))?;
    files::remove_folder(&place)?;
    if said.trim() != format!("Send to {}.", QUESTION[2]) {
        return Err(format!("The packed example said: {said}"));
    }
    counts.passed += 2;
    semver_checks(workspace)
}

/// Compares the public API with the last release, if there is one.
fn semver_checks(workspace: &Workspace) -> Outcome<()> {
    let describe = ["describe", "--tags", "--abbrev=0", "--match", "v*"];
    let Ok(release) = changes::git(workspace, &describe) else {
        println!("NOT CHECKED: the API against a release, for there is none; core/tests/api.txt holds it.");
        return Ok(());
    };
    let mut checks = Command::new(setup::cargo_tool(workspace, &setup::CARGO_SEMVER_CHECKS)?);
    checks.current_dir(&workspace.root).args(["semver-checks", "--package", CRATE, "--baseline-rev"]);
    process::run(checks.arg(release.trim()))
}
