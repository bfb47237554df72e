//! Writes the types of the public API and runs `tsc --noEmit` on the pages' scripts, because esbuild removes types without checking them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::{fault, model};
use crate::workspace::Workspace;
use crate::{Outcome, process, setup};

/// Checks every TypeScript file of `www/` and `sandbox/`.
pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    let packages = setup::page_packages(workspace)?;
    let scratch = workspace.scratch();
    fs::create_dir_all(&scratch).map_err(|error| fault(&scratch, &error))?;
    let document = workspace.root.join(model::DOCUMENT);
    let text = fs::read(&document).map_err(|error| fault(&document, &error))?;
    let text = serde_json::from_slice(&text).map_err(|error| format!("{}: {error}.", document.display()))?;
    let api = scratch.join("gateway-api.d.ts");
    fs::write(&api, model::types(&text)).map_err(|error| fault(&api, &error))?;
    let config = scratch.join("tsconfig.json");
    let text = configuration(&workspace.root, &packages, &api).to_string();
    fs::write(&config, text).map_err(|error| fault(&config, &error))?;
    process::run(Command::new(packages.join("node_modules/.bin/tsc")).arg("--project").arg(&config))
}

/// The repository's `tsconfig.json`, with the packages of the cache folder in place of `www/node_modules`.
fn configuration(root: &Path, packages: &Path, api: &Path) -> Value {
    json!({
        "extends": root.join("tsconfig.json"),
        "compilerOptions": { "paths": { "*": [packages.join("node_modules/*")] } },
        "include": [root.join("www"), root.join("sandbox"), api],
    })
}
