//! Parts of the Rust toolchain, installed with rustup.

use std::path::PathBuf;
use std::process::Command;

use super::{announce, could_not_install};
use crate::{Outcome, process};

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";
pub(crate) const BARE_TARGET: &str = "thumbv7em-none-eabi";

/// Installs the standard library for a target. Looks for it on disk first, so that rustup is not required.
pub(crate) fn target(name: &str, why: &str) -> Outcome<()> {
    let sysroot = process::capture(Command::new("rustc").args(["--print", "sysroot"]))?;
    if PathBuf::from(sysroot.trim_end()).join("lib/rustlib").join(name).join("lib").is_dir() {
        return Ok(());
    }
    add(&format!("the Rust target {name}"), &["target", "add", name], why)
}

pub(crate) fn component(name: &str, subcommand: &str, why: &str) -> Outcome<()> {
    if process::capture(Command::new("cargo").args([subcommand, "--version"])).is_ok() {
        return Ok(());
    }
    add(&format!("the Rust component {name}"), &["component", "add", name], why)
}

fn add(what: &str, arguments: &[&str], why: &str) -> Outcome<()> {
    let by_hand = format!("rustup {}", arguments.join(" "));
    if process::on_path("rustup").is_none() {
        return Err(format!(
            "This Rust toolchain lacks {what} ({why}), and there is no rustup to add it. \
             Install rustup from https://rustup.rs and run `{by_hand}`, \
             or install it with the package manager that brought Rust."
        ));
    }
    announce(what, why);
    process::run(Command::new("rustup").args(arguments))
        .map_err(|cause| could_not_install(what, &cause, &by_hand))
}
