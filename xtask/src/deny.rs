//! `cargo deny`: checks licences, sources and unwanted crates by the rules of deny.toml, and known vulnerabilities wherever
//! the advisory database can be fetched.

use std::process::Command;

use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{process, setup};

pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    let tool = setup::cargo_deny(workspace)?;
    let deny = || {
        let mut deny = Command::new(&tool);
        deny.current_dir(&workspace.root);
        deny
    };
    let mut checks = vec!["bans", "licenses", "sources"];
    match process::capture(deny().args(["fetch", "db"])) {
        Ok(_) => checks.push("advisories"),
        Err(cause) => {
            println!("NOT CHECKED: known vulnerabilities; the advisory database cannot be fetched: {cause}");
        }
    }
    process::run(deny().args(["--workspace", "check"]).args(checks))
}
