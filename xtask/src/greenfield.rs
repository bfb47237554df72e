//! Clients of the Greenfield API that others wrote, from PyPI and npm, in front of the running gateway.

use std::process::Command;

use serde_json::Value;

use crate::counts::{Counts, counted};
use crate::sandbox::Sandbox;
use crate::workspace::Workspace;
use crate::{Outcome, process, setup};

/// Requires the debug build of the gateway.
pub(crate) fn test(workspace: &Workspace, counts: &mut Counts) -> Outcome<()> {
    let python = setup::python_environment(workspace, &setup::SHOPS_IN_PYTHON)?;
    let node = setup::npm_project(workspace, &setup::SHOPS)?;
    let gateway = Sandbox::start(workspace, "greenfield")?;
    let create = ["business", "create", "--sandbox", "--json", "--name", "Kettle & Co", "--greenfield"];
    let made: Value = process::json(&mut gateway.command(&create))?;
    let text = |name: &str| made[name].as_str().unwrap_or_default().to_owned();
    let variables = [
        ("GREENFIELD_URL", gateway.says("baseUrl").to_owned()),
        ("GREENFIELD_STORE", text("id")),
        ("GREENFIELD_KEY", text("token")),
    ];
    let mut shop = Command::new(python);
    shop.arg(workspace.root.join("tests/greenfield/run.py")).envs(variables.clone());
    counted(&mut shop, counts)?;
    let mut shop = Command::new("node");
    shop.args(["--test", "--test-reporter=tap"]).envs(variables).current_dir(node);
    counted(&mut shop, counts)
}
