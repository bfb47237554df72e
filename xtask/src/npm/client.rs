//! The client for back ends, in `target/npm-client`.
//!
//! ```text
//! OpenAPI document ─openapi-typescript─> api.d.ts ─┐
//! npm/client/src ──────────tsc──────────> esm, cjs ─┴─> target/npm-client
//! ```

mod test;

use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use test::{environment, run as test};

use super::packed;
use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{api, files, process, setup};

const README: &str = "README.md";

/// The two forms: the compiler's module, its way to find modules, the `type` of the folder's manifest.
const FORMS: &[(&str, &str, &str, &str)] =
    &[("esm", "esnext", "bundler", "module"), ("cjs", "commonjs", "node10", "commonjs")];

/// The compiler and the generator of npm/client/package.json.
pub(crate) fn packages(workspace: &Workspace) -> Outcome<PathBuf> {
    let why = "the client for back ends is built with it";
    setup::npm_packages("npm-client", &workspace.root.join("npm/client"), workspace, why)
}

/// Builds the package.
pub(crate) fn build(workspace: &Workspace) -> Outcome<()> {
    let tools = packages(workspace)?.join("node_modules/.bin");
    let _lock = packed::lock(workspace)?;
    let sources = workspace.root.join("npm/client");
    let types = types(workspace, &tools)?;
    let package = workspace.npm_client();
    files::empty_folder(&package)?;
    // The compiler finds the written types beside the sources.
    let stage = workspace.scratch().join("npm-client-build");
    files::empty_folder(&stage.join("src"))?;
    packed::copy(&sources.join("src"), &stage.join("src"))?;
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
    let manifest = files::read_text(&sources.join("package/package.json"))?;
    files::write(&package.join("package.json"), packed::with_version(&manifest, env!("CARGO_PKG_VERSION"))?)?;
    files::write(&package.join("LICENSE"), files::read(&workspace.root.join("LICENSE"))?)?;
    files::write(&package.join(README), files::read(&sources.join("package").join(README))?)
}

/// The types of the API, from its OpenAPI document.
fn types(workspace: &Workspace, tools: &Path) -> Outcome<Vec<u8>> {
    let document = workspace.scratch().join("back-ends.json");
    files::write(&document, api::for_back_ends(api::document(workspace)?).to_string())?;
    let types = workspace.scratch().join("back-ends.d.ts");
    let mut generator = Command::new(tools.join("openapi-typescript"));
    generator.arg(&document).args(["--root-types", "--root-types-no-schema-prefix", "--output"]);
    process::capture(generator.arg(&types).current_dir(workspace.scratch()))?;
    files::read(&types)
}
