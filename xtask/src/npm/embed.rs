//! The package that loads `<crypto-checkout>`, in `target/npm-embed`.
//!
//! ```text
//! npm/embed/package ── index.mjs, its types, README.md ─┬─> target/npm-embed
//!                            └─esbuild─> index.js       │
//! www/embed/types.ts ───────────────> element.d.ts ─────┘
//! ```

mod test;

pub(crate) use test::run as test;

use super::packed;
use crate::outcome::Outcome;
use crate::site::bundle::Bundler;
use crate::workspace::Workspace;
use crate::{budget, files};

/// The limit for the compressed bytes of the loader in a merchant's bundle.
const LIMIT: usize = 1_500;

/// Builds the package and checks its size.
pub(crate) fn build(workspace: &Workspace) -> Outcome<()> {
    let _lock = packed::lock(workspace)?;
    let sources = workspace.root.join("npm/embed/package");
    let bundler = Bundler::find_or_install(workspace)?;
    let loader = sources.join("index.mjs");
    let package = workspace.npm_embed();
    files::empty_folder(&package)?;
    files::copy_all(&sources, &package)?;
    files::copy(&sources.join("index.d.mts"), &package.join("index.d.ts"))?;
    files::copy(&workspace.root.join("LICENSE"), &package.join("LICENSE"))?;
    files::copy(&workspace.root.join("www/embed/types.ts"), &package.join("element.d.ts"))?;
    files::write(&package.join("index.js"), bundler.common_js(&loader)?)?;
    packed::set_version(&package)?;
    let minified = crate::site::compress::brotli(bundler.module(&loader, &[])?.as_bytes())?;
    let (row, kept) = budget::row("bytes of the npm loader of embed.js", minified.len(), LIMIT);
    print!("{row}");
    if kept { Ok(()) } else { Err("The npm loader exceeds its size budget.".to_owned()) }
}
