//! Installs what a fresh machine lacks. Each step prints in one line what it installs and why, and does nothing if it
//! is already installed.

mod anvil;
mod bitcoind;
mod browser;
mod esbuild;
mod geckodriver;
mod node;
mod nodes;
mod postgres;
mod python;
mod rust;
mod wasm_bindgen;
mod wasm_opt;

use std::env;
use std::path::PathBuf;

pub(crate) use anvil::{VARIABLE as ANVIL_VARIABLE, anvil};
pub(crate) use browser::{
    CHROMIUM, CHROMIUM_VARIABLE, ENGINE_VARIABLE, Engine, FIREFOX, FIREFOX_VARIABLE, Programs, WEBKIT,
};
pub(crate) use esbuild::page_packages;
pub(crate) use node::{npm_packages, npm_project, npm_tool};
pub(crate) use python::python_environment;
pub(crate) use rust::{BARE_TARGET, WASM_TARGET};
pub(crate) use wasm_bindgen::{test_runner, wasm_bindgen};
pub(crate) use wasm_opt::{WasmOpt, wasm_opt};

use crate::workspace::Workspace;

/// The version of the npm package axe-core.
const AXE: &str = "4.14.1";
use crate::{Outcome, process};

/// Installs what `cargo` itself needs.
pub(crate) fn for_compiling() -> Outcome<()> {
    c_compiler()
}

/// Installs everything that builds the site and the gateway.
pub(crate) fn for_building(workspace: &Workspace) -> Outcome<()> {
    c_compiler()?;
    rust::target(WASM_TARGET, "the widget runs as WebAssembly in the browser")?;
    wasm_bindgen(workspace)?;
    wasm_opt(workspace);
    page_packages(workspace)?;
    Ok(())
}

pub(crate) fn for_linting(_: &Workspace) -> Outcome<()> {
    c_compiler()?;
    rust::component("rustfmt", "fmt", "it checks the formatting")?;
    rust::component("clippy", "clippy", "it checks the code")?;
    rust::target(WASM_TARGET, "the widget is checked as WebAssembly too")
}

/// Installs a target without a standard library, for which the core has to build.
pub(crate) fn for_no_std(_: &Workspace) -> Outcome<()> {
    rust::target(BARE_TARGET, "building the core without an operating system proves that it is no_std")
}

/// Installs everything that builds the npm package.
pub(crate) fn for_npm(workspace: &Workspace) -> Outcome<()> {
    rust::target(WASM_TARGET, "the npm package holds the core as WebAssembly")?;
    node::find_or_install("the npm package is packed and tested with it")?;
    wasm_opt(workspace);
    Ok(())
}

/// Checks that there is a C++ compiler: libFuzzer is built from the sources in a crate.
pub(crate) fn for_fuzzing(_: &Workspace) -> Outcome<()> {
    let configured = env::var("CXX").is_ok_and(|cxx| !cxx.is_empty());
    if configured || ["c++", "g++", "clang++"].iter().any(|name| process::on_path(name).is_some()) {
        return Ok(());
    }
    let by_hand = match package_manager() {
        Some(PackageManager::Apt) => "sudo apt-get install g++",
        Some(PackageManager::Dnf) => "sudo dnf install gcc-c++",
        Some(PackageManager::Pacman) => "sudo pacman -S --needed gcc",
        Some(PackageManager::Brew) | None => "install g++ or clang++ with your system's package manager",
    };
    Err(format!("There is no C++ compiler (`c++`), which libFuzzer needs. Install one: {by_hand}"))
}

/// Installs a browser engine, and returns its programs as the end-to-end tests read them.
pub(crate) fn for_browser_tests(workspace: &Workspace, engine: &Engine) -> Outcome<Programs> {
    browser::find_or_install(workspace, engine)
}

/// Installs the accessibility checker that the end-to-end tests run on every screen.
pub(crate) fn axe(workspace: &Workspace) -> Outcome<PathBuf> {
    let why = "the end-to-end tests check every screen with it";
    node::find_or_install(why)?;
    Ok(npm_tool(workspace, "axe-core", AXE, why)?.join("axe.min.js"))
}

/// Installs a PostgreSQL server, which the tests of the gateway start themselves.
pub(crate) fn for_database_tests() -> Outcome<()> {
    postgres::find_or_install()
}

/// Installs the nodes that the tests of the chains start themselves.
pub(crate) fn for_chain_tests(workspace: &Workspace) -> Outcome<()> {
    nodes::find_or_install()?;
    bitcoind::find_or_install(workspace)
}

/// Prints one line before anything is changed on the machine.
fn announce(what: &str, why: &str) {
    println!("setup: installing {what}: {why}");
}

/// The error message when something could not be installed, with the command to do it by hand.
fn could_not_install(what: &str, cause: &str, by_hand: &str) -> String {
    format!(
        "{what} could not be installed.\n{cause}\n\
         If this machine is offline, connect it and run the same command again; what is already installed is kept.\n\
         To install it by hand: {by_hand}"
    )
}

fn c_compiler() -> Outcome<()> {
    let configured = env::var("CC").ok().filter(|cc| !cc.is_empty());
    let found =
        configured.is_some() || ["cc", "gcc", "clang"].iter().any(|name| process::on_path(name).is_some());
    if found {
        return Ok(());
    }
    let by_hand = match package_manager() {
        Some(PackageManager::Apt) => "sudo apt-get install build-essential",
        Some(PackageManager::Dnf) => "sudo dnf install gcc",
        Some(PackageManager::Pacman) => "sudo pacman -S --needed base-devel",
        Some(PackageManager::Brew) | None if cfg!(target_os = "macos") => "xcode-select --install",
        _ => "install gcc or clang with your system's package manager",
    };
    Err(format!(
        "There is no C compiler (`cc`), which the SQLite inside the gateway needs. Install one: {by_hand}"
    ))
}

#[derive(Clone, Copy)]
enum PackageManager {
    Apt,
    Dnf,
    Pacman,
    Brew,
}

fn package_manager() -> Option<PackageManager> {
    [
        ("apt-get", PackageManager::Apt),
        ("dnf", PackageManager::Dnf),
        ("pacman", PackageManager::Pacman),
        ("brew", PackageManager::Brew),
    ]
    .into_iter()
    .find_map(|(program, manager)| process::on_path(program).map(|_| manager))
}
