//! Packages of the operating system, and what a set-up says.

use std::process::Command;

use crate::outcome::Outcome;
use crate::{files, process};

/// The names of a program's packages; none where a package manager lacks it.
pub(super) struct Packages {
    pub(super) what: &'static str,
    pub(super) apt: &'static [&'static str],
    pub(super) dnf: &'static [&'static str],
    pub(super) pacman: &'static [&'static str],
    pub(super) brew: &'static [&'static str],
    /// The advice on other systems.
    pub(super) elsewhere: &'static str,
}

impl Packages {
    /// Packages that are only known by their names in Debian.
    pub(super) const fn of_debian(
        what: &'static str,
        apt: &'static [&'static str],
        elsewhere: &'static str,
    ) -> Self {
        Self { what, apt, dnf: &[], pacman: &[], brew: &[], elsewhere }
    }

    /// Installs them with apt-get where that asks for no password. Elsewhere the error is `by_hand` of the command.
    pub(super) fn install(&self, why: &str, by_hand: impl Fn(&str) -> String) -> Outcome<()> {
        match administrator().filter(|_| process::on_path("apt-get").is_some()) {
            Some(prefix) => self.install_with_apt(prefix, why),
            None => Err(by_hand(&self.command())),
        }
    }

    /// The command for the package manager of this system.
    pub(super) fn command(&self) -> String {
        let managers = [
            ("apt-get", "sudo apt-get install", self.apt),
            ("dnf", "sudo dnf install", self.dnf),
            ("pacman", "sudo pacman -S --needed", self.pacman),
            ("brew", "brew install", self.brew),
        ];
        let found = managers.into_iter().find(|(program, ..)| process::on_path(program).is_some());
        match found {
            Some((_, command, packages @ [_, ..])) => format!("{command} {}", packages.join(" ")),
            _ => self.elsewhere.to_owned(),
        }
    }

    fn install_with_apt(&self, prefix: &[&str], why: &str) -> Outcome<()> {
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
            .map_err(|cause| could_not_install(self.what, &cause, &self.command()))
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
