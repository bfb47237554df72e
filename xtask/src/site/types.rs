//! Writes the types of the public API and runs `tsc --noEmit` on the pages' scripts, because esbuild removes types without checking them.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::setup::page_packages;
use crate::workspace::Workspace;
use crate::{Outcome, api, files, process};

/// Checks every TypeScript file of `www/` and `sandbox/`.
pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    let packages = page_packages(workspace)?;
    let scratch = workspace.scratch();
    files::create_folder(&scratch)?;
    let api = api::typescript(workspace, "gateway-api", &api::document(&workspace.root)?)?;
    let config = scratch.join("tsconfig.json");
    let text = configuration(&workspace.root, &packages, &api).to_string();
    files::write(&config, text)?;
    process::run(Command::new(packages.join("node_modules/.bin/tsc")).arg("--project").arg(&config))
}

/// The repository's `tsconfig.json`, with the packages of the cache folder in place of `www/node_modules`.
fn configuration(root: &Path, packages: &Path, api: &Path) -> Value {
    json!({
        "extends": root.join("tsconfig.json"),
        "compilerOptions": { "paths": { "gateway-api": [api], "*": [packages.join("node_modules/*")] } },
        "include": [root.join("www"), root.join("sandbox")],
    })
}
