//! Tests the running gateway against its own OpenAPI document: schemathesis sends valid and invalid requests.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::counts::{Counts, counted};
use crate::files;
use crate::outcome::Outcome;
use crate::program::{self, Profile};
use crate::workspace::Workspace;
use crate::{process, setup};

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
    let binary = program::binary(workspace, Profile::Debug);
    let data = workspace.scratch().join("contract");
    let gateway = Gateway::start(&binary, &data)?;
    let mut command = Command::new(python);
    command.arg(folder.join("run.py")).args([&gateway.url, &gateway.business]);
    command.env("CHECKOUT_TOKEN", &gateway.token).env("PYTHONUNBUFFERED", "1");
    command.env("CHECKOUT_ORGANISATION_KEY", organisation_key(&binary, &data)?);
    counted(&mut command, counts)
}

fn database(data: &Path) -> String {
    format!("sqlite:{}", data.join("checkout.db").display())
}

fn organisation_key(binary: &Path, data: &Path) -> Outcome<String> {
    let mut command = Command::new(binary);
    let key = process::capture(command.args(["organisation-key", "--database", &database(data)]))?;
    Ok(key.trim().to_owned())
}

/// A sandbox gateway on a free port with a new database; killed when it is dropped.
struct Gateway {
    child: Child,
    url: String,
    business: String,
    token: String,
}

impl Gateway {
    fn start(binary: &Path, data: &Path) -> Outcome<Self> {
        let io = files::fault(data);
        files::empty_folder(data)?;
        let log = data.join("gateway.log");
        let mut child = Command::new(binary)
            .args(["serve", "--sandbox", "--listen", "127.0.0.1:0", "--database"])
            .arg(database(data))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log).map_err(io)?)
            .spawn()
            .map_err(files::fault(binary))?;
        let stdout = child.stdout.take().expect("standard output was piped above");
        // From here on, `Drop` ends the process.
        let mut gateway = Self { child, url: String::new(), business: String::new(), token: String::new() };
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).map_err(io)?;
        let ready: Value = serde_json::from_str(&line)
            .map_err(|_| format!("The gateway did not start; see {}.", log.display()))?;
        let text = |name: &str| ready[name].as_str().unwrap_or_default().to_owned();
        gateway.url = text("baseUrl");
        gateway.business = text("businessId");
        gateway.token = text("businessToken");
        Ok(gateway)
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
