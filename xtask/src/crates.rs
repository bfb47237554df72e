//! The crate that others use, `crypto-checkout-core`: what a registry would get, built as a stranger builds it.

use std::process::Command;

use crate::counts::Counts;
use crate::workspace::Workspace;
use crate::{Outcome, files, process, setup};

const CRATE: &str = "crypto-checkout-core";
const QUESTION: &[&str] = &["BTC", "BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"];

/// Packs the crate, builds it from the package, tries to publish it, and runs its example outside of the workspace.
pub(crate) fn check(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let cargo = |arguments: &[&str]| {
        process::run(workspace.cargo().args(arguments).args(["--package", CRATE, "--allow-dirty"]))
    };
    cargo(&["package"])?;
    cargo(&["publish", "--dry-run", "--no-verify"])?;
    example(workspace)?;
    counts.passed += 3;
    semver_checks(workspace)
}

fn example(workspace: &Workspace) -> Outcome<()> {
    let name = format!("{CRATE}-{}", env!("CARGO_PKG_VERSION"));
    let package = workspace.target.join("package").join(format!("{name}.crate"));
    // Below the workspace cargo would count it to that.
    let place = std::env::temp_dir().join(format!("xtask-crates-{}", std::process::id()));
    files::create_folder(&place)?;
    process::run(Command::new("tar").arg("xzf").arg(&package).arg("-C").arg(&place))?;
    let mut cargo = workspace.cargo();
    cargo.args(["run", "--quiet", "--example", "check_address", "--manifest-path"]);
    cargo.arg(place.join(&name).join("Cargo.toml")).arg("--target-dir").arg(&workspace.target);
    let said = process::capture(cargo.arg("--").args(QUESTION))?;
    files::remove_folder(&place)?;
    let expected = format!("Send to {}.", QUESTION[2]);
    if said.trim() == expected { Ok(()) } else { Err(format!("The packed example said: {said}")) }
}

/// Compares the public API with the last release, if there is one.
fn semver_checks(workspace: &Workspace) -> Outcome<()> {
    let mut git = Command::new("git");
    git.arg("-C").arg(&workspace.root).args(["describe", "--tags", "--abbrev=0", "--match", "v*"]);
    let Ok(release) = process::capture(&mut git) else {
        println!(
            "NOT CHECKED: the API against a release, for there is none (a tag v…); core/tests/api.txt holds it."
        );
        return Ok(());
    };
    let mut checks = Command::new(setup::cargo_tool(workspace, &setup::CARGO_SEMVER_CHECKS)?);
    checks.current_dir(&workspace.root).args(["semver-checks", "--package", CRATE, "--baseline-rev"]);
    process::run(checks.arg(release.trim()))
}
