//! The names under which packages are published: each registry is asked whether a name is free, ours or a stranger's.

use std::env::temp_dir;
use std::process::Command;

use crate::counts::Counts;
use crate::workspace::Workspace;
use crate::{Outcome, files, process, setup};

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

pub(crate) fn check(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
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
