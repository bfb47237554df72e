//! `cargo xtask npm`: the npm packages: the core in `target/npm`, the loader in `target/npm-embed`, the client in
//! `target/npm-client`.
//!
//! ```text
//! npm/src ─cargo─> .wasm ─wasm-opt─> core.wasm ─┐
//! npm/package ── api.js, node.js, … as they are ┼─> target/npm
//! package.json ─ with the workspace's version ──┘
//! ```

pub(crate) mod client;
pub(crate) mod embed;
mod packed;
pub(crate) mod publish;
mod test;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
pub(crate) use test::run as test;

use crate::files;
use crate::outcome::Outcome;
use crate::site::compress;
use crate::workspace::Workspace;
use crate::{budget, setup, wasm};

/// The limit for the compressed bytes that a browser loads.
const LIMIT: usize = 80_000;
const LOADED: &[&str] = &["api.js", "browser.js", "core.wasm"];

pub(crate) fn run(workspace: &Workspace) -> Outcome<()> {
    setup::for_npm(workspace)?;
    build(workspace)?;
    embed::build(workspace)?;
    client::build(workspace)?;
    for package in [workspace.npm(), workspace.npm_embed(), workspace.npm_client()] {
        println!("npm: {} is ready: `npm pack` or `npm publish` there", package.display());
    }
    Ok(())
}

/// Builds the package and checks its size against the budget.
pub(crate) fn build(workspace: &Workspace) -> Outcome<()> {
    make(workspace)?;
    check_size(workspace)
}

pub(crate) fn make(workspace: &Workspace) -> Outcome<()> {
    files::create_folder(&workspace.scratch())?;
    let _lock = packed::lock(workspace)?;
    let package = workspace.npm();
    println!("npm: building the core as WebAssembly, optimised for speed");
    let compiled = wasm::compile(workspace, "checkout-npm", "npm-release", &[])?;
    let optimised = wasm::optimised(workspace, &compiled, &["-O3", "--strip-debug", "--strip-producers"])?;
    let wasm = files::read(&optimised)?;
    files::empty_folder(&package)?;
    let sources = workspace.root.join("npm/package");
    files::copy_all(&sources, &package)?;
    files::copy(&workspace.root.join("LICENSE"), &package.join("LICENSE"))?;
    packed::set_version(&package)?;
    let inline = format!("export default \"{}\";\n", BASE64_STANDARD.encode(&wasm));
    files::write(&package.join("core.wasm.js"), inline)?;
    files::write(&package.join("core.wasm"), wasm)
}

/// Prints the size that a browser loads, with its budget.
pub(crate) fn check_size(workspace: &Workspace) -> Outcome<()> {
    let mut sum = 0;
    for name in LOADED {
        let path = workspace.npm().join(name);
        let content = files::read(&path)?;
        sum += compress::brotli(&content)?.len();
    }
    let (row, kept) = budget::row("bytes of the npm package in a browser", sum, LIMIT);
    print!("{row}");
    if kept { Ok(()) } else { Err("The npm package exceeds its size budget.".to_owned()) }
}
