//! PostgreSQL's programs. The tests use them to start a server in a temporary folder.

use std::fs;

use super::browser::{administrator, apt};
use super::{PackageManager, package_manager};
use crate::{Outcome, process};

const WHAT: &str = "PostgreSQL";

/// The URL of a running server. The tests read the same variable.
const VARIABLE: &str = "CHECKOUT_TEST_POSTGRES";

/// Folders that contain one folder per installed version.
const VERSIONED: [&str; 3] = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];

pub(super) fn find_or_install() -> Outcome<()> {
    if std::env::var_os(VARIABLE).is_some_and(|url| !url.is_empty()) || is_there() {
        return Ok(());
    }
    install()?;
    if is_there() { Ok(()) } else { Err(by_hand("PostgreSQL was installed, but there is no initdb")) }
}

fn is_there() -> bool {
    let packaged = || {
        let folders = VERSIONED.iter().filter_map(|folder| fs::read_dir(folder).ok());
        folders.flatten().flatten().any(|version| version.path().join("bin/initdb").is_file())
    };
    process::on_path("initdb").is_some() || packaged()
}

fn install() -> Outcome<()> {
    match package_manager() {
        Some(PackageManager::Apt) => match administrator() {
            Some(prefix) => apt(prefix, WHAT, &["postgresql"], "the gateway is tested with both databases"),
            None => Err(by_hand("sudo apt-get install postgresql")),
        },
        Some(PackageManager::Dnf) => Err(by_hand("sudo dnf install postgresql-server")),
        Some(PackageManager::Pacman) => Err(by_hand("sudo pacman -S postgresql")),
        Some(PackageManager::Brew) => Err(by_hand("brew install postgresql@17")),
        None => Err(by_hand("no supported package manager was found")),
    }
}

fn by_hand(command: &str) -> String {
    format!(
        "The tests of the gateway need {WHAT}. Install it: {command}\n\
         Or set {VARIABLE} to the URL of a server whose user may create databases."
    )
}
