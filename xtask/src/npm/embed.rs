//! The package that loads `<crypto-checkout>`, in `target/npm-embed`.
//!
//! ```text
//! npm/embed/package ── index.mjs, its types, README.md ─┬─> target/npm-embed
//!                            └─esbuild─> index.js       │
//! www/embed/types.ts ───────────────> element.d.ts ─────┘
//! ```

mod test;

use std::fs;
use std::path::PathBuf;

pub(crate) use test::run as test;

use super::lock;
use crate::site::bundle::Bundler;
use crate::workspace::Workspace;
use crate::{Outcome, budget};

/// The limit for the compressed bytes of the loader in a merchant's bundle.
const LIMIT: usize = 1_500;

const README: &str = "README.md";
const LOADER: &str = "index.mjs";
const TYPES: &str = "index.d.mts";

pub(crate) fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target.join("npm-embed")
}

/// Builds the package and checks its size.
pub(crate) fn build(workspace: &Workspace) -> Outcome<()> {
    let _lock = lock(workspace)?;
    let sources = workspace.root.join("npm/embed/package");
    let read = |path: PathBuf| fs::read(&path).map_err(|error| format!("{}: {error}.", path.display()));
    let bundler = Bundler::find_or_install(workspace)?;
    let manifest = read(sources.join("package.json"))?;
    let manifest = super::with_version(&String::from_utf8_lossy(&manifest), env!("CARGO_PKG_VERSION"))?;
    let types = read(sources.join(TYPES))?;
    let loader = sources.join(LOADER);
    let files = [
        ("package.json", manifest.into_bytes()),
        ("LICENSE", read(workspace.root.join("LICENSE"))?),
        (README, read(sources.join(README))?),
        ("react.d.ts", read(sources.join("react.d.ts"))?),
        ("element.d.ts", read(workspace.root.join("www/embed/types.ts"))?),
        ("index.d.ts", types.clone()),
        (TYPES, types),
        ("index.js", bundler.common_js(&loader)?.into_bytes()),
        (LOADER, read(loader.clone())?),
    ];
    let package = folder(workspace);
    let fault = |error: std::io::Error| format!("{}: {error}.", package.display());
    if package.exists() {
        fs::remove_dir_all(&package).map_err(fault)?;
    }
    fs::create_dir_all(&package).map_err(fault)?;
    for (name, content) in files {
        fs::write(package.join(name), content).map_err(fault)?;
    }
    let minified = crate::site::compress::brotli(bundler.module(&loader, &[])?.as_bytes())?;
    let (row, kept) = budget::row("bytes of the npm loader of embed.js", minified.len(), LIMIT);
    print!("{row}");
    if kept { Ok(()) } else { Err("The npm loader exceeds its size budget.".to_owned()) }
}
