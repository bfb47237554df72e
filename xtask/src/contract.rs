//! Tests the running gateway against its own OpenAPI document: schemathesis sends valid and invalid requests.

use std::process::Command;

use crate::counts::{Counts, counted};
use crate::sandbox::Sandbox;
use crate::workspace::Workspace;
use crate::{Outcome, setup};

/// Requires the debug build of the gateway.
pub(crate) fn test(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let python = setup::python_environment(workspace, &setup::CONTRACT)?;
    let gateway = Sandbox::start(workspace, "contract")?;
    let mut command = Command::new(python);
    command
        .arg(workspace.root.join("tests/contract/run.py"))
        .args(["baseUrl", "businessId"].map(|name| gateway.says(name)));
    command.env("CHECKOUT_TOKEN", gateway.says("businessToken")).env("PYTHONUNBUFFERED", "1");
    command.env("CHECKOUT_ORGANISATION_KEY", gateway.organisation_key()?);
    counted(&mut command, counts)
}
