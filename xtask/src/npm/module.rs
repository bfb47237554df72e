//! The WebAssembly module of the package: cargo, then wasm-opt for speed.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::outcome::Outcome;
use crate::setup::wasm_opt::{WasmOpt, wasm_opt};
use crate::workspace::Workspace;
use crate::{files, wasm};

pub(super) fn build(workspace: &Workspace) -> Outcome<Vec<u8>> {
    println!("npm: building the core as WebAssembly, optimised for speed");
    let compiled = wasm::compile(workspace, "checkout-npm", "npm-release", &[])?;
    let plain = files::read(&compiled)?;
    let Some(tool) = wasm_opt(workspace) else { return Ok(plain) };
    // wasm-opt takes some seconds, so its result for the same module is stored.
    let hash: [u8; 32] = Sha256::digest([plain.as_slice(), tool.version.as_bytes()].concat()).into();
    let [start, ..] = hash.as_chunks().0 else { return Ok(plain) };
    let optimised = workspace.scratch().join(format!("npm-{:016x}.wasm", u64::from_be_bytes(*start)));
    if !optimised.is_file()
        && let Err(cause) = optimise(&compiled, &optimised, &tool)
    {
        println!("npm: wasm-opt {} failed, continuing without it: {cause}", tool.version);
        return Ok(plain);
    }
    files::read(&optimised)
}

fn optimise(from: &Path, to: &Path, tool: &WasmOpt) -> Outcome<()> {
    files::create_folder(to.parent().expect("a file of the scratch folder"))?;
    let partial = to.with_extension("partial");
    wasm::optimise(&tool.binary, &["-O3", "--strip-debug", "--strip-producers"], from, &partial)?;
    fs::rename(&partial, to).map_err(files::fault(to))
}
