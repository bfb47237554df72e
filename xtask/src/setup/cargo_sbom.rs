//! cargo-sbom, compiled once per version into the user's cache folder.

use std::path::PathBuf;

use super::cargo_tool::cargo_tool;
use crate::outcome::Outcome;
use crate::workspace::Workspace;

const NAME: &str = "cargo-sbom";
const VERSION: &str = "0.10.0";

pub(crate) fn cargo_sbom(workspace: &Workspace) -> Outcome<PathBuf> {
    cargo_tool(
        workspace,
        NAME,
        [NAME, VERSION],
        &["--locked"],
        "it writes the bill of materials of a release",
    )
}
