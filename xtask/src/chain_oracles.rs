//! Compares the adapters of XRP, Stellar and TRON with the official packages: signed bytes, and the test servers'
//! answers. `tronweb`, which wallets on TRON have, also signs what the page hands them.

use std::fs::File;
use std::path::PathBuf;
use std::process::Command;

use crate::counts::{Counts, counted_in_node};
use crate::files;
use crate::outcome::Outcome;
use crate::site::bundle::Bundler;
use crate::workspace::{TESTED, Workspace};
use crate::{process, setup};

/// The adapters' examples that print signed transactions.
const SIGNED: [&str; 3] = ["signed_xrp", "signed_stellar", "signed_tron"];

/// The example of the test servers.
const SERVERS: &str = "serve";

/// Makes the transaction that a wallet is handed.
const PAGE_SCRIPT: &str = "www/wallet/tron_bytes.ts";

/// Returns the folder with the official packages.
pub(crate) fn packages(workspace: &Workspace) -> Outcome<PathBuf> {
    let project = workspace.root.join("chains/oracles/npm");
    let why = "the adapters of XRP, Stellar and TRON are compared with the official packages";
    setup::npm_project("chain-oracles", &project, workspace, why)
}

pub(crate) fn compare(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = packages(workspace)?;
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
    counted_in_node(Command::new("node").arg("ask.js").args(arguments).current_dir(&folder), counts)
}
