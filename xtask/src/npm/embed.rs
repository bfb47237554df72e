//! The package that loads `<crypto-checkout>`, in `target/npm-embed`.
//!
//! ```text
//! npm/embed/package ── index.mjs, its types, README.md ─┬─> target/npm-embed
//!                            └─esbuild─> index.js       │
//! www/embed/types.ts ───────────────> element.d.ts ─────┘
//! ```

mod test;

use std::path::PathBuf;

pub(crate) use test::run as test;

use super::packed;
use crate::outcome::Outcome;
use crate::site::bundle::Bundler;
use crate::workspace::Workspace;
use crate::{budget, files};

/// The limit for the compressed bytes of the loader in a merchant's bundle.
const LIMIT: usize = 1_500;

const README: &str = "README.md";
const LOADER: &str = "index.mjs";
const TYPES: &str = "index.d.mts";

/// Builds the package and checks its size.
pub(crate) fn build(workspace: &Workspace) -> Outcome<()> {
    let _lock = packed::lock(workspace)?;
    let sources = workspace.root.join("npm/embed/package");
    let read = |path: PathBuf| files::read(&path);
    let bundler = Bundler::find_or_install(workspace)?;
    let manifest = read(sources.join("package.json"))?;
    let manifest = packed::with_version(&String::from_utf8_lossy(&manifest), env!("CARGO_PKG_VERSION"))?;
    let types = read(sources.join(TYPES))?;
    let loader = sources.join(LOADER);
    let content = [
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
    let package = workspace.npm_embed();
    files::empty_folder(&package)?;
    for (name, content) in content {
        files::write(&package.join(name), content)?;
    }
    let minified = crate::site::compress::brotli(bundler.module(&loader, &[])?.as_bytes())?;
    let (row, kept) = budget::row("bytes of the npm loader of embed.js", minified.len(), LIMIT);
    print!("{row}");
    if kept { Ok(()) } else { Err("The npm loader exceeds its size budget.".to_owned()) }
}
