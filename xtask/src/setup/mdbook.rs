//! mdBook, compiled once per version into the user's cache folder, without its own server.

use std::path::PathBuf;

use super::cargo_tool::cargo_tool;
use crate::outcome::Outcome;
use crate::workspace::Workspace;

/// The program and the package.
const NAME: &str = "mdbook";
pub(crate) const VERSION: &str = "0.5.4";

pub(crate) fn mdbook(workspace: &Workspace) -> Outcome<PathBuf> {
    let features = ["--no-default-features", "--features", "search", "--locked"];
    cargo_tool(workspace, NAME, [NAME, VERSION], &features, "it builds the documentation's site")
}
