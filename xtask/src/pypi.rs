//! `cargo xtask python`: the client for back ends in Python, in `target/python-client`, and the payment provider for pretix.
//!
//! ```text
//! OpenAPI document ─datamodel-codegen─> types.py ─┐
//! packaging/python ───────────────────────────────┴─build─> target/python-client/dist
//! packaging/pretix ─────────────────────────────────build─> target/python-pretix/dist
//! ```

mod pretix;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::counts::{Counts, counted};
use crate::sandbox::Sandbox;
use crate::workspace::Workspace;
use crate::{Outcome, api, files, process, setup};

pub(crate) use pretix::test as test_pretix;

const FOLDER: &str = "packaging/python";
const PACKAGE: &str = "src/crypto_checkout";
const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn run(workspace: &Workspace) -> Outcome<()> {
    let _lock = workspace.lock("python")?;
    for wheel in [build(workspace)?, pretix::build(workspace)?] {
        println!("python: {} is ready: `twine upload` it with the archive beside it", wheel.display());
    }
    Ok(())
}

/// Builds the source archive and, from it, the wheel; returns the wheel.
pub(crate) fn build(workspace: &Workspace) -> Outcome<PathBuf> {
    let package = sources(workspace, FOLDER, PACKAGE, "python-client")?;
    let document = workspace.scratch().join("back-ends-python.json");
    files::write(&document, api::for_back_ends(api::document(&workspace.root)?).to_string())?;
    let types = package.join(PACKAGE).join("types.py");
    let mut generator = module(workspace, "datamodel_code_generator --input")?;
    generator.arg(&document).arg("--output").arg(&types).env("PYTHONWARNINGS", "ignore");
    process::capture(generator.current_dir(&package))?;
    pack(workspace, &package, "crypto_checkout")
}

/// Copies what a package is built from, with the version of the workspace.
fn sources(workspace: &Workspace, folder: &str, module: &str, name: &str) -> Outcome<PathBuf> {
    let package = workspace.target.join(name);
    files::empty_folder(&package)?;
    let sources = workspace.root.join(folder);
    files::copy_all(&sources.join(module), &package.join(module))?;
    files::copy(&workspace.root.join("LICENSE"), &package.join("LICENSE"))?;
    files::copy(&sources.join("README.md"), &package.join("README.md"))?;
    let manifest = files::read_text(&sources.join("pyproject.toml"))?;
    files::write(&package.join("pyproject.toml"), manifest.replace("0.0.0", VERSION))?;
    Ok(package)
}

fn pack(workspace: &Workspace, package: &Path, name: &str) -> Outcome<PathBuf> {
    process::capture(module(workspace, "build --no-isolation")?.current_dir(package))?;
    Ok(package.join("dist").join(format!("{name}-{VERSION}-py3-none-any.whl")))
}

/// A module of the environment that builds and checks packages, with its arguments.
fn module(workspace: &Workspace, line: &str) -> Outcome<Command> {
    let mut command = Command::new(setup::python_environment(workspace, &setup::PYTHON_CLIENT)?);
    command.arg("-m").args(line.split(' '));
    Ok(command)
}

/// Checks wheels and the archives beside them as the registry does, and installs them into a new folder; returns where Python finds them.
pub(crate) fn install(workspace: &Workspace, place: &Path, wheels: &[&Path]) -> Outcome<PathBuf> {
    files::empty_folder(place)?;
    let site = place.join("site");
    let published = wheels.iter().filter_map(|wheel| wheel.parent()).map(files::entries);
    let published = published.collect::<Outcome<Vec<_>>>()?.concat();
    process::run(module(workspace, "twine check --strict")?.args(published).current_dir(place))?;
    let mut pip = module(workspace, "pip install --quiet --no-index --no-deps --target")?;
    process::run(pip.arg(&site).args(wheels).current_dir(place))?;
    Ok(site)
}

/// Tests the wheel as it is installed; requires the debug build of the gateway.
pub(crate) fn test(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let lock = workspace.lock("python")?;
    let wheel = build(workspace)?;
    let place = workspace.scratch().join("python-client-test");
    let site = install(workspace, &place, &[&wheel])?;
    let tests = place.join("tests");
    drop(lock);
    files::copy_all(&workspace.root.join(FOLDER).join("tests"), &tests)?;
    write_programs(&files::read_text(&workspace.root.join(FOLDER).join("README.md"))?, &tests)?;
    println!("mypy --strict");
    let mut mypy = module(workspace, "mypy --strict --python-version=3.11")?;
    process::run(mypy.arg(&tests).env("MYPYPATH", &site).current_dir(&place))?;
    counts.passed += 2;

    let sandbox = Sandbox::start(workspace, "python-client-sandbox")?;
    let mut tester = Command::new(setup::python_environment(workspace, &setup::PYTHON_CLIENT)?);
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
