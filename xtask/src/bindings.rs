//! The core in other languages: the C library, the Python wheel and the PHP package, each asked all vectors.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::counts::{Counts, counted};
use crate::outcome::Outcome;
use crate::workspace::{BINDINGS, Workspace};
use crate::{files, process, pypi, setup};

pub(crate) fn check(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    setup::php()?;
    let release = ["--release", "--package", "crypto-checkout-c"];
    process::run(workspace.cargo_of(BINDINGS, "build").args(release))?;
    let (python, site) = wheel(workspace)?;
    counts.passed += 1;
    process::run(workspace.cargo_of(BINDINGS, "clippy").args([
        "--workspace",
        "--all-targets",
        "--",
        "--deny",
        "warnings",
    ]))?;
    let mut tests = workspace.cargo_of(BINDINGS, "test");
    tests.args(["--package", "crypto-checkout-answers"]);
    tests.env("CHECKOUT_C_LIBRARY", workspace.target.join("release")).env("CHECKOUT_PYTHON", python);
    counted(tests.env("PYTHONPATH", site), counts)
}

/// Builds the wheel, checks what a registry would, and installs it; returns the interpreter and the folder that has it.
fn wheel(workspace: &Workspace) -> Outcome<(PathBuf, PathBuf)> {
    let folder = workspace.root.join("bindings/python");
    let why = "the wheel of the core is built with it";
    let python = setup::python_environment("core-python", &folder.join("requirements.txt"), workspace, why)?;
    let place = workspace.target.join("core-python");
    files::empty_folder(&place)?;
    let mut maturin = Command::new(&python);
    maturin.args(["-m", "maturin", "build", "--release", "--out"]).arg(&place).current_dir(&folder);
    process::run(maturin.env("CARGO_TARGET_DIR", &workspace.target))?;
    let mut built = fs::read_dir(&place).map_err(files::fault(&place))?;
    let wheel = built.next().ok_or("maturin built no wheel.")?.map_err(files::fault(&place))?.path();
    let mut twine = Command::new(pypi::tools(workspace)?);
    process::run(twine.args(["-m", "twine", "check", "--strict"]).arg(&wheel))?;
    let site = workspace.scratch().join("core-python");
    files::empty_folder(&site)?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target"])
        .arg(&site)
        .arg(&wheel);
    process::run(&mut pip)?;
    Ok((python, site))
}
