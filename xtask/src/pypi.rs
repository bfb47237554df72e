//! `cargo xtask python`: the client for back ends in Python, in `target/python-client`.
//!
//! ```text
//! OpenAPI document ─datamodel-codegen─> types.py ─┐
//! packaging/python ───────────────────────────────┴─build─> target/python-client/dist
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::counts::{Counts, counted};
use crate::sandbox::Sandbox;
use crate::workspace::Workspace;
use crate::{Outcome, api, files, process, setup};

const FOLDER: &str = "packaging/python";
const PACKAGE: &str = "src/crypto_checkout";
pub(crate) fn run(workspace: &Workspace) -> Outcome<()> {
    let wheel = build(workspace)?;
    println!("python: {} is ready: `twine upload` it with the archive beside it", wheel.display());
    Ok(())
}

/// Builds the source archive and, from it, the wheel; returns the wheel.
pub(crate) fn build(workspace: &Workspace) -> Outcome<PathBuf> {
    let python = setup::python_environment(workspace, &setup::PYTHON_CLIENT)?;
    let package = workspace.target.join("python-client");
    files::empty_folder(&package)?;
    let sources = workspace.root.join(FOLDER);
    files::copy_all(&sources.join(PACKAGE), &package.join(PACKAGE))?;
    files::copy(&workspace.root.join("LICENSE"), &package.join("LICENSE"))?;
    files::copy(&sources.join("README.md"), &package.join("README.md"))?;
    let manifest = files::read_text(&sources.join("pyproject.toml"))?;
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    files::write(&package.join("pyproject.toml"), manifest.replacen("version = \"0.0.0\"", &version, 1))?;

    let document = workspace.scratch().join("back-ends-python.json");
    files::write(&document, api::for_back_ends(api::document(&workspace.root)?).to_string())?;
    let types = package.join(PACKAGE).join("types.py");
    let mut generator = Command::new(&python);
    generator.args(["-W", "ignore", "-m", "datamodel_code_generator", "--input"]).arg(&document);
    process::capture(generator.arg("--output").arg(&types).current_dir(&package))?;

    let mut builder = Command::new(&python);
    process::capture(builder.args(["-m", "build", "--no-isolation"]).current_dir(&package))?;
    let name = format!("crypto_checkout-{}-py3-none-any.whl", env!("CARGO_PKG_VERSION"));
    Ok(package.join("dist").join(name))
}

/// Tests the wheel as it is installed; requires the debug build of the gateway.
pub(crate) fn test(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let wheel = build(workspace)?;
    let python = setup::python_environment(workspace, &setup::PYTHON_CLIENT)?;
    let dist = wheel.parent().expect("a wheel is in a folder");
    let archive = dist.join(format!("crypto_checkout-{}.tar.gz", env!("CARGO_PKG_VERSION")));
    let place = workspace.scratch().join("python-client-test");
    files::empty_folder(&place)?;
    let (site, tests) = (place.join("site"), place.join("tests"));
    let run = |module: &str, paths: &[&Path]| {
        let mut command = Command::new(&python);
        command.arg("-m").args(module.split(' ')).args(paths).env("MYPYPATH", &site);
        process::run(command.current_dir(&place))
    };
    run("twine check --strict", &[&wheel, &archive])?;
    run("pip install --quiet --no-index --no-deps --target", &[&site, &wheel])?;
    files::copy_all(&workspace.root.join(FOLDER).join("tests"), &tests)?;
    write_programs(&files::read_text(&workspace.root.join(FOLDER).join("README.md"))?, &tests)?;
    println!("mypy --strict");
    run("mypy --strict --python-version=3.11", &[&tests])?;
    counts.passed += 2;

    let sandbox = Sandbox::start(workspace, "python-client-sandbox")?;
    let mut tester = Command::new(&python);
    tester.arg("run.py").env("PYTHONPATH", &site).envs(sandbox.environment()?).current_dir(&tests);
    counted(&mut tester, counts)
}

/// The programs of the README, for the type checker.
fn write_programs(readme: &str, folder: &Path) -> Outcome<()> {
    for name in ["quickstart", "webhooks"] {
        let (_, program) = readme
            .split_once(&format!("```python {name}\n"))
            .ok_or_else(|| format!("{FOLDER}/README.md has no program `{name}`."))?;
        let program = program.split("```").next().unwrap_or_default();
        files::write(&folder.join(format!("readme_{name}.py")), program)?;
    }
    Ok(())
}
