//! wasm-bindgen, in exactly the library's version in Cargo.lock, compiled once per version (and state of `xtask-bindgen`) and stored in the user's cache
//! folder: the package `xtask-bindgen`, and the runner of the tests in browsers.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::cargo_tool::cargo_tool;
use super::system::{announce, could_not_install};
use crate::files;
use crate::outcome::Outcome;
use crate::process;
use crate::workspace::Workspace;

const PACKAGE: &str = "xtask-bindgen";
const PROGRAM: &str = include_str!("../../bindgen/src/main.rs");

pub(crate) fn wasm_bindgen(workspace: &Workspace) -> Outcome<PathBuf> {
    let version = workspace.locked_version("wasm-bindgen")?;
    let program = hex::encode(&Sha256::digest(PROGRAM)[..4]);
    let folder = workspace.tools.join(format!("{PACKAGE}-{version}-{program}"));
    let binary = folder.join(format!("{PACKAGE}{EXE_SUFFIX}"));
    if binary.is_file() {
        return Ok(binary);
    }
    let what = format!("wasm-bindgen {version}");
    announce(
        &what,
        &format!("it generates the widget's JavaScript (half a minute, once; into {})", folder.display()),
    );
    process::run(workspace.cargo().args(["build", "--package", PACKAGE]))
        .map_err(|cause| could_not_install(&what, &cause, &format!("cargo build --package {PACKAGE}")))?;
    let io = files::fault(&folder);
    files::create_folder(&folder)?;
    // Copied to a temporary file and renamed, so that an interrupted copy does not count as installed.
    let partial = folder.join("partial");
    fs::copy(workspace.target.join("debug").join(format!("{PACKAGE}{EXE_SUFFIX}")), &partial).map_err(io)?;
    fs::rename(&partial, &binary).map_err(io)?;
    Ok(binary)
}

/// Runs the tests of a module in a browser.
pub(crate) fn test_runner(workspace: &Workspace) -> Outcome<PathBuf> {
    const NAME: &str = "wasm-bindgen-test-runner";
    let version = workspace.locked_version("wasm-bindgen")?;
    let package = ["wasm-bindgen-cli", version.as_str()];
    cargo_tool(workspace, NAME, package, &["--bin", NAME], "it tests the widget in browsers")
}
