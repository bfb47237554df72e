//! Python, and programs from PyPI.

use std::path::PathBuf;
use std::process::Command;

use super::needed::{Needed, cached};
use crate::workspace::Workspace;
use crate::{Outcome, files, process};

/// Debian's Python has no venv and pip by default.
const PYTHON: Needed = Needed {
    what: "Python 3.10 or later with venv and pip",
    why: "the packages in Python are built and checked with it",
    apt: &["python3", "python3-pip", "python3-venv"],
    programs: &[],
};

/// Packages of PyPI: a name for the cache, their folder, and what they are for.
pub(crate) type Environment = (&'static str, &'static str, &'static str);

/// Generator, builder, checkers.
pub(crate) const PYTHON_CLIENT: Environment =
    ("python-client", "packaging/python", "the Python client is built and checked with it");
pub(crate) const CORE_IN_PYTHON: Environment =
    ("core-python", "bindings/python", "the wheel of the core is built with it");
pub(crate) const CONTRACT: Environment =
    ("schemathesis", "tests/contract", "the running gateway is compared with its OpenAPI document");
pub(crate) const MAIL: Environment = ("aiosmtpd", "tests/mail", "a mail server takes what the gateway sends");
pub(crate) const SHOPS_IN_PYTHON: Environment =
    ("greenfield-python", "tests/greenfield", "clients that others wrote ask the gateway as shops do");

pub(crate) const PRETIX: Environment =
    ("pretix", "packaging/pretix", "the payment provider is tested with this shop");

/// Those that `cargo xtask ci` uses; that of the core is installed by its test.
pub(crate) const TESTED_ENVIRONMENTS: [Environment; 5] =
    [PYTHON_CLIENT, CONTRACT, MAIL, SHOPS_IN_PYTHON, PRETIX];

/// Returns the interpreter of an environment with exactly the packages of `requirements.txt`, in the user's cache folder. There
/// is one environment for each content of the file. Its scripts contain a path that it has no more: `python -m` runs them.
pub(crate) fn python_environment(
    workspace: &Workspace,
    (name, project, why): &Environment,
) -> Outcome<PathBuf> {
    let requirements = workspace.root.join(project).join("requirements.txt");
    let digest = files::digest(&[files::read(&requirements)?]);
    let folder = workspace.tools.join(format!("{name}-{}", &digest[..16]));
    let by_hand = format!("pip install -r '{}' in {}", requirements.display(), folder.display());
    let folder = cached(folder, &format!("{name} (from PyPI)"), why, &by_hand, |partial| {
        let question = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
        PYTHON
            .ensure_that(|| Ok(process::capture(Command::new("python3").args(["-c", question])).is_ok()))?;
        process::capture(Command::new("python3").args(["-m", "venv"]).arg(partial))?;
        let mut pip = Command::new(partial.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
        process::capture(pip.arg(&requirements)).map(|_| ())
    })?;
    Ok(folder.join("bin/python"))
}
