//! Binaryen's wasm-opt. It saves about 2 % of the compressed widget, so it is optional: the build works without it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::announce;
use crate::workspace::Workspace;
use crate::{Outcome, process};

const VERSION: &str = "132.0.0";

pub(crate) struct WasmOpt {
    pub(crate) binary: PathBuf,
    pub(crate) version: String,
}

pub(crate) fn wasm_opt(workspace: &Workspace) -> Option<WasmOpt> {
    let folder = workspace.tools.join(format!("binaryen-{VERSION}"));
    let binary = folder.join("node_modules/.bin/wasm-opt");
    let installed = || Some(WasmOpt { binary: binary.clone(), version: VERSION.to_owned() });
    if binary.is_file() {
        return installed();
    }
    if let Some(binary) = process::on_path("wasm-opt") {
        let text = process::capture(Command::new(&binary).arg("--version")).unwrap_or_default();
        return Some(WasmOpt { binary, version: text.trim().to_owned() });
    }
    if process::on_path("npm").is_none() {
        println!(
            "setup: no npm, so no wasm-opt: continuing without it (the widget will be about 2 % larger)"
        );
        return None;
    }
    announce(&format!("wasm-opt (binaryen {VERSION}, from npm)"), "it makes the widget slightly smaller");
    match install(&folder) {
        Ok(()) => installed(),
        Err(cause) => {
            println!(
                "setup: {cause}\nsetup: continuing without wasm-opt (the widget will be about 2 % larger)"
            );
            None
        }
    }
}

/// Installs into a temporary folder and renames it, so that an interrupted download does not count as installed.
fn install(folder: &Path) -> Outcome<()> {
    let io = |error: std::io::Error| format!("{}: {error}.", folder.display());
    let partial = folder.with_extension("partial");
    if partial.exists() {
        fs::remove_dir_all(&partial).map_err(io)?;
    }
    fs::create_dir_all(&partial).map_err(io)?;
    process::run(
        Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", "--prefix"])
            .arg(&partial)
            .arg(format!("binaryen@{VERSION}"))
            .current_dir(&partial),
    )?;
    fs::rename(&partial, folder).map_err(io)
}
