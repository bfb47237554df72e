//! Python, and programs from PyPI.

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use super::system::{Packages, announce, could_not_install};
use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{files, process};

/// Debian's Python has no venv and pip by default.
const PACKAGES: Packages = Packages {
    what: "Python with venv and pip",
    apt: &["python3", "python3-pip", "python3-venv"],
    dnf: &["python3", "python3-pip"],
    pacman: &["python", "python-pip"],
    brew: &["python"],
    elsewhere: "https://www.python.org has it for every system",
};

/// Returns the interpreter of an environment with exactly these packages, in the user's cache folder. There is one
/// environment for each content of the requirements file.
pub(crate) fn python_environment(
    name: &str,
    requirements: &Path,
    workspace: &Workspace,
    why: &str,
) -> Outcome<PathBuf> {
    let text = files::read(requirements)?;
    let hash = u64::from_be_bytes(Sha256::digest(&text)[..8].try_into().expect("a SHA-256 has 32 bytes"));
    let folder = workspace.tools.join(format!("{name}-{hash:016x}"));
    // Programs of an environment contain its path, so it cannot be renamed into place. This file is created last.
    let done = folder.join("installed");
    if !done.is_file() {
        find_or_install(why)?;
        let what = format!("{name} (from PyPI)");
        announce(&what, &format!("{why} (into {})", folder.display()));
        make(&folder, requirements).map_err(|cause| {
            let by_hand = format!(
                "python3 -m venv '{folder}' && '{folder}/bin/python' -m pip install -r '{}' && touch '{}'",
                requirements.display(),
                done.display(),
                folder = folder.display()
            );
            could_not_install(&what, &cause, &by_hand)
        })?;
        files::write(&done, "")?;
    }
    Ok(interpreter(&folder))
}

fn make(folder: &Path, requirements: &Path) -> Outcome<()> {
    process::capture(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    let mut pip = Command::new(interpreter(folder));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    process::capture(pip.arg(requirements)).map(|_| ())
}

fn interpreter(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

fn find_or_install(why: &str) -> Outcome<()> {
    if is_there() {
        return Ok(());
    }
    let by_hand = |command: &str| format!("{} is needed ({why}). Install it: {command}", PACKAGES.what);
    PACKAGES.install(why, by_hand)?;
    if is_there() { Ok(()) } else { Err(by_hand("Python 3.10 or later with venv and pip")) }
}

fn is_there() -> bool {
    let question = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    process::capture(Command::new("python3").args(["-c", question])).is_ok()
}
