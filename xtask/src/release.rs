//! `cargo xtask release`: the steps of a release that need no hosting service, in the order of `.github/workflows/release.yml`.
//!
//! ```text
//! binary --target T ─> dist/checkout-<version>-T.tar.gz ─┬─> image: from scratch, of the musl archives
//! sbom ──────────────> dist/checkout-<version>*.cdx.json ─┴─> checksums ─> dist/SHA256SUMS
//! notes ─────────────> notes.md
//! ```

mod archive;
mod binary;
mod image;
mod notes;
mod sbom;

use std::path::{Path, PathBuf};

use crate::flags::{self, ReleaseCmd};
use crate::folder::{read_all, sums};
use crate::workspace::Workspace;
use crate::{Outcome, api, files};

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn run(workspace: &Workspace, flags: &flags::Release) -> Outcome<()> {
    match &flags.subcommand {
        ReleaseCmd::Api(_) => api::compatible::write(workspace),
        ReleaseCmd::Binary(flags) => binary::run(workspace, &flags.target),
        ReleaseCmd::Image(_) => image::run(workspace),
        ReleaseCmd::Sbom(_) => sbom::run(workspace),
        ReleaseCmd::Checksums(_) => checksums(&dist(workspace)),
        ReleaseCmd::Notes(flags) => notes::run(workspace, &flags.tag, &flags.repository),
    }
}

/// The folder of the files that a release has.
fn dist(workspace: &Workspace) -> PathBuf {
    workspace.target.join("dist")
}

/// Writes the digests of what is there.
fn checksums(dist: &Path) -> Outcome<()> {
    const NAME: &str = "SHA256SUMS";
    let mut content = read_all(dist)?;
    content.remove(NAME);
    if content.is_empty() {
        return Err(format!("{} has no file.", dist.display()));
    }
    let sums = sums(&content);
    print!("{sums}");
    files::write(&dist.join(NAME), sums)
}
