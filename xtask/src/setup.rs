//! Installs what a fresh machine lacks. Each step prints in one line what it installs and why, and does nothing if it
//! is already installed. The C compiler is there: it linked this program; rustup brings what rust-toolchain.toml names.

mod cargo_tool;
mod needed;
mod node;
mod programs;
mod python;

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
    CONTRACT, CORE_IN_PYTHON, Environment, MAIL, PRETIX, PYTHON_CLIENT, SHOPS_IN_PYTHON, python_environment,
};

use crate::Outcome;
use crate::workspace::Workspace;

/// Installs everything that builds the site and the gateway.
pub(crate) fn for_building(workspace: &Workspace) -> Outcome<()> {
    wasm_bindgen(workspace)?;
    wasm_opt(workspace)?;
    npm_packages(workspace, &PAGES)?;
    cargo_tool(workspace, &MDBOOK).map(|_| ())
}
