//! `cargo xtask npm`: the packages for npm.
//!
//! ```text
//! npm/src ─cargo─> .wasm ─wasm-opt─> core.wasm ──────┬─> target/npm, the core
//! npm/package ─ api.js, node.js, … as they are ──────┘
//! npm/embed/package ─ index.mjs ─esbuild─> index.js ─┬─> target/npm-embed, the loader of <crypto-checkout>
//! www/embed/types.ts ─ element.d.ts ─────────────────┘
//! OpenAPI document ─openapi-typescript─> api.d.ts ───┬─> target/npm-client, the client for back ends
//! npm/client/src ─tsc─> esm, cjs ────────────────────┘
//! target/npm-client, npm/medusa/src ─tsc─> dist ───────> target/npm-medusa, the payment provider for Medusa
//! target/kit ──────────────────────────────────────────> target/npm-widget, the checkout as static files
//! ```

mod medusa;
mod test;

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
pub(crate) use medusa::test_medusa;
pub(crate) use test::{node, test};

use crate::docs::rewrite::absolute;
use crate::files::{read_all, write_all};
use crate::site::bundle::Bundler;
use crate::site::compress::{HIGHEST, brotli};
use crate::workspace::{Profile, Workspace};
use crate::{Outcome, api, files, kit, process, setup, site, size};

/// The limit for the compressed bytes that a browser loads of the core.
const CORE_BYTES: usize = 80_000;

/// The limit for the compressed bytes of the loader in a merchant's bundle.
const LOADER_BYTES: usize = 1_500;

/// The limit for the compressed bytes that a browser loads of the kit, with the texts of one language: the hosted page's, and what
/// reads settings, texts and the answers of other servers.
const KIT_BYTES: usize = 202_000;
const KIT_LANGUAGE: &str = "en-US";

/// The two forms of the client: the compiler's module, its way to find modules, the `type` of the folder's manifest.
const FORMS: &[(&str, &str, &str, &str)] =
    &[("esm", "esnext", "bundler", "module"), ("cjs", "commonjs", "node10", "commonjs")];

/// Builds all packages.
pub(crate) fn run(workspace: &Workspace) -> Outcome<()> {
    core(workspace)?;
    let _lock = workspace.lock("npm")?;
    loader(workspace)?;
    client(workspace)?;
    widget(workspace)?;
    medusa::build(workspace)?;
    for package in places(workspace) {
        println!("npm: {} is ready: `npm pack` or `npm publish` there", package.display());
    }
    Ok(())
}

/// The core, the loader, the client, the kit and the payment provider for Medusa.
fn places(workspace: &Workspace) -> [PathBuf; 5] {
    ["npm", "npm-embed", "npm-client", "npm-widget", "npm-medusa"].map(|name| workspace.target.join(name))
}

/// Builds the core and checks its size; returns its folder.
pub(crate) fn core(workspace: &Workspace) -> Outcome<PathBuf> {
    let _lock = workspace.lock("npm")?;
    let [package, ..] = places(workspace);
    println!("npm: building the core as WebAssembly, optimised for speed");
    let compiled = site::wasm::compile(workspace, "checkout-npm", "npm-release", &[])?;
    let optimised = site::wasm::optimised(workspace, &compiled, "-O3 --strip-debug --strip-producers")?;
    let wasm = files::read(&optimised)?;
    start(workspace, &workspace.root.join("npm/package"), &package)?;
    let inline = format!("export default \"{}\";\n", BASE64_STANDARD.encode(&wasm));
    files::write(&package.join("core.wasm.js"), inline)?;
    files::write(&package.join("core.wasm"), wasm)?;
    let loaded = ["api.js", "browser.js", "core.wasm"].map(|name| files::read(&package.join(name)));
    let loaded: Vec<_> = loaded.into_iter().collect::<Outcome<_>>()?;
    within("bytes of the npm package in a browser", &loaded, CORE_BYTES)?;
    Ok(package)
}

