//! A running sandbox gateway for tests in other languages.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::workspace::{Profile, Workspace};
use crate::{Outcome, files, process, program};

/// A gateway on a free port with a new database; killed when it is dropped.
pub(crate) struct Sandbox {
    child: Child,
    binary: PathBuf,
    database: String,
    /// What it says when it is ready.
    ready: Value,
}

impl Sandbox {
    /// The debug build; its database and log are in the folder of this name.
    pub(crate) fn start(workspace: &Workspace, name: &str) -> Outcome<Self> {
        Self::of(program::binary(workspace, Profile::Debug), &workspace.scratch().join(name), &[])
    }

    /// Any build, with more arguments; its database and log are in the folder `data`.
    pub(crate) fn of(binary: PathBuf, data: &Path, more: &[&str]) -> Outcome<Self> {
        let io = files::fault(data);
        files::empty_folder(data)?;
        let log = data.join("gateway.log");
        let database = format!("sqlite:{}", data.join("checkout.db").display());
        let mut child = Command::new(&binary)
            .args(["serve", "--sandbox", "--listen", "127.0.0.1:0", "--database", &database])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log).map_err(io)?)
            .spawn()
            .map_err(files::fault(&binary))?;
        let stdout = child.stdout.take().expect("standard output was piped above");
        // From here on, `Drop` ends the process.
        let mut sandbox = Self { child, binary, database, ready: Value::Null };
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).map_err(io)?;
        sandbox.ready = serde_json::from_str(&line)
            .map_err(|_| format!("The gateway did not start; see {}.", log.display()))?;
        Ok(sandbox)
    }

    /// `baseUrl`, `businessId`, `businessToken`, and with `--shop` also `shopUrl`.
    pub(crate) fn says(&self, name: &str) -> &str {
        self.ready[name].as_str().unwrap_or_default()
    }

    pub(crate) fn organisation_key(&self) -> Outcome<String> {
        Ok(process::capture(&mut self.command(&["organisation-key"]))?.trim().to_owned())
    }

    /// What the quick starts of the clients read: a business, whose callbacks go to a port of the test.
    pub(crate) fn environment(&self) -> Outcome<[(&'static str, String); 4]> {
        self.shop(&["--deposit-callback"], "")
    }

    /// A business whose webhooks go to this path at a port of the test. `webhooks` are its options, of which the last takes the URL.
    pub(crate) fn shop(&self, webhooks: &[&str], path: &str) -> Outcome<[(&'static str, String); 4]> {
        let fault = |error: std::io::Error| format!("No port for webhooks: {error}.");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).map_err(fault)?.port();
        let url = format!("http://127.0.0.1:{port}/{path}");
        let made = self.business(&[webhooks, &[&url]].concat())?;
        let text = |name: &str| made[name].as_str().unwrap_or_default().to_owned();
        Ok([
            ("CHECKOUT_URL", self.says("baseUrl").to_owned()),
            ("CHECKOUT_TOKEN", text("token")),
            ("CHECKOUT_SECRET", text("callbackSecret")),
            ("PORT", port.to_string()),
        ])
    }

    /// Creates a business with these options.
    pub(crate) fn business(&self, options: &[&str]) -> Outcome<Value> {
        let create = ["business", "create", "--sandbox", "--json", "--name", "Kettle & Co"];
        process::json(self.command(&create).args(options))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments).args(["--database", &self.database]);
        command
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
