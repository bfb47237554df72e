//! Compares the core and the chains with other implementations: Rust crates and npm packages get the same inputs.

use std::fs::File;
use std::path::PathBuf;
use std::process::Command;

use crate::counts::{Counts, counted};
use crate::files;
use crate::site::bundle::Bundler;
use crate::workspace::{ORACLES, TESTED, Workspace};
use crate::{Outcome, process, setup};

/// The adapters' examples that print signed transactions.
const SIGNED: [&str; 3] = ["signed_xrp", "signed_stellar", "signed_tron"];

/// The example of the test servers.
const SERVERS: &str = "serve";

/// Makes the transaction that a wallet is handed.
const PAGE_SCRIPT: &str = "www/wallet/tron_bytes.ts";

/// The benchmarks are in the workspace of the oracles: each of their candidates has to accept its address.
pub(crate) fn rust(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    counted(workspace.cargo_of(ORACLES, "test").args(["--workspace", "--no-fail-fast"]), counts)
}

/// Returns the folder with the npm packages that the core is compared with.
pub(crate) fn packages(workspace: &Workspace) -> Outcome<PathBuf> {
    let project = workspace.root.join("core/oracles/npm");
    setup::npm_project(
        "core-oracles",
        &project,
        workspace,
        "the core's answers are compared with those of other packages",
    )
}

pub(crate) fn javascript(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = packages(workspace)?;
    let questions = workspace.scratch().join("questions.jsonl");
    files::create_folder(&workspace.scratch())?;
    let file = File::create(&questions).map_err(files::fault(&questions))?;
    process::run(
        workspace.cargo_of(ORACLES, "run").args(["--quiet", "--example", "questions"]).stdout(file),
    )?;
    counted(Command::new("node").arg("ask.js").arg(&questions).current_dir(&folder), counts)
}

/// Returns the folder with the official packages.
pub(crate) fn chain_packages(workspace: &Workspace) -> Outcome<PathBuf> {
    let project = workspace.root.join("chains/oracles/npm");
    let why = "the adapters of XRP, Stellar and TRON are compared with the official packages";
    setup::npm_project("chain-oracles", &project, workspace, why)
}

/// Compares the adapters of XRP, Stellar and TRON: signed bytes, and the test servers' answers. `tronweb`, which wallets on TRON have,
/// also signs what the page hands them.
pub(crate) fn chains(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = chain_packages(workspace)?;
    let signed = workspace.scratch().join("signed.jsonl");
    let fault = files::fault(&signed);
    files::create_folder(&workspace.scratch())?;
    let file = File::create(&signed).map_err(fault)?;
    // With the features of the whole workspace, as for the tests, so that dependencies are compiled once.
    process::run(workspace.cargo().args(["build", "--examples"]).args(TESTED))?;
    let examples = workspace.target.join("debug/examples");
    for example in SIGNED {
        let mut print = Command::new(examples.join(example));
        process::run(print.stdout(file.try_clone().map_err(fault)?))?;
    }
    let page = workspace.scratch().join("tron_bytes.mjs");
    let script = Bundler::find_or_install(workspace)?.module(&workspace.root.join(PAGE_SCRIPT), &[])?;
    files::write(&page, script.as_bytes())?;
    let arguments = [&signed, &examples.join(SERVERS), &page];
    counted(Command::new("node").arg("ask.js").args(arguments).current_dir(&folder), counts)
}
