//! The core in other languages: the C library, the Python wheel and the PHP package for this platform, each asked all vectors. They
//! stay in `target/core-c`, `target/core-python` and `target/core-php`, as they are published.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::counts::{Counts, counted};
use crate::workspace::{BINDINGS, Workspace};
use crate::{Outcome, files, lint, process, pypi, setup};

pub(crate) fn check(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    setup::PHP.ensure()?;
    // Source paths are shortened, so that no package names a folder of this machine.
    let flags = workspace.rustflags("'cfg(all())'", &[]);
    let (c, php) = libraries(workspace, &flags)?;
    let (python, site) = wheel(workspace, &flags)?;
    counts.passed += 1;
    lint::clippy_in(workspace, BINDINGS)?;
    let mut tests = workspace.cargo_of(BINDINGS, "test");
    tests.args(["--package", "crypto-checkout-answers"]);
    tests.env("CHECKOUT_C", c).env("CHECKOUT_PHP", php).env("CHECKOUT_PYTHON", python);
    counted(tests.env("PYTHONPATH", site), counts)
}

/// Builds the C library; returns the folders of its package and of the one for PHP.
fn libraries(workspace: &Workspace, flags: &str) -> Outcome<(PathBuf, PathBuf)> {
    let release = ["--release", "--package", "crypto-checkout-c", "--config", flags];
    process::run(workspace.cargo_of(BINDINGS, "build").args(release))?;
    let (c, php) = (workspace.target.join("core-c"), workspace.target.join("core-php"));
    let bindings = workspace.root.join("bindings");
    let built = workspace.target.join("release");
    let platform = format!("lib/{}-{}.so", env::consts::OS, env::consts::ARCH);
    files::empty_folder(&c)?;
    files::empty_folder(&php)?;
    files::copy_all(&bindings.join("c/include"), &c)?;
    files::copy_all(&bindings.join("php"), &php)?;
    files::copy_all(&bindings.join("php/src"), &php.join("src"))?;
    for (from, to) in [
        (bindings.join("c/README.md"), c.join("README.md")),
        (built.join("libcrypto_checkout.so"), c.join("libcrypto_checkout.so")),
        (built.join("libcrypto_checkout.a"), c.join("libcrypto_checkout.a")),
        (built.join("libcrypto_checkout.so"), php.join(platform)),
        (workspace.root.join("LICENSE"), c.join("LICENSE")),
        (workspace.root.join("LICENSE"), php.join("LICENSE")),
    ] {
        files::write(&to, files::read(&from)?)?;
    }
    Ok((c, php))
}

/// Builds the wheel, checks what a registry would, and installs it; returns the interpreter and the folder that has it.
fn wheel(workspace: &Workspace, flags: &str) -> Outcome<(PathBuf, PathBuf)> {
    let folder = workspace.root.join("bindings/python");
    let python = setup::python_environment(workspace, &setup::CORE_IN_PYTHON)?;
    let place = workspace.target.join("core-python");
    files::empty_folder(&place)?;
    let mut maturin = Command::new(&python);
    maturin.args(["-m", "maturin", "build", "--release", "--config", flags, "--out"]);
    maturin.arg(&place).current_dir(&folder);
    process::run(maturin.env("CARGO_TARGET_DIR", &workspace.target))?;
    let wheel = files::entries(&place)?.pop().ok_or("maturin built no wheel.")?;
    let site = pypi::install(workspace, &workspace.scratch().join("core-python"), &[&wheel])?;
    Ok((python, site))
}
