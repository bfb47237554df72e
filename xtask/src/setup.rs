//! Installs what a fresh machine lacks. Each step prints in one line what it installs and why, and does nothing if it
//! is already installed. The C compiler is there: it linked this program; rustup brings what rust-toolchain.toml names.

mod cargo_tool;
mod needed;
mod node;
mod programs;
mod python;

pub(crate) use cargo_tool::*;
pub(crate) use needed::Programs;
pub(crate) use node::*;
pub(crate) use programs::*;
pub(crate) use python::*;

use crate::Outcome;
use crate::workspace::Workspace;

/// Installs everything that builds the site and the gateway.
pub(crate) fn for_building(workspace: &Workspace) -> Outcome<()> {
    wasm_bindgen(workspace)?;
    wasm_opt(workspace)?;
    npm_packages(workspace, &PAGES)?;
    cargo_tool(workspace, &MDBOOK).map(|_| ())
}
