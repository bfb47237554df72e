//! PostgreSQL's programs. The tests use them to start a server in a temporary folder.

use std::fs;

use super::system::Packages;
use crate::outcome::Outcome;
use crate::process;

const PACKAGES: Packages = Packages {
    what: "PostgreSQL",
    apt: &["postgresql"],
    dnf: &["postgresql-server"],
    pacman: &["postgresql"],
    brew: &["postgresql@17"],
    elsewhere: "https://www.postgresql.org/download has it for every system",
};

/// The URL of a running server. The tests read the same variable.
const VARIABLE: &str = "CHECKOUT_TEST_POSTGRES";

/// Folders that contain one folder per installed version.
const VERSIONED: [&str; 3] = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];

pub(super) fn find_or_install() -> Outcome<()> {
    if std::env::var_os(VARIABLE).is_some_and(|url| !url.is_empty()) || is_there() {
        return Ok(());
    }
    let by_hand = |command: &str| {
        format!(
            "The tests of the gateway need PostgreSQL. Install it: {command}\n\
             Or set {VARIABLE} to the URL of a server whose user may create databases."
        )
    };
    PACKAGES.install("the gateway is tested with both databases", by_hand)?;
    if is_there() { Ok(()) } else { Err(by_hand("it was installed, but there is no initdb")) }
}

fn is_there() -> bool {
    let packaged = || {
        let folders = VERSIONED.iter().filter_map(|folder| fs::read_dir(folder).ok());
        folders.flatten().flatten().any(|version| version.path().join("bin/initdb").is_file())
    };
    process::on_path("initdb").is_some() || packaged()
}