/// Starts a package with the files that are in it as they are, the licence, and the version of the workspace.
fn start(workspace: &Workspace, sources: &Path, package: &Path) -> Outcome<()> {
    files::empty_folder(package)?;
    files::copy_all(sources, package)?;
    files::copy(&workspace.root.join("LICENSE"), &package.join("LICENSE"))?;
    let manifest = files::read_text(&sources.join("package.json"))?;
    files::write(&package.join("package.json"), manifest.replace("0.0.0", env!("CARGO_PKG_VERSION")))?;
    let place = sources.strip_prefix(&workspace.root).unwrap_or(sources).join("README.md");
    let page = files::read_text(&sources.join("README.md"))?;
    let base =
        concat!("https://github.com/crypto-checkout/crypto-checkout/blob/v", env!("CARGO_PKG_VERSION"), "/");
    files::write(&package.join("README.md"), absolute(&page, &place.to_string_lossy(), base)?)
}

/// Builds the loader and checks its size.
fn loader(workspace: &Workspace) -> Outcome<()> {
    let [_, package, ..] = places(workspace);
    let sources = workspace.root.join("npm/embed/package");
    let bundler = Bundler::find_or_install(workspace)?;
    let loader = sources.join("index.mjs");
    start(workspace, &sources, &package)?;
    files::copy(&sources.join("index.d.mts"), &package.join("index.d.ts"))?;
    files::copy(&workspace.root.join("www/embed/types.ts"), &package.join("element.d.ts"))?;
    files::write(&package.join("index.js"), bundler.common_js(&loader)?)?;
    within("bytes of the npm loader of embed.js", &[bundler.module(&loader, &[])?.into_bytes()], LOADER_BYTES)
}

fn client(workspace: &Workspace) -> Outcome<()> {
    let [_, _, package, ..] = places(workspace);
    let compiler = setup::npm_packages(workspace, &setup::CLIENT)?.join("node_modules/.bin/tsc");
    let sources = workspace.root.join("npm/client");
    let document = api::for_back_ends(api::document(&workspace.root)?);
    let types = api::typescript(workspace, "back-ends", &document)?;
    start(workspace, &sources.join("package"), &package)?;
    // The compiler finds the written types beside the sources.
    let stage = workspace.scratch().join("npm-client-build");
    files::empty_folder(&stage)?;
    files::copy_all(&sources.join("src"), &stage.join("src"))?;
    files::copy(&types, &stage.join("src/api.d.ts"))?;
    files::copy(&sources.join("tsconfig.json"), &stage.join("tsconfig.json"))?;
    for (folder, module, resolution, kind) in FORMS {
        let out = package.join(folder);
        let mut tsc = Command::new(&compiler);
        tsc.args(["--project", "tsconfig.json", "--module", module, "--moduleResolution", resolution]);
        process::run(tsc.arg("--outDir").arg(&out).current_dir(&stage))?;
        files::copy(&types, &out.join("api.d.ts"))?;
        files::write(&out.join("package.json"), format!("{{ \"type\": \"{kind}\" }}\n"))?;
    }
    Ok(())
}

/// Builds the kit and checks its size.
fn widget(workspace: &Workspace) -> Outcome<()> {
    let [_, _, _, package, _] = places(workspace);
    site::build(workspace, Profile::Release)?;
    let kit = read_all(&kit::build(workspace, Profile::Release)?)?;
    start(workspace, &workspace.root.join("npm/widget/package"), &package)?;
    write_all(&package.join("page"), &kit)?;
    let is_loaded = |name: &str| {
        let is_text = name.starts_with("assets/") && name.ends_with(".json");
        let is_other_mode = name.starts_with("embed.") || name.contains("inline");
        if is_text { name.contains(KIT_LANGUAGE) } else { !is_other_mode }
    };
    let loaded: Vec<_> = kit.into_iter().filter(|(name, _)| is_loaded(name)).map(|(_, file)| file).collect();
    within("bytes of the kit in a browser", &loaded, KIT_BYTES)
}

/// Compares the compressed bytes of files with their limit.
fn within(what: &str, files: &[Vec<u8>], limit: usize) -> Outcome<()> {
    let sizes = files.iter().map(|file| Ok(brotli(file, HIGHEST)?.len()));
    size::within(what, sizes.sum::<Outcome<usize>>()?, limit)
}
