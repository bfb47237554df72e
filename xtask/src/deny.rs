//! `cargo deny`: checks licences, sources and unwanted crates by the rules of deny.toml, and known vulnerabilities wherever
//! the advisory database can be fetched.

use crate::outcome::Outcome;
use crate::process;
use crate::workspace::Workspace;

const VERSION: &str = "0.20.2";

pub(crate) fn check(workspace: &Workspace) -> Outcome<()> {
    if process::on_path("cargo-deny").is_none() {
        println!(
            "cargo-deny is not installed, so licences and sources are not checked. `cargo install --locked cargo-deny@{VERSION}` installs it in a few minutes."
        );
        return Ok(());
    }
    let mut checks = vec!["bans", "licenses", "sources"];
    match process::capture(workspace.cargo().args(["deny", "fetch", "db"])) {
        Ok(_) => checks.push("advisories"),
        Err(cause) => {
            println!("The advisory database cannot be fetched, so vulnerabilities are not checked: {cause}");
        }
    }
    process::run(workspace.cargo().args(["deny", "--workspace", "check"]).args(checks))
}
