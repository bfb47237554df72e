//! Parts of the Rust toolchain, installed with rustup.

use std::path::PathBuf;
use std::process::Command;

use super::needed::install;
use crate::{Outcome, process};

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";
pub(crate) const BARE_TARGET: &str = "thumbv7em-none-eabi";

/// Installs the standard library for a target. Looks for it on disk first, so that rustup is not required.
pub(crate) fn target(name: &str, why: &str) -> Outcome<()> {
    let sysroot = process::capture(Command::new("rustc").args(["--print", "sysroot"]))?;
    let library = PathBuf::from(sysroot.trim_end()).join("lib/rustlib").join(name).join("lib");
    add("target", name, why, || library.is_dir())
}

pub(crate) fn component(name: &str, subcommand: &str, why: &str) -> Outcome<()> {
    let is_there = || process::capture(Command::new("cargo").args([subcommand, "--version"])).is_ok();
    add("component", name, why, is_there)
}

/// Where there is no rustup, the package manager that brought Rust may have it.
fn add(kind: &str, name: &str, why: &str, is_there: impl Fn() -> bool) -> Outcome<()> {
    let what = format!("the Rust {kind} {name}");
    install(
        &what,
        why,
        &format!("rustup {kind} add {name}"),
        || Ok(is_there()),
        || process::run(Command::new("rustup").args([kind, "add", name])),
    )
}
