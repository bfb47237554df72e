//! esbuild, TypeScript and the imports of the pages, in exactly the versions of `www/package-lock.json`.

use std::path::PathBuf;

use super::node;
use crate::Outcome;
use crate::workspace::Workspace;

/// Returns the folder that contains their `node_modules`.
pub(crate) fn page_packages(workspace: &Workspace) -> Outcome<PathBuf> {
    node::npm_packages("www", &workspace.root.join("www"), workspace, "esbuild bundles the pages")
}
