//! The names under which packages are published: each registry is asked whether a name is free, ours or a stranger's.

use std::env::temp_dir;
use std::process::Command;

use crate::counts::Counts;
use crate::workspace::Workspace;
use crate::{Outcome, files, process, setup};

/// How a registry's tool is asked about a name, and what it says of one that nobody has.
type Registry = (&'static str, &'static [&'static str], &'static str);

#[rustfmt::skip]
const CRATES: Registry = ("cargo", &["info", "--registry", "crates-io"], "could not find");
const NPM: Registry = ("npm", &["view", "--json"], "E404");
#[rustfmt::skip]
const PYPI: Registry = (
    "python", &["-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet", "--report", "-"],
    "No matching distribution found",
);

/// A published package: its registry, its name, and the manifest that describes it.
const PACKAGES: &[(Registry, &str, &str)] = &[
    (CRATES, "crypto-checkout-core", "core/Cargo.toml"),
    (NPM, "@crypto-checkout/core", "npm/package/package.json"),
    (NPM, "@crypto-checkout/embed", "npm/embed/package/package.json"),
    (NPM, "@crypto-checkout/client", "npm/client/package/package.json"),
    (NPM, "@crypto-checkout/widget", "npm/widget/package/package.json"),
    (PYPI, "crypto-checkout", "packaging/python/pyproject.toml"),
    (PYPI, "crypto-checkout-core", "bindings/python/pyproject.toml"),
];

#[derive(Debug, PartialEq, Eq)]
enum Owner {
    Nobody,
    Us,
    Stranger,
}

pub(crate) fn check(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let python = setup::python_environment(workspace, &setup::PYTHON_CLIENT)?;
    let mut strangers = Vec::new();
    for ((program, arguments, missing), name, manifest) in PACKAGES {
        let mut tool = match *program {
            "cargo" => workspace.cargo(),
            "python" => Command::new(&python),
            other => Command::new(other),
        };
        // Not in the workspace, whose own packages cargo would answer with.
        let said = process::capture(tool.args(*arguments).arg(name).current_dir(temp_dir()));
        let manifest = files::read_text(&workspace.root.join(manifest))?;
        let owner = owner(said, missing, description(&manifest)?)?;
        println!("{name}: {owner:?}");
        match owner {
            Owner::Stranger => strangers.push(*name),
            Owner::Nobody | Owner::Us => counts.passed += 1,
        }
    }
    if strangers.is_empty() {
        Ok(())
    } else {
        Err(format!("Somebody else has published {}.", strangers.join(", ")))
    }
}

fn owner(said: Outcome<String>, missing: &str, ours: &str) -> Outcome<Owner> {
    match said {
        Ok(text) if text.contains(ours) => Ok(Owner::Us),
        Ok(_) => Ok(Owner::Stranger),
        Err(error) if error.contains(missing) => Ok(Owner::Nobody),
        Err(error) => Err(error),
    }
}

/// The description in a manifest, in TOML or JSON.
fn description(manifest: &str) -> Outcome<&str> {
    let line = manifest.lines().find(|line| line.trim_start_matches([' ', '"']).starts_with("description"));
    let value = line.and_then(|line| line.split_once(['=', ':']));
    let (_, value) = value.ok_or("A published package has no description.")?;
    Ok(value.trim().trim_end_matches(',').trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_free_ours_or_a_strangers() {
        let check = |said: Result<&str, &str>, expected: Option<Owner>| {
            let said = said.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(owner(said.clone(), "E404", "Checks addresses.").ok(), expected, "{said:?}");
        };
        check(Ok("Checks addresses.\n"), Some(Owner::Us));
        check(Ok("core traits"), Some(Owner::Stranger));
        check(Ok(""), Some(Owner::Stranger));
        check(Err("npm error code E404"), Some(Owner::Nobody));
        check(Err("npm error network ECONNREFUSED"), None);
    }
}
