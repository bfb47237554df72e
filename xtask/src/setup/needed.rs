//! Programs of the operating system, and what a set-up says.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
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
pub(crate) type Programs = BTreeMap<&'static str, PathBuf>;

impl Needed {
    /// Installs the programs, unless they are there; returns where they are.
    pub(crate) fn ensure(&self) -> Outcome<Programs> {
        self.ensure_that(|| Ok(self.find()?.is_some()))?;
        Ok(self.find()?.unwrap_or_default())
    }

    fn find(&self) -> Outcome<Option<Programs>> {
        self.programs.iter().map(|program| Ok(find(program)?.map(|path| (program.0, path)))).collect()
    }

    /// Installs the packages, unless they are there, with apt-get where that asks for no password. Elsewhere the error says how.
    pub(super) fn ensure_that(&self, is_there: impl Fn() -> Outcome<bool>) -> Outcome<()> {
        let Self { what, why, apt, programs } = self;
        let variables = programs.iter().map(|(variable, _)| *variable).filter(|name| !name.is_empty());
        let named: String = variables.map(|name| [", or set ", name, " to its path"].concat()).collect();
        let packages = apt.join(" ");
        let by_hand = format!("apt-get install {packages}, or what other systems call it{named}");
        if is_there()? {
            return Ok(());
        }
        // Several steps do so at the same time, each in its own process: of two that run apt-get at once, one would fail.
        let _lock = files::lock(&env::temp_dir().join("crypto-checkout-apt-get.lock"))?;
        if is_there()? {
            return Ok(());
        }
        announce(what, why);
        apt_get(&packages).map_err(|cause| could_not_install(what, &cause, &by_hand))?;
        if is_there()? { Ok(()) } else { Err(format!("{what} was installed, and is not found: {by_hand}")) }
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

fn apt_get(packages: &str) -> Outcome<()> {
    let prefix = administrator().ok_or("There is no sudo that asks for no password.")?;
    let run = |arguments: &str| {
        let line = format!("{prefix}env DEBIAN_FRONTEND=noninteractive apt-get {arguments} --quiet");
        let (program, words) = line.split_once(' ').expect("a program with its arguments");
        process::run(Command::new(program).args(words.split(' ')))
    };
    run("update")?;
    run(&format!("install --yes --no-install-recommends {packages}"))
}

/// The prefix for a command that changes the system: empty for root, `None` if it would ask for a password.
fn administrator() -> Option<&'static str> {
    let is_root = process::capture(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let sudo = || process::capture(Command::new("sudo").args(["-n", "true"])).ok().map(|_| "sudo -n ");
    if is_root { Some("") } else { sudo() }
}

/// Returns a folder of the user's cache that was made once, as a whole: what was interrupted does not count as made.
pub(super) fn cached(
    folder: PathBuf,
    what: &str,
    why: &str,
    by_hand: &str,
    make: impl FnOnce(&Path) -> Outcome<()>,
) -> Outcome<PathBuf> {
    let _lock = files::lock(&folder.with_extension("lock"))?;
    if !folder.is_dir() {
        announce(what, why);
        let partial = folder.with_extension("partial");
        files::empty_folder(&partial)?;
        make(&partial).map_err(|cause| could_not_install(what, &cause, by_hand))?;
        files::rename(&partial, &folder)?;
    }
    Ok(folder)
}

/// Prints one line before anything is changed on the machine.
fn announce(what: &str, why: &str) {
    println!("setup: installing {what}: {why}");
}

/// The error message when something could not be installed, with the command to do it by hand.
fn could_not_install(what: &str, cause: &str, by_hand: &str) -> String {
    format!(
        "{what} could not be installed.\n{cause}\n\
         If this machine is offline, connect it and run the same command again; what is already installed is kept.\n\
         To install it by hand: {by_hand}"
    )
}
