//! A step that waits for downloads, run as a separate process in parallel with the other steps.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::counts::Counts;
use crate::files;
use crate::outcome::Outcome;

pub(super) struct Aside {
    pub(super) name: &'static str,
    child: Child,
    log: PathBuf,
    started: Instant,
}

impl Aside {
    /// Runs `cargo xtask <command> --step <name>`.
    pub(super) fn start(scratch: &Path, command: &str, name: &'static str, more: &[&str]) -> Outcome<Self> {
        let log = scratch.join(format!("{}.log", name.replace(' ', "-")));
        let fault = files::fault(&log);
        files::create_folder(scratch)?;
        let file = File::create(&log).map_err(fault)?;
        let myself = std::env::current_exe()
            .map_err(|error| format!("The path of this program is unknown: {error}."))?;
        let child = Command::new(myself)
            .args([command, "--step", name])
            .args(more)
            .stdin(Stdio::null())
            .stdout(file.try_clone().map_err(fault)?)
            .stderr(file)
            .spawn()
            .map_err(|error| format!("A second process could not be started: {error}."))?;
        Ok(Self { name, child, log, started: Instant::now() })
    }

    /// Waits for the end of the process and prints its output.
    pub(super) fn finish(mut self, counts: &mut Counts) -> (Outcome<()>, Duration) {
        let status = self.child.wait();
        let time = self.started.elapsed();
        let text = fs::read_to_string(&self.log).unwrap_or_default();
        print!("{text}");
        text.lines().for_each(|line| counts.read(line));
        let outcome = match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("The step ended with {status}; its output is above.")),
            Err(error) => Err(format!("Waiting for the step failed: {error}.")),
        };
        (outcome, time)
    }
}
