//! A running step: a process of its own, with its output in one file and what became of it in another.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use crate::counts::{Counts, Ended};
use crate::step::{Context, Step};
use crate::workspace::Workspace;
use crate::{Outcome, files};

/// The hidden command that runs one step: `cargo xtask run-step NAME SELECTION`.
pub(crate) const RUN_STEP: &str = "run-step";

pub(super) struct Job {
    pub(super) step: &'static Step,
    child: Child,
    log: PathBuf,
    /// The bytes of the log that were printed while the step runs.
    shown: usize,
    started: Instant,
}

impl Job {
    pub(super) fn start(context: &Context<'_>, step: &'static Step) -> Outcome<Self> {
        let workspace = context.workspace;
        let log = workspace.log_of(step.name);
        let fault = files::fault(&log);
        let _ = fs::remove_file(result_of(workspace, step.name));
        let file = File::create(&log).map_err(fault)?;
        let not_started = |error| format!("A second process could not be started: {error}.");
        let child = Command::new(std::env::current_exe().map_err(not_started)?)
            .args([RUN_STEP, step.name])
            .args(&context.selection)
            .stdin(Stdio::null())
            .stdout(file.try_clone().map_err(fault)?)
            .stderr(file)
            .spawn()
            .map_err(not_started)?;
        Ok(Self { step, child, log, shown: 0, started: Instant::now() })
    }

    /// Prints what a compiler wrote since the last time, so that a person sees it move.
    pub(super) fn show(&mut self) {
        if self.step.compiles {
            let text = self.rest();
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            self.shown += whole;
            for line in text[..whole].lines() {
                println!("{} | {line}", self.step.name);
            }
        }
    }

    fn rest(&self) -> String {
        let bytes = fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&bytes[self.shown.min(bytes.len())..]).into_owned()
    }

    /// Returns what became of the step, when the process has ended.
    pub(super) fn ended(&mut self, workspace: &Workspace) -> Option<Ended> {
        let status = self.child.try_wait().transpose()?;
        let time = self.started.elapsed();
        self.show();
        print!("{}", self.rest());
        let result = fs::read(result_of(workspace, self.step.name)).ok();
        let told = result.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let (outcome, counts) = told.unwrap_or_else(|| {
            let sentence = match status {
                Ok(status) => format!("The step ended with {status}; its output is above."),
                Err(error) => format!("Waiting for the step failed: {error}."),
            };
            (Err(sentence), Counts::default())
        });
        Some(Ended { name: self.step.name, outcome, counts, time })
    }
}

/// Runs one step in this process, for a run that waits for the result.
pub(crate) fn run_step(step: &'static Step, context: &Context<'_>) -> Outcome<()> {
    let mut counts = Counts::default();
    let outcome = step.run(context, &mut counts);
    if let Err(sentence) = &outcome {
        println!("{sentence}");
    }
    let told = serde_json::to_vec(&(outcome, counts)).expect("texts and numbers");
    files::write(&result_of(context.workspace, step.name), told)
}

fn result_of(workspace: &Workspace, step: &str) -> PathBuf {
    workspace.log_of(step).with_extension("json")
}
