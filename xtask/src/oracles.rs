//! Compares the core and the chains with other implementations: Rust crates and npm packages get the same inputs.

use std::fs::File;
use std::process::Command;

use crate::counts::{Counts, counted};
use crate::files;
use crate::site::bundle::Bundler;
use crate::workspace::{ORACLES, TESTED, Workspace};
use crate::{Outcome, process, setup};

/// The benchmarks are in the workspace of the oracles: each of their candidates has to accept its address.
pub(crate) fn rust(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    counted(workspace.cargo_of(ORACLES, "test").args(["--workspace", "--no-fail-fast"]), counts)
}

pub(crate) fn javascript(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = setup::npm_project(workspace, &setup::CORE_ORACLES)?;
    let questions = workspace.scratch().join("questions.jsonl");
    let file = File::create(&questions).map_err(files::fault(&questions))?;
    process::run(
        workspace.cargo_of(ORACLES, "run").args(["--quiet", "--example", "questions"]).stdout(file),
    )?;
    counted(Command::new("node").arg("ask.js").arg(&questions).current_dir(&folder), counts)
}

/// Compares the adapters of XRP, Stellar and TRON: signed bytes, and the test servers' answers. `tronweb`, which wallets on TRON have,
/// also signs what the page hands them.
pub(crate) fn chains(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = setup::npm_project(workspace, &setup::CHAIN_ORACLES)?;
    let signed = workspace.scratch().join("signed.jsonl");
    let fault = files::fault(&signed);
    let file = File::create(&signed).map_err(fault)?;
    // With the features of the whole workspace, as for the tests, so that dependencies are compiled once.
    process::run(workspace.cargo().args(["build", "--examples"]).args(TESTED))?;
    let examples = workspace.target.join("debug/examples");
    for example in ["signed_xrp", "signed_stellar", "signed_tron"] {
        let mut print = Command::new(examples.join(example));
        process::run(print.stdout(file.try_clone().map_err(fault)?))?;
    }
    let page = workspace.scratch().join("tron_bytes.mjs");
    let script =
        Bundler::find_or_install(workspace)?.module(&workspace.root.join("www/wallet/tron_bytes.ts"), &[])?;
    files::write(&page, script.as_bytes())?;
    let arguments = [&signed, &examples.join("serve"), &page];
    counted(Command::new("node").arg("ask.js").args(arguments).current_dir(&folder), counts)
}
