//! The client for back ends, in `target/npm-client`.
//!
//! ```text
//! OpenAPI document ─openapi-typescript─> api.d.ts ─┐
//! npm/client/src ──────────tsc──────────> esm, cjs ─┴─> target/npm-client
//! ```

mod test;

use std::process::Command;

pub(crate) use test::{environment, run as test};

use super::packed;
use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{api, files, process};

/// The two forms: the compiler's module, its way to find modules, the `type` of the folder's manifest.
const FORMS: &[(&str, &str, &str, &str)] =
    &[("esm", "esnext", "bundler", "module"), ("cjs", "commonjs", "node10", "commonjs")];

/// Builds the package.
pub(crate) fn build(workspace: &Workspace) -> Outcome<()> {
    let tools = api::packages(workspace)?.join("node_modules/.bin");
    let _lock = packed::lock(workspace)?;
    let sources = workspace.root.join("npm/client");
    let document = api::for_back_ends(api::document(workspace)?);
    let types = files::read(&api::typescript(workspace, "back-ends", &document)?)?;
    let package = workspace.npm_client();
    files::empty_folder(&package)?;
    // The compiler finds the written types beside the sources.
    let stage = workspace.scratch().join("npm-client-build");
    files::empty_folder(&stage.join("src"))?;
    files::copy_all(&sources.join("src"), &stage.join("src"))?;
    files::write(&stage.join("src/api.d.ts"), &types)?;
    files::write(&stage.join("tsconfig.json"), files::read(&sources.join("tsconfig.json"))?)?;
    for (folder, module, resolution, kind) in FORMS {
        let out = package.join(folder);
        let mut compiler = Command::new(tools.join("tsc"));
        compiler.args(["--project", "tsconfig.json", "--module", module, "--moduleResolution", resolution]);
        process::run(compiler.arg("--outDir").arg(&out).current_dir(&stage))?;
        files::write(&out.join("api.d.ts"), &types)?;
        files::write(&out.join("package.json"), format!("{{ \"type\": \"{kind}\" }}\n"))?;
    }
    files::copy_all(&sources.join("package"), &package)?;
    files::copy(&workspace.root.join("LICENSE"), &package.join("LICENSE"))?;
    packed::set_version(&package)
}
