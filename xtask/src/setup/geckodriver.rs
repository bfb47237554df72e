//! geckodriver, the WebDriver of Firefox: few systems package it, so it is compiled once into the user's cache folder.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use super::{announce, could_not_install};
use crate::workspace::Workspace;
use crate::{Outcome, process};

const VERSION: &str = "0.37.1";

pub(super) fn find_or_install(workspace: &Workspace) -> Outcome<PathBuf> {
    if let Some(installed) = process::on_path("geckodriver") {
        return Ok(installed);
    }
    let folder = workspace.tools.join(format!("geckodriver-{VERSION}"));
    let binary = folder.join("bin").join(format!("geckodriver{EXE_SUFFIX}"));
    if binary.is_file() {
        return Ok(binary);
    }
    let what = format!("geckodriver {VERSION}");
    announce(
        &what,
        &format!("the end-to-end tests drive Firefox with it (minutes, once; into {})", folder.display()),
    );
    let arguments = ["install", "geckodriver", "--locked", "--debug", "--version", VERSION, "--root"];
    process::run(workspace.cargo().args(arguments).arg(&folder)).map_err(|cause| {
        let by_hand = format!("cargo install geckodriver --locked --version {VERSION}");
        could_not_install(&what, &cause, &by_hand)
    })?;
    Ok(binary)
}
