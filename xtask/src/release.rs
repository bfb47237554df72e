//! `cargo xtask release`: the steps of a release that need no hosting service, in the order of `.github/workflows/release.yml`.
//!
//! ```text
//! binary --target T ─> dist/checkout-<version>-T.tar.gz ─┬─> image: from scratch, of the musl archives
//! sbom ──────────────> dist/checkout-<version>*.cdx.json ─┴─> sha256sum: dist/SHA256SUMS
//! notes ─────────────> notes.md
//! ```

mod binary;
mod image;
mod notes;
mod sbom;

use std::path::PathBuf;

use crate::flags::{self, ReleaseCmd};
use crate::workspace::Workspace;
use crate::{Outcome, api};

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn run(workspace: &Workspace, flags: &flags::Release) -> Outcome<()> {
    match &flags.subcommand {
        ReleaseCmd::Api(_) => api::compatible::write(workspace),
        ReleaseCmd::Binary(flags) => binary::run(workspace, &flags.target),
        ReleaseCmd::Image(_) => image::run(workspace),
        ReleaseCmd::Sbom(_) => sbom::run(workspace),
        ReleaseCmd::Notes(flags) => notes::run(workspace, &flags.tag, &flags.repository),
    }
}

/// The folder of the files that a release has.
fn dist(workspace: &Workspace) -> PathBuf {
    workspace.target.join("dist")
}
