//! What registries get and have: `crypto-checkout-core` built from its package as a stranger builds it, and the names of all packages, each
//! of which is free, ours or a stranger's.

use std::env::temp_dir;
use std::process::Command;

use crate::counts::Counts;
use crate::files::{read_all, write_all};
use crate::workspace::Workspace;
use crate::{Outcome, changes, files, process, setup};

const CRATE: &str = "crypto-checkout-core";
const QUESTION: &[&str] = &["BTC", "BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"];

/// Tries to publish the crate, which builds it from its package, and runs its example outside of the workspace.
pub(crate) fn package(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let publish = ["publish", "--dry-run", "--package", CRATE, "--allow-dirty"];
    process::run(workspace.cargo().args(publish))?;
    let packed = workspace.target.join("package").join(format!("{CRATE}-{}", env!("CARGO_PKG_VERSION")));
    // Below the workspace cargo would count it to that.
    let place = temp_dir().join(format!("xtask-crates-{}", std::process::id()));
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

/// How a registry's tool is asked about a name, and what it says of one that nobody has.
type Registry = (&'static str, &'static str, &'static str);

const CRATES: Registry = ("cargo", "info --registry crates-io", "could not find");
const NPM: Registry = ("npm", "view --json", "E404");
const PYPI: Registry = (
    "python",
    "-m pip install --dry-run --ignore-installed --no-deps --quiet --report -",
    "No matching distribution found",
);

/// A published package: its registry, its name, and the manifest that describes it.
const PACKAGES: &[(Registry, &str, &str)] = &[
    (CRATES, "crypto-checkout-core", "core/Cargo.toml"),
    (NPM, "@crypto-checkout/core", "npm/package/package.json"),
    (NPM, "@crypto-checkout/embed", "npm/embed/package/package.json"),
    (NPM, "@crypto-checkout/client", "npm/client/package/package.json"),
    (NPM, "@crypto-checkout/medusa", "npm/medusa/package/package.json"),
    (NPM, "@crypto-checkout/widget", "npm/widget/package/package.json"),
    (PYPI, "crypto-checkout", "packaging/python/pyproject.toml"),
    (PYPI, "crypto-checkout-pretix", "packaging/pretix/pyproject.toml"),
    (PYPI, "crypto-checkout-core", "bindings/python/pyproject.toml"),
];

pub(crate) fn names(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let python = setup::python_environment(workspace, &setup::PYTHON_CLIENT)?;
    for ((program, arguments, missing), name, manifest) in PACKAGES {
        let mut tool = match *program {
            "cargo" => workspace.cargo(),
            "python" => Command::new(&python),
            other => Command::new(other),
        };
        let manifest = files::read_text(&workspace.root.join(manifest))?;
        let ours = description(&manifest)?;
        // Not in the workspace, whose own packages cargo would answer with.
        match process::capture(tool.args(arguments.split(' ')).arg(name).current_dir(temp_dir())) {
            Ok(text) if text.contains(ours) => println!("{name}: ours"),
            Ok(_) => return Err(format!("Somebody else has published {name}.")),
            Err(error) if error.contains(missing) => println!("{name}: free"),
            Err(error) => return Err(error),
        }
        counts.passed += 1;
    }
    Ok(())
}

/// The description in a manifest, in TOML or JSON.
fn description(manifest: &str) -> Outcome<&str> {
    let line = manifest.lines().find(|line| line.trim_start_matches([' ', '"']).starts_with("description"));
    let value = line.and_then(|line| line.split_once(['=', ':']));
    let (_, value) = value.ok_or("A published package has no description.")?;
    Ok(value.trim().trim_end_matches(',').trim_matches('"'))
}
