//! The steps of a run with what they wait for.

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use super::Steps;
use super::job::Job;
use crate::counts::Ended;
use crate::step::{COMPILING, Context, Step, Weight};
use crate::suite::Suite;
use crate::{Outcome, registry};

const PAUSE: Duration = Duration::from_millis(100);

pub(super) struct Graph<'a> {
    context: &'a Context<'a>,
    gates: Vec<&'static str>,
    pending: Vec<&'static Step>,
    not_run: Vec<&'static str>,
    running: Vec<Job>,
    ended: Vec<Ended>,
    /// Seconds from the start of a step to the end of the last one that needs it.
    ranks: BTreeMap<&'static str, u64>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(steps: &Steps, context: &'a Context<'a>) -> Self {
        Suite::forget(context.workspace);
        Self {
            context,
            gates: steps.iter().filter(|step| step.gate).map(|step| step.name).collect(),
            pending: steps.to_vec(),
            not_run: Vec::new(),
            running: Vec::new(),
            ended: Vec::new(),
            ranks: ranks(steps),
        }
    }

    pub(super) fn run(mut self) -> Outcome<Vec<Ended>> {
        while !(self.pending.is_empty() && self.running.is_empty()) {
            self.drop_what_cannot_run();
            while let Some(step) = self.next() {
                self.pending.retain(|pending| pending.name != step.name);
                println!("\n== {} starts", step.name);
                self.running.push(Job::start(self.context, step)?);
            }
            thread::sleep(PAUSE);
            self.collect()?;
        }
        if !self.not_run.is_empty() {
            println!("\nNot run, because a step before them failed: {}", self.not_run.join(", "));
        }
        Ok(self.ended)
    }

    fn collect(&mut self) -> Outcome<()> {
        for place in (0..self.running.len()).rev() {
            self.running[place].show();
            let Some(ended) = self.running[place].ended(self.context.workspace) else { continue };
            if self.running.swap_remove(place).step.compiles {
                registry::store(self.context.workspace)?;
            }
            let result = if ended.outcome.is_ok() { "ok" } else { "FAILED" };
            println!("== {}: {result}, {} s", ended.name, ended.time.as_secs());
            self.ended.push(ended);
            let names: Vec<&str> = self.running.iter().map(|job| job.step.name).collect();
            println!("   {} steps to go; running: {}", self.pending.len() + names.len(), names.join(", "));
        }
        Ok(())
    }

    /// A step whose need failed does not run, nor anything after a gate that failed.
    fn drop_what_cannot_run(&mut self) {
        let has_failed =
            |name: &str| self.ended.iter().any(|step| step.name == name && step.outcome.is_err());
        let is_lost = |name: &str| has_failed(name) || self.not_run.contains(&name);
        let is_closed = self.gates.iter().any(|gate| has_failed(gate));
        let (dropped, pending): (Vec<_>, Vec<_>) = self
            .pending
            .iter()
            .partition(|step| is_closed && !step.gate || step.needs.iter().any(|need| is_lost(need)));
        self.pending = pending;
        self.not_run.extend(dropped.iter().map(|step| step.name));
    }

    /// The step to start now: of those that are ready and for which there is room, the one with the longest way to the end.
    fn next(&self) -> Option<&'static Step> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let used: usize = self.running.iter().map(|job| halves(job.step, processors)).sum();
        let room = (2 * processors + 1).saturating_sub(used);
        let reported = Suite::reported(self.context.workspace);
        let gates_open =
            self.running.iter().all(|job| !job.step.gate) && self.pending.iter().all(|step| !step.gate);
        let ready = |step: &&&'static Step| {
            (gates_open || step.gate || is_setup(step))
                && (halves(step, processors) <= room || used == 0)
                && step.needs.iter().all(|need| self.is_met(step, need, &reported))
        };
        self.pending.iter().filter(ready).max_by_key(|step| self.ranks[step.name]).copied()
    }

    /// A need that this run does not contain is met. Test programs can be run as soon as cargo reports them.
    fn is_met(&self, step: &Step, need: &str, reported: &Suite) -> bool {
        let is_open = self.pending.iter().any(|other| other.name == need)
            || self.running.iter().any(|job| job.step.name == need);
        !is_open || need == COMPILING && reported.has(step.programs, &self.context.workspace.packages)
    }
}

/// What a step takes of the machine.
fn halves(step: &Step, processors: usize) -> usize {
    if is_setup(step) { 0 } else { (step.weight as usize).min(2 * processors) }
}

/// What downloads and installs waits for nothing, and nothing has to make room for it.
fn is_setup(step: &Step) -> bool {
    step.weight == Weight::Half && step.needs.is_empty()
}

fn ranks(steps: &Steps) -> BTreeMap<&'static str, u64> {
    let mut ranks: BTreeMap<&str, u64> = BTreeMap::new();
    for step in steps.iter().rev() {
        let after = steps.iter().filter(|other| other.needs.contains(&step.name));
        let longest = after.map(|other| ranks[other.name]).max().unwrap_or_default();
        ranks.insert(step.name, step.usual + longest);
    }
    ranks
}
