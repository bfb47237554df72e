//! The names under which packages are published: each registry is asked whether a name is free, ours or a stranger's.

use std::env::temp_dir;
use std::process::Command;

use crate::counts::Counts;
use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{files, process, pypi};

enum Registry {
    Crates,
    Npm,
    PyPi,
}

/// A published package: its registry, its name, and the manifest that describes it.
const PACKAGES: &[(Registry, &str, &str)] = &[
    (Registry::Crates, "crypto-checkout-core", "core/Cargo.toml"),
    (Registry::Npm, "@crypto-checkout/core", "npm/package/package.json"),
    (Registry::Npm, "@crypto-checkout/embed", "npm/embed/package/package.json"),
    (Registry::Npm, "@crypto-checkout/client", "npm/client/package/package.json"),
    (Registry::PyPi, "crypto-checkout", "packaging/python/pyproject.toml"),
    (Registry::PyPi, "crypto-checkout-core", "bindings/python/pyproject.toml"),
];

#[derive(Debug, PartialEq, Eq)]
enum Owner {
    Nobody,
    Us,
    Stranger,
}

pub(crate) fn check(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let mut strangers = Vec::new();
    for (registry, name, manifest) in PACKAGES {
        let ours = description(&files::read_text(&workspace.root.join(manifest))?)
            .ok_or_else(|| format!("{manifest} has no description."))?
            .to_owned();
        let owner = owner(ask(registry, name, workspace)?, registry.missing(), &ours)?;
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

impl Registry {
    /// What its tool says of a name that nobody has.
    fn missing(&self) -> &'static str {
        match self {
            Self::Crates => "could not find",
            Self::Npm => "E404",
            Self::PyPi => "No matching distribution found",
        }
    }
}

/// What the registry's tool says of a package: its description in some form, or an error.
fn ask(registry: &Registry, name: &str, workspace: &Workspace) -> Outcome<Result<String, String>> {
    let mut command = match registry {
        Registry::Crates => {
            let mut cargo = workspace.cargo();
            cargo.args(["info", "--registry", "crates-io", name]);
            cargo
        }
        Registry::Npm => {
            let mut npm = Command::new("npm");
            npm.args(["view", name, "description"]);
            npm
        }
        Registry::PyPi => {
            let mut pip = Command::new(pypi::tools(workspace)?);
            pip.args(["-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet"]);
            pip.args(["--report", "-", name]);
            pip
        }
    };
    // Not in the workspace, whose own packages cargo would answer with.
    Ok(process::capture(command.current_dir(temp_dir())))
}

fn owner(said: Result<String, String>, missing: &str, ours: &str) -> Outcome<Owner> {
    match said {
        Ok(text) if text.contains(ours) => Ok(Owner::Us),
        Ok(_) => Ok(Owner::Stranger),
        Err(error) if error.contains(missing) => Ok(Owner::Nobody),
        Err(error) => Err(error),
    }
}

/// The description in a manifest, in TOML or JSON.
fn description(manifest: &str) -> Option<&str> {
    let line =
        manifest.lines().find(|line| line.trim_start().trim_start_matches('"').starts_with("description"))?;
    let (_, value) = line.split_once(['=', ':'])?;
    Some(value.trim().trim_end_matches(',').trim_matches('"'))
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
