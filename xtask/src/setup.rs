//! Installs what a fresh machine lacks. Each step prints in one line what it installs and why, and does nothing if it
//! is already installed. The C compiler is there: it linked this program.

mod cargo_tool;
mod needed;
mod node;
mod programs;
mod python;
mod rust;

pub(crate) use cargo_tool::{
    CARGO_DENY, CARGO_SBOM, CARGO_SEMVER_CHECKS, MDBOOK, cargo_tool, test_runner, wasm_bindgen,
};
pub(crate) use needed::Programs;
pub(crate) use node::{
    ANVIL_VARIABLE, CHAIN_ORACLES, CLIENT, CORE_ORACLES, MEDUSA, PACKAGES, PAGES, PEERS, SHOPS,
    WASM_OPT_VERSION, WORKFLOWS, anvil, axe, npm_packages, npm_project, wasm_opt,
};
pub(crate) use programs::{
    CHROMIUM, CHROMIUM_VARIABLE, CXX_COMPILER, ENGINE_VARIABLE, Engine, FIREFOX, FIREFOX_VARIABLE, MUSL,
    MUSL_COMPILER, PHP, WEBKIT, for_browser_tests, nodes, postgres,
};
pub(crate) use python::{
    CONTRACT, CORE_IN_PYTHON, MAIL, PRETIX, PYTHON_CLIENT, SHOPS_IN_PYTHON, python_environment,
};
pub(crate) use rust::{BARE_TARGET, WASM_TARGET, target};

use crate::Outcome;
use crate::workspace::Workspace;

/// Installs everything that builds the site and the gateway.
pub(crate) fn for_building(workspace: &Workspace) -> Outcome<()> {
    rust::target(WASM_TARGET, "the widget runs as WebAssembly in the browser")?;
    wasm_bindgen(workspace)?;
    wasm_opt(workspace)?;
    npm_packages(workspace, &PAGES)?;
    cargo_tool(workspace, &MDBOOK).map(|_| ())
}

pub(crate) fn for_linting() -> Outcome<()> {
    rust::component("rustfmt", "fmt", "it checks the formatting")?;
    rust::component("clippy", "clippy", "it checks the code")?;
    rust::target(WASM_TARGET, "the widget is checked as WebAssembly too")
}

/// Installs everything that builds the npm package.
pub(crate) fn for_npm(workspace: &Workspace) -> Outcome<()> {
    rust::target(WASM_TARGET, "the npm package holds the core as WebAssembly")?;
    wasm_opt(workspace).map(|_| ())
}
