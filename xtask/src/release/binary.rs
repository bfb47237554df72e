//! The binary for one target: built, packed, and used as a stranger uses it.

use std::process::Command;

use super::archive;
use crate::sandbox::Sandbox;
use crate::site;
use crate::workspace::{Profile, Workspace};
use crate::{Outcome, process, program};

pub(super) fn run(workspace: &Workspace, target: &str) -> Outcome<()> {
    site::build(workspace, Profile::Release)?;
    let binary = program::build_for(workspace, target)?;
    let archive = archive::write(workspace, target, &binary)?;
    println!("{}", archive.display());
    if runs_here(target) {
        return open_pages(workspace, target);
    }
    println!("It was not tried: this machine runs no {target}.");
    Ok(())
}

/// True for the processor and system of this program.
fn runs_here(target: &str) -> bool {
    let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let mut parts = target.split('-');
    parts.next() == Some(std::env::consts::ARCH) && parts.any(|part| part == system)
}

/// Starts the binary of the archive and opens the shop, the script and the documentation, which are all in the one file.
fn open_pages(workspace: &Workspace, target: &str) -> Outcome<()> {
    let folder = workspace.scratch().join("release").join(target);
    let binary = archive::unpack(workspace, target, &folder.join("unpacked"))?;
    let sandbox = Sandbox::of(binary, &folder.join("data"), &["--shop", "127.0.0.1:0"])?;
    let pages = [
        (format!("{}/", sandbox.says("shopUrl")), "Kettle &amp; Co"),
        (format!("{}/embed.js", sandbox.says("baseUrl")), "crypto-checkout"),
        (format!("{}/docs/", sandbox.says("baseUrl")), "<html"),
    ];
    for (address, part) in pages {
        if !get(&address)?.contains(part) {
            let archive = archive::path(workspace, target);
            return Err(format!("{address} of {} does not contain `{part}`.", archive.display()));
        }
        println!("opened {address}");
    }
    Ok(())
}

fn get(address: &str) -> Outcome<String> {
    process::capture(Command::new("curl").args(["--fail", "--silent", "--show-error", "--location", address]))
}
