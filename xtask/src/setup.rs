//! Installs what a fresh machine lacks. Each step prints in one line what it installs and why, and does nothing if it
//! is already installed.

mod anvil;
mod bitcoind;
mod browser;
mod cargo_tool;
pub(crate) mod node;
mod nodes;
mod php;
mod postgres;
mod python;
pub(crate) mod rust;
mod system;
mod wasm_bindgen;
pub(crate) mod wasm_opt;

use std::env;
use std::path::PathBuf;

pub(crate) use anvil::{VARIABLE as ANVIL_VARIABLE, anvil};
pub(crate) use browser::{
    CHROMIUM, CHROMIUM_VARIABLE, ENGINE_VARIABLE, Engine, FIREFOX, FIREFOX_VARIABLE, Programs, WEBKIT,
};
pub(crate) use cargo_tool::{MDBOOK_VERSION, cargo_deny, cargo_sbom, cargo_semver_checks, mdbook};
pub(crate) use node::{npm_packages, npm_project, npm_tool, page_packages};
pub(crate) use php::php;
pub(crate) use python::python_environment;
pub(crate) use rust::{BARE_TARGET, WASM_TARGET};
pub(crate) use wasm_bindgen::{test_runner, wasm_bindgen};
pub(crate) use wasm_opt::wasm_opt;

use crate::outcome::Outcome;
use crate::workspace::Workspace;
use crate::{process, program};
use system::Packages;

/// The version of the npm package axe-core.
const AXE: &str = "4.14.1";

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
    mdbook(workspace)?;
    Ok(())
}

/// Installs what builds the binary for a target of rustc.
pub(crate) fn for_target(target: &str) -> Outcome<()> {
    rust::target(target, "the binary is built for it")?;
    let why = "static binaries are linked with musl";
    if target.ends_with("-musl")
        && !has_compiler(&program::c_compiler_variable(target), &[program::MUSL_COMPILER])
    {
        let by_hand = |command: &str| format!("{} is needed ({why}). Install it: {command}", MUSL.what);
        MUSL.install(why, by_hand)?;
    }
    Ok(())
}

pub(crate) fn for_linting() -> Outcome<()> {
    c_compiler()?;
    rust::component("rustfmt", "fmt", "it checks the formatting")?;
    rust::component("clippy", "clippy", "it checks the code")?;
    rust::target(WASM_TARGET, "the widget is checked as WebAssembly too")
}

/// Installs a target without a standard library, for which the core has to build.
pub(crate) fn for_no_std() -> Outcome<()> {
    rust::target(BARE_TARGET, "compiling the core for no operating system proves that it is no_std")
}

/// Installs everything that builds the npm package.
pub(crate) fn for_npm(workspace: &Workspace) -> Outcome<()> {
    rust::target(WASM_TARGET, "the npm package holds the core as WebAssembly")?;
    node::find_or_install("the npm package is packed and tested with it")?;
    wasm_opt(workspace);
    Ok(())
}

/// Checks that there is a C++ compiler: libFuzzer is built from the sources in a crate.
pub(crate) fn for_fuzzing() -> Outcome<()> {
    has_compiler("CXX", &["c++", "g++", "clang++"]).then_some(()).ok_or_else(|| {
        let by_hand = CXX_COMPILER.command();
        format!("There is no C++ compiler (`c++`), which libFuzzer needs. Install one: {by_hand}")
    })
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

fn c_compiler() -> Outcome<()> {
    has_compiler("CC", &["cc", "gcc", "clang"]).then_some(()).ok_or_else(|| {
        let by_hand = C_COMPILER.command();
        format!(
            "There is no C compiler (`cc`), which the SQLite inside the gateway needs. Install one: {by_hand}"
        )
    })
}

/// The variable may name another one.
fn has_compiler(variable: &str, names: &[&str]) -> bool {
    env::var(variable).is_ok_and(|name| !name.is_empty())
        || names.iter().any(|name| process::on_path(name).is_some())
}

const C_COMPILER: Packages = Packages {
    what: "a C compiler",
    apt: &["build-essential"],
    dnf: &["gcc"],
    pacman: &["base-devel"],
    brew: &[],
    elsewhere: if cfg!(target_os = "macos") {
        "xcode-select --install"
    } else {
        "install gcc or clang with your system's package manager"
    },
};

const MUSL: Packages = Packages {
    what: "musl with its compiler",
    apt: &["musl-tools"],
    dnf: &["musl-gcc"],
    pacman: &["musl"],
    brew: &[],
    elsewhere: "https://musl.libc.org has it for every Linux",
};

const CXX_COMPILER: Packages = Packages {
    what: "a C++ compiler",
    apt: &["g++"],
    dnf: &["gcc-c++"],
    pacman: &["gcc"],
    brew: &[],
    elsewhere: "install g++ or clang++ with your system's package manager",
};
