//! Steps that run one after the other beside the others, each in a process of its own.

use std::thread::JoinHandle;
use std::time::Duration;

use super::aside::Aside;
use crate::counts::Counts;
use crate::outcome::Outcome;
use crate::step::Selected;
use crate::workspace::Workspace;

pub(super) type Ended = (Selected, Outcome<()>, Duration, Counts);

#[derive(Default)]
pub(super) struct Lane {
    queue: Vec<Selected>,
    running: Option<JoinHandle<Vec<Ended>>>,
}

impl Lane {
    pub(super) fn queue(&mut self, selected: Selected) {
        self.queue.push(selected);
    }

    /// Starts the queued steps, once.
    pub(super) fn start(&mut self, workspace: &Workspace) {
        if self.running.is_some() {
            return;
        }
        let names: Vec<&str> = self.queue.iter().map(|selected| selected.step.name).collect();
        println!("\nBeside the next steps: {}", names.join(", "));
        let (scratch, queue) = (workspace.scratch(), std::mem::take(&mut self.queue));
        self.running = Some(std::thread::spawn(move || {
            queue
                .into_iter()
                .map(|selected| {
                    let mut counts = Counts::default();
                    let Selected { command, step } = selected;
                    let (outcome, time) = match Aside::start(&scratch, command, step.name, &["--prepared"]) {
                        Ok(aside) => aside.finish(&mut counts),
                        Err(sentence) => (Err(sentence), Duration::ZERO),
                    };
                    (selected, outcome, time, counts)
                })
                .collect()
        }));
    }

    /// Waits for all of them.
    pub(super) fn finish(self) -> Vec<Ended> {
        let Some(running) = self.running else { return Vec::new() };
        println!("\nWaiting for the steps beside");
        running.join().expect("the steps run in processes of their own")
    }
}
