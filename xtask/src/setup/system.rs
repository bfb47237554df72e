//! Packages of the operating system, and what a set-up says.

use std::process::Command;

use crate::{Outcome, files, process};

/// A program of the operating system.
pub(super) struct Packages {
    pub(super) what: &'static str,
    /// Its packages in Debian.
    pub(super) apt: &'static [&'static str],
    /// The advice on other systems.
    pub(super) elsewhere: &'static str,
}

impl Packages {
    /// Installs them, unless they are there, with apt-get where that asks for no password. Elsewhere the error says how.
    pub(super) fn ensure(&self, why: &str, is_there: impl Fn() -> bool) -> Outcome<()> {
        if is_there() {
            return Ok(());
        }
        match administrator().filter(|_| process::on_path("apt-get").is_some()) {
            Some(prefix) => self.install(prefix, why)?,
            None => return Err(format!("{} is needed ({why}). Install it: {}", self.what, self.by_hand())),
        }
        let found = is_there().then_some(());
        found.ok_or_else(|| format!("{} was installed, and is not found: {}", self.what, self.by_hand()))
    }

    fn by_hand(&self) -> String {
        format!("apt-get install {}, or {}", self.apt.join(" "), self.elsewhere)
    }

    fn install(&self, prefix: &[&str], why: &str) -> Outcome<()> {
        announce(&format!("{} (apt-get)", self.what), why);
        let apt_get = |arguments: &[&str]| {
            let words: Vec<&str> = prefix.iter().chain(&["apt-get"]).chain(arguments).copied().collect();
            process::run(Command::new(words[0]).args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive"))
        };
        // Several steps install at the same time, each in its own process.
        let _lock = files::lock(&std::env::temp_dir().join("crypto-checkout-apt.lock"))?;
        let install = [&["install", "--yes", "--quiet", "--no-install-recommends"], self.apt].concat();
        apt_get(&["update", "--quiet"])
            .and_then(|()| apt_get(&install))
            .map_err(|cause| could_not_install(self.what, &cause, &self.by_hand()))
    }
}

/// The prefix for a command that changes the system: empty for root, `None` if it would ask for a password.
fn administrator() -> Option<&'static [&'static str]> {
    let root = process::capture(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if root {
        Some(&[])
    } else if process::capture(Command::new("sudo").args(["-n", "true"])).is_ok() {
        Some(&["sudo", "-n"])
    } else {
        None
    }
}

/// Prints one line before anything is changed on the machine.
pub(super) fn announce(what: &str, why: &str) {
    println!("setup: installing {what}: {why}");
}

/// The error message when something could not be installed, with the command to do it by hand.
pub(super) fn could_not_install(what: &str, cause: &str, by_hand: &str) -> String {
    format!(
        "{what} could not be installed.\n{cause}\n\
         If this machine is offline, connect it and run the same command again; what is already installed is kept.\n\
         To install it by hand: {by_hand}"
    )
}
