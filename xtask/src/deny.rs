//! `cargo deny`: checks licences, sources and unwanted crates by the rules of deny.toml. The hosted workflow, which can
//! fetch the advisory database, checks for known vulnerabilities.

use crate::workspace::Workspace;
use crate::{Outcome, process};

const VERSION: &str = "0.20.2";

pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    if process::on_path("cargo-deny").is_none() {
        println!(
            "cargo-deny is not installed, so licences and sources are not checked. `cargo install --locked cargo-deny@{VERSION}` installs it in a few minutes."
        );
        return Ok(());
    }
    process::run(workspace.cargo().args(["deny", "--workspace", "check", "bans", "licenses", "sources"]))
}
