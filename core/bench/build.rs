//! The compiler's version, for the line about the machine.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let version = version.unwrap_or_default();
    let short: Vec<&str> = version.split_whitespace().take(2).collect();
    println!("cargo::rustc-env=CHECKOUT_RUSTC={}", short.join(" "));
}
