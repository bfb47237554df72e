//! Compares the core and the chains with other implementations: Rust crates and npm packages get the same inputs. The running gateway
//! is used by programs that others wrote, which needs its debug build.

use std::process::Command;

use crate::counts::{Counts, counted};
use crate::sandbox::Sandbox;
use crate::setup::Environment;
use crate::site::bundle::Bundler;
use crate::workspace::{ORACLES, Profile, TESTED, Workspace};
use crate::{Outcome, files, npm, process, program, setup};

/// The benchmarks are in the workspace of the oracles: each of their candidates has to accept its address.
pub(crate) fn rust(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    counted(workspace.cargo_of(ORACLES, "test").args(["--workspace", "--no-fail-fast"]), counts)
}

pub(crate) fn javascript(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = setup::npm_project(workspace, &setup::CORE_ORACLES)?;
    let questions = workspace.scratch().join("questions.jsonl");
    let mut ask = workspace.cargo_of(ORACLES, "run");
    files::write(&questions, process::capture(ask.args(["--quiet", "--example", "questions"]))?)?;
    counted(Command::new("node").arg("ask.js").arg(&questions).current_dir(&folder), counts)
}

/// Compares the adapters of XRP, Stellar and TRON: signed bytes, and the test servers' answers. `tronweb`, which wallets on TRON have,
/// also signs what the page hands them.
pub(crate) fn chains(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = setup::npm_project(workspace, &setup::CHAIN_ORACLES)?;
    let signed = workspace.scratch().join("signed.jsonl");
    // With the features of the whole workspace, as for the tests, so that dependencies are compiled once.
    process::run(workspace.cargo().args(["build", "--examples"]).args(TESTED))?;
    let examples = workspace.target.join("debug/examples");
    let programs = ["signed_xrp", "signed_stellar", "signed_tron"].map(|name| examples.join(name));
    let lines = programs.iter().map(|program| process::capture(&mut Command::new(program)));
    files::write(&signed, lines.collect::<Outcome<String>>()?)?;
    let page = workspace.scratch().join("tron_bytes.mjs");
    let script =
        Bundler::find_or_install(workspace)?.module(&workspace.root.join("www/wallet/tron_bytes.ts"), &[])?;
    files::write(&page, script.as_bytes())?;
    let arguments = [&signed, &examples.join("serve"), &page];
    counted(Command::new("node").arg("ask.js").args(arguments).current_dir(&folder), counts)
}

/// schemathesis sends valid and invalid requests of the OpenAPI document.
pub(crate) fn document(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let gateway = Sandbox::start(workspace, "contract")?;
    let mut command = script(workspace, &setup::CONTRACT)?;
    command.args(["baseUrl", "businessId"].map(|name| gateway.says(name))).env("PYTHONUNBUFFERED", "1");
    command.env("CHECKOUT_TOKEN", gateway.says("businessToken"));
    command.env("CHECKOUT_ORGANISATION_KEY", gateway.organisation_key()?);
    counted(&mut command, counts)
}

/// Clients of the Greenfield API, from PyPI and npm.
pub(crate) fn greenfield(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let gateway = Sandbox::start(workspace, "greenfield")?;
    let made = gateway.business(&["--greenfield"])?;
    let text = |name: &str| made[name].as_str().unwrap_or_default().to_owned();
    let variables = [
        ("GREENFIELD_URL", gateway.says("baseUrl").to_owned()),
        ("GREENFIELD_STORE", text("id")),
        ("GREENFIELD_KEY", text("token")),
    ];
    counted(script(workspace, &setup::SHOPS_IN_PYTHON)?.envs(variables.clone()), counts)?;
    npm::node(&setup::npm_project(workspace, &setup::SHOPS)?, &variables, counts)
}

/// A mail server takes what the gateway sends, which also needs the site.
pub(crate) fn mail(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = workspace.scratch().join("mail");
    files::empty_folder(&folder)?;
    let mut command = script(workspace, &setup::MAIL)?;
    command.env("CHECKOUT", program::binary(workspace, Profile::Debug)).env("FOLDER", folder);
    counted(&mut command, counts)
}

fn script(workspace: &Workspace, environment: &Environment) -> Outcome<Command> {
    let mut command = Command::new(setup::python_environment(workspace, environment)?);
    command.arg(workspace.root.join(environment.1).join("run.py"));
    Ok(command)
}
