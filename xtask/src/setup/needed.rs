//! Programs of the operating system, and what a set-up says.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::{Outcome, files, process};

/// Programs with their packages.
pub(crate) struct Needed {
    pub(super) what: &'static str,
    pub(super) why: &'static str,
    /// The packages in Debian.
    pub(super) apt: &'static [&'static str],
    pub(super) programs: &'static [Program],
}

/// The variable that names a program, which tests read, too, and its names, or paths of what is not on the PATH.
pub(super) type Program = (&'static str, &'static [&'static str]);

/// The variables of programs with their paths.
pub(crate) type Programs = Vec<(&'static str, PathBuf)>;

impl Needed {
    /// Installs the programs, unless they are there; returns where they are.
    pub(crate) fn ensure(&self) -> Outcome<Programs> {
        self.ensure_that(|| Ok(self.find()?.is_some()))?;
        Ok(self.find()?.unwrap_or_default())
    }

    fn find(&self) -> Outcome<Option<Programs>> {
        self.programs.iter().map(|program| Ok(find(program)?.map(|path| (program.0, path)))).collect()
    }

    fn by_hand(&self) -> String {
        let variables = self.programs.iter().map(|(variable, _)| *variable).filter(|name| !name.is_empty());
        let named = variables.map(|name| format!(", or set {name} to the path of one"));
        format!(
            "apt-get install {}, or what other systems call it{}",
            self.apt.join(" "),
            named.collect::<String>()
        )
    }

    /// Installs the packages, unless they are there, with apt-get where that asks for no password. Elsewhere the error says how.
    pub(super) fn ensure_that(&self, is_there: impl Fn() -> Outcome<bool>) -> Outcome<()> {
        if is_there()? {
            return Ok(());
        }
        let by_hand = self.by_hand();
        let Some(prefix) = administrator().filter(|_| process::on_path("apt-get").is_some()) else {
            return Err(format!("{} is needed ({}). Install it: {by_hand}", self.what, self.why));
        };
        announce(&format!("{} (apt-get)", self.what), self.why);
        let apt_get = |arguments: &[&str]| {
            let words: Vec<&str> = prefix.iter().chain(&["apt-get"]).chain(arguments).copied().collect();
            process::run(Command::new(words[0]).args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive"))
        };
        // Several steps install at the same time, each in its own process.
        let _lock = files::lock(&env::temp_dir().join("crypto-checkout-apt.lock"))?;
        let install = [&["install", "--yes", "--quiet", "--no-install-recommends"], self.apt].concat();
        apt_get(&["update", "--quiet"])
            .and_then(|()| apt_get(&install))
            .map_err(|cause| could_not_install(self.what, &cause, &by_hand))?;
        if is_there()? {
            Ok(())
        } else {
            Err(format!("{} was installed, and is not found: {by_hand}", self.what))
        }
    }
}

/// What the variable names, or the first candidate.
pub(super) fn find((variable, candidates): &Program) -> Outcome<Option<PathBuf>> {
    let Some(named) = env::var_os(variable).filter(|value| !value.is_empty()) else {
        return Ok(candidates.iter().find_map(|candidate| process::on_path(candidate)));
    };
    let named = named.to_string_lossy();
    let path = process::on_path(&named);
    path.map(Some).ok_or_else(|| format!("{variable} is {named}, where there is no such file."))
}

/// The prefix for a command that changes the system: empty for root, `None` if it would ask for a password.
fn administrator() -> Option<&'static [&'static str]> {
    let succeeds = |command: &mut Command| process::capture(command);
    if succeeds(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0") {
        return Some(&[]);
    }
    succeeds(Command::new("sudo").args(["-n", "true"])).is_ok().then_some(&["sudo", "-n"])
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
