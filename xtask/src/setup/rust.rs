//! Parts of the Rust toolchain, installed with rustup.

use std::path::PathBuf;
use std::process::Command;

use super::needed::{announce, could_not_install};
use crate::{Outcome, files, process};

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";
pub(crate) const BARE_TARGET: &str = "thumbv7em-none-eabi";

/// Installs the standard library for a target. Looks for it on disk first, so that rustup is not required.
pub(crate) fn target(name: &str, why: &str) -> Outcome<()> {
    let sysroot = process::capture(Command::new("rustc").args(["--print", "sysroot"]))?;
    let library = PathBuf::from(sysroot.trim_end()).join("lib/rustlib").join(name).join("lib");
    add(&format!("the Rust target {name}"), &["target", "add", name], why, || library.is_dir())
}

pub(crate) fn component(name: &str, subcommand: &str, why: &str) -> Outcome<()> {
    let runs = || process::capture(Command::new("cargo").args([subcommand, "--version"])).is_ok();
    add(&format!("the Rust component {name}"), &["component", "add", name], why, runs)
}

fn add(what: &str, arguments: &[&str], why: &str, is_there: impl Fn() -> bool) -> Outcome<()> {
    if is_there() {
        return Ok(());
    }
    // Of two rustups that install the same part at once, one fails.
    let _lock = files::lock(&std::env::temp_dir().join("crypto-checkout-rustup.lock"))?;
    if is_there() {
        return Ok(());
    }
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
