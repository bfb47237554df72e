//! Compiles a package to WebAssembly, and optimises the module.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::rustflags::rustflags;
use crate::site::engines::WASM_FEATURES;
use crate::workspace::Workspace;
use crate::{Outcome, files, process, setup};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Returns the path of the module.
pub(crate) fn compile(
    workspace: &Workspace,
    package: &str,
    profile: &str,
    rustc: &[&str],
) -> Outcome<PathBuf> {
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--lib", "--package", package, "--target", TARGET, "--profile", profile]);
    process::run(cargo.args(["--config", &rustflags(&workspace.root, TARGET, rustc)]))?;
    let name = package.replace('-', "_") + ".wasm";
    Ok(workspace.target.join(TARGET).join(profile).join(name))
}

/// The module after wasm-opt, which takes some seconds: kept under a name that says what it was made from.
pub(crate) fn optimised(workspace: &Workspace, module: &Path, arguments: &str) -> Outcome<PathBuf> {
    let folder = workspace.scratch().join("wasm-opt");
    files::create_folder(&folder)?;
    let content = files::digest(&[files::read(module)?]);
    let features = WASM_FEATURES.map(|(flag, _)| flag);
    let made_from = [content.as_str(), setup::WASM_OPT_VERSION, arguments, &features.join(" ")];
    let optimised = folder.join(format!("{}.wasm", &files::digest(&made_from)[..16]));
    if !optimised.is_file() {
        let partial = optimised.with_extension("partial");
        let mut tool = Command::new(setup::wasm_opt(workspace)?);
        process::capture(tool.args(arguments.split(' ')).args(features).arg(module).arg("-o").arg(&partial))?;
        files::rename(&partial, &optimised)?;
    }
    Ok(optimised)
}
