//! Binaryen's wasm-opt. It saves about 2 % of the compressed widget, so it is optional: the build works without it.

use std::path::PathBuf;
use std::process::Command;

use super::node::npm_tool;
use crate::process;
use crate::workspace::Workspace;

const PACKAGE: &str = "binaryen";
const VERSION: &str = "132.0.0";

pub(crate) struct WasmOpt {
    pub(crate) binary: PathBuf,
    pub(crate) version: String,
}

pub(crate) fn wasm_opt(workspace: &Workspace) -> Option<WasmOpt> {
    let is_installed = workspace.tools.join(format!("{PACKAGE}-{VERSION}")).is_dir();
    if let Some(binary) = process::on_path("wasm-opt").filter(|_| !is_installed) {
        let text = process::capture(Command::new(&binary).arg("--version")).unwrap_or_default();
        return Some(WasmOpt { binary, version: text.trim().to_owned() });
    }
    let package = match process::on_path("npm") {
        Some(_) => npm_tool(workspace, PACKAGE, VERSION, "its wasm-opt makes the widget slightly smaller"),
        None => Err("There is no npm.".to_owned()),
    };
    match package {
        Ok(package) => {
            Some(WasmOpt { binary: package.with_file_name(".bin/wasm-opt"), version: VERSION.to_owned() })
        }
        Err(cause) => {
            println!(
                "setup: {cause}\nsetup: continuing without wasm-opt (the widget will be about 2 % larger)"
            );
            None
        }
    }
}
