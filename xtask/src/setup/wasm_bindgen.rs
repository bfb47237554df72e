//! The wasm-bindgen tool, of exactly the version that Cargo.lock has of the library.

use std::env;
use std::path::PathBuf;

use super::{announce, could_not_install};
use crate::workspace::Workspace;
use crate::{Outcome, process};

pub(crate) fn wasm_bindgen(workspace: &Workspace) -> Outcome<PathBuf> {
    let version = workspace.locked_version("wasm-bindgen")?;
    let folder = workspace.tools.join(format!("wasm-bindgen-{version}"));
    let binary = folder.join("bin").join(format!("wasm-bindgen{}", env::consts::EXE_SUFFIX));
    if binary.is_file() {
        return Ok(binary);
    }
    if let Some(binary) = process::on_path("wasm-bindgen")
        && process::version_of(&binary).as_deref() == Some(&version)
    {
        return Ok(binary);
    }
    let what = format!("wasm-bindgen {version}");
    announce(
        &what,
        &format!(
            "it writes the JavaScript around the widget (a few minutes, once; into {})",
            folder.display()
        ),
    );
    let install = |locked: bool| {
        let mut command = process::cargo(&env::temp_dir());
        command.args(["install", "wasm-bindgen-cli", "--version", &format!("={version}")]);
        command.arg("--root").arg(&folder).args(locked.then_some("--locked"));
        // It runs for a second per build: compiling it fast matters more than its speed.
        command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1").env("CARGO_PROFILE_RELEASE_LTO", "off");
        command.env_remove("RUSTFLAGS").env_remove("CARGO_TARGET_DIR").env_remove("CARGO_BUILD_TARGET");
        process::run(&mut command)
    };
    install(true)
        .or_else(|_| {
            println!(
                "setup: its own list of exact dependencies could not be had; trying with the newest that fit"
            );
            install(false)
        })
        .map_err(|cause| {
            let by_hand =
                format!("cargo install wasm-bindgen-cli --version ={version} --root '{}'", folder.display());
            could_not_install(&what, &cause, &by_hand)
        })?;
    Ok(binary)
}
