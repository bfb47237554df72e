//! anvil, an Ethereum node with its own chain, for the tests of the chain adapter.

use std::path::PathBuf;

use super::node::{find_or_install, npm_tool};
use crate::files;
use crate::outcome::Outcome;
use crate::workspace::Workspace;

/// The program with which tests start their nodes.
pub(crate) const VARIABLE: &str = "CHECKOUT_ANVIL";

const PACKAGE: &str = "@foundry-rs/anvil";
const VERSION: &str = "1.7.1";

/// Installs anvil, or uses the one set by the variable.
pub(crate) fn anvil(workspace: &Workspace) -> Outcome<PathBuf> {
    if let Some(path) = std::env::var_os(VARIABLE) {
        return Ok(path.into());
    }
    let why = "the Ethereum adapter is tested with it";
    find_or_install(why)?;
    let package = npm_tool(workspace, PACKAGE, VERSION, why)?;
    // The package is a script that starts a binary from a platform package.
    let folder = package.parent().expect("the package is in a folder");
    let entries = std::fs::read_dir(folder).map_err(files::fault(folder))?;
    let programs = entries
        .flatten()
        .flat_map(|entry| ["anvil", "anvil.exe"].map(|name| entry.path().join("bin").join(name)));
    programs
        .filter(|path| path.parent().and_then(|bin| bin.parent()) != Some(package.as_path()))
        .find(|path| path.is_file())
        .ok_or_else(|| {
            format!("{PACKAGE} {VERSION} has no binary for this system. Set {VARIABLE} to the path of anvil.")
        })
}
