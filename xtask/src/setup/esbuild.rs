//! esbuild, TypeScript and what the pages import, of exactly the versions that `www/package-lock.json` has.

use std::path::PathBuf;

use super::node;
use crate::Outcome;
use crate::workspace::Workspace;

/// The folder that holds their `node_modules`.
pub(crate) fn page_packages(workspace: &Workspace) -> Outcome<PathBuf> {
    node::npm_packages("www", &workspace.root.join("www"), workspace, "esbuild bundles the pages")
}
