//! Runs the steps of `cargo xtask test`, `ci` and `serve`: each in a process of its own, as many at once as the machine
//! has room for, the longest way to the end first. Prints what a step wrote when it ends, and at the end all failures and
//! the commands that repeat them.

mod graph;
mod job;
mod times;

use std::time::Instant;

use crate::counts::{Counts, Ended};
use crate::step::{Context, Step};
use crate::{Outcome, registry, repeat};
use graph::Graph;
pub(crate) use job::{RUN_STEP, run_step};
use times::{Times, shown};

/// One command's steps.
pub(crate) struct Plan {
    /// `test` or `serve`.
    pub(crate) command: &'static str,
    pub(crate) steps: Vec<&'static Step>,
}

/// Runs the steps of a test command, and repeats failed tests as their kind allows; prints times, failures and how to repeat
/// them, and finally the sum `N passed, N failed`.
pub(crate) fn run(plan: &Plan, context: &Context<'_>) -> Outcome<()> {
    let started = Instant::now();
    let mut times = Times::read(context.workspace, plan.command);
    let mut ended = all(plan, context, &mut times)?;
    times.write(context.workspace)?;
    repeat::judge(context, &mut ended)?;
    println!("\n{}", times.table(started.elapsed()));
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for Ended { name, outcome, counts: of_step } in ended {
        if let Err(sentence) = outcome {
            failures.push(format!("FAILED: {name}\n{sentence}"));
            counts.failed += u64::from(of_step.failed == 0);
            if of_step.repeat.is_empty() {
                counts.repeat.push(format!("cargo xtask {} --step '{name}'", plan.command));
            }
        }
        counts.add(of_step);
    }
    report(&failures, &counts.repeat);
    println!("{counts}");
    if failures.is_empty() { Ok(()) } else { std::process::exit(1) }
}

/// Runs the first steps of another command.
pub(crate) fn prepare(plan: &Plan, context: &Context<'_>) -> Outcome<()> {
    let mut times = Times::read(context.workspace, plan.command);
    let ended = all(plan, context, &mut times)?;
    times.write(context.workspace)?;
    ended.into_iter().try_for_each(|step| step.outcome)
}

fn all(plan: &Plan, context: &Context<'_>, times: &mut Times) -> Outcome<Vec<Ended>> {
    if let [only] = plan.steps[..] {
        let mut counts = Counts::default();
        let started = Instant::now();
        let outcome = (only.run)(context, &mut counts);
        times.keep(only.name, started.elapsed());
        return Ok(vec![Ended { name: only.name, outcome, counts }]);
    }
    registry::fetch(context.workspace)?;
    Graph::new(plan, context, times).run()
}

fn report(failures: &[String], repeat: &[String]) {
    for failure in failures {
        println!("{failure}\n");
    }
    match repeat {
        [] => {}
        [command] => println!("To repeat it:\n    {command}\n"),
        commands => println!("To repeat them:\n    {}\n", commands.join("\n    ")),
    }
}
