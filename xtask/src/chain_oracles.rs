//! Compares the adapters of XRP, Stellar and TRON with the official packages: signed bytes, and the test servers'
//! answers.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use crate::counts::Counts;
use crate::workspace::Workspace;
use crate::{Outcome, npm, process, setup};

/// The adapters, each with an example that prints signed transactions.
const ADAPTERS: [(&str, &str); 3] = [
    ("checkout-chain-xrp", "signed_xrp"),
    ("checkout-chain-stellar", "signed_stellar"),
    ("checkout-chain-tron", "signed_tron"),
];

/// The package with the example `serve`.
const SERVERS: &str = "checkout-chain-doubles";

/// Returns the folder with the official packages.
pub(crate) fn packages(workspace: &Workspace) -> Outcome<PathBuf> {
    let project = workspace.root.join("chains/oracles/npm");
    let why = "the adapters of XRP, Stellar and TRON are compared with the official packages";
    setup::npm_project("chain-oracles", &project, workspace, why)
}

pub(crate) fn compare(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = packages(workspace)?;
    let signed = workspace.scratch().join("signed.jsonl");
    let fault = |error: std::io::Error| format!("{}: {error}.", signed.display());
    fs::create_dir_all(workspace.scratch()).map_err(fault)?;
    let file = File::create(&signed).map_err(fault)?;
    for (adapter, example) in ADAPTERS {
        let example = ["run", "--quiet", "--package", adapter, "--example", example];
        process::run(workspace.cargo().args(example).stdout(file.try_clone().map_err(fault)?))?;
    }
    process::run(workspace.cargo().args(["build", "--package", SERVERS, "--example", "serve"]))?;
    let serve = workspace.target.join("debug/examples/serve");
    npm::counted(Command::new("node").arg("ask.js").arg(&signed).arg(&serve).current_dir(&folder), counts)
}
