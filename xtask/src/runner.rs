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

type Steps = [&'static Step];

/// Runs the steps of a test command, and repeats failed tests as their kind allows; prints times, failures and how to repeat
/// them, and finally the sum `N passed, N failed`.
pub(crate) fn run(steps: &Steps, context: &Context<'_>) -> Outcome<()> {
    let started = Instant::now();
    let mut times = Times::read(context.workspace);
    let mut ended = all(steps, context, &mut times)?;
    repeat::judge(context, &mut ended)?;
    println!("\n{}", times.table(started.elapsed()));
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for Ended { name, outcome, counts: of_step } in ended {
        if let Err(sentence) = outcome {
            failures.push(format!("FAILED: {name}\n{sentence}"));
            counts.failed += u64::from(of_step.failed == 0);
            if of_step.repeat.is_empty() {
                counts.repeat.push(format!("cargo xtask test --step '{name}'"));
            }
        }
        counts.add(of_step);
    }
    for failure in &failures {
        println!("{failure}\n");
    }
    if !counts.repeat.is_empty() {
        println!("To repeat:\n    {}\n", counts.repeat.join("\n    "));
    }
    println!("{counts}");
    if failures.is_empty() { Ok(()) } else { std::process::exit(1) }
}

/// Runs the first steps of another command.
pub(crate) fn prepare(steps: &Steps, context: &Context<'_>) -> Outcome<()> {
    let ended = all(steps, context, &mut Times::read(context.workspace))?;
    ended.into_iter().try_for_each(|step| step.outcome)
}

fn all(steps: &Steps, context: &Context<'_>, times: &mut Times) -> Outcome<Vec<Ended>> {
    if let [only] = steps {
        let mut counts = Counts::default();
        let started = Instant::now();
        let outcome = only.run(context, &mut counts);
        times.keep(only.name, started.elapsed());
        times.write(context.workspace)?;
        return Ok(vec![Ended { name: only.name, outcome, counts }]);
    }
    registry::fetch(context.workspace)?;
    let ended = Graph::new(steps, context, times).run()?;
    times.write(context.workspace)?;
    Ok(ended)
}
