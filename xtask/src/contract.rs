//! Tests the running gateway against its own OpenAPI document: schemathesis sends valid and invalid requests.

use std::path::PathBuf;
use std::process::Command;

use crate::counts::{Counts, counted};
use crate::sandbox::Sandbox;
use crate::workspace::Workspace;
use crate::{Outcome, setup};

const FOLDER: &str = "tests/contract";

/// Returns the Python interpreter that has schemathesis.
pub(crate) fn python(workspace: &Workspace) -> Outcome<PathBuf> {
    let requirements = workspace.root.join(FOLDER).join("requirements.txt");
    let why = "the running gateway is compared with its OpenAPI document";
    setup::python_environment("schemathesis", &requirements, workspace, why)
}

/// Requires the debug build of the gateway.
pub(crate) fn test(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let folder = workspace.root.join(FOLDER);
    let python = python(workspace)?;
    let gateway = Sandbox::start(workspace, "contract")?;
    let mut command = Command::new(python);
    command.arg(folder.join("run.py")).args(["baseUrl", "businessId"].map(|name| gateway.says(name)));
    command.env("CHECKOUT_TOKEN", gateway.says("businessToken")).env("PYTHONUNBUFFERED", "1");
    command.env("CHECKOUT_ORGANISATION_KEY", gateway.organisation_key()?);
    counted(&mut command, counts)
}
