//! Checks that all Rust files are formatted.

use std::process::Command;

use crate::outcome::Outcome;
use crate::workspace::{BENCHMARKS, BINDINGS, FUZZ_TARGETS, ORACLES, Workspace};
use crate::{files, process};

/// Checks this workspace and the separate workspaces of the repository, which cargo does not include.
pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    let others = [ORACLES, BENCHMARKS, FUZZ_TARGETS];
    let check_one = |manifest: &str, all: &[&str]| {
        let mut cargo = workspace.cargo();
        cargo.args(["fmt", "--check", "--manifest-path"]).arg(workspace.root.join(manifest)).args(all);
        process::run(&mut cargo).map_err(|sentence| {
            format!(
                "{sentence} `cargo fmt --manifest-path {manifest}{}` formats it.",
                if all.is_empty() { "" } else { " --all" }
            )
        })
    };
    check_one("Cargo.toml", &["--all"])?;
    check_one(BINDINGS, &["--all"])?;
    languages(workspace)?;
    others.into_iter().try_for_each(|manifest| check_one(manifest, &[]))
}

/// A macro declares these files, not the folders beside them, so that `cargo fmt` does not find them.
fn languages(workspace: &Workspace) -> Outcome<()> {
    let folder = workspace.root.join("widget/src/words");
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024"]).current_dir(&workspace.root);
    rustfmt.args(files::entries(&folder)?.iter().filter(|path| path.is_file()));
    process::run(&mut rustfmt)
        .map_err(|sentence| format!("{sentence} `rustfmt --edition 2024 widget/src/words/*.rs` formats it."))
}
