//! Flags of rustc that make a build the same on every machine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Returns a setting of cargo for a target, with flags that shorten the source paths in panic messages, so that they are the
/// same on every machine and name no home folder.
pub(crate) fn rustflags(root: &Path, target: &str, more: &[&str]) -> String {
    let cargo_home =
        env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let registries = cargo_home.as_ref().and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    let registries: Vec<PathBuf> =
        registries.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    let mut flags: Vec<String> = more.iter().map(|flag| (*flag).to_owned()).collect();
    // The last prefix that matches is used.
    let homes = [root.to_owned()].into_iter().chain(cargo_home).chain(registries);
    flags.extend(homes.map(|home| format!("--remap-path-prefix={}=", home.display())));
    format!("target.{target}.rustflags={}", Value::from(flags))
}
