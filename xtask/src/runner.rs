//! Runs the steps of `cargo xtask test`, `ci` and `serve`: each in a process of its own, as many at once as the machine
//! has room for, the longest way to the end first. Prints what a step wrote when it ends, and at the end all failures and
//! the commands that repeat them.

mod graph;
mod job;

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use crate::counts::{Counts, Ended};
use crate::step::{Context, Step};
use crate::{Outcome, registry, repeat};
use graph::Graph;
pub(crate) use job::{RUN_STEP, run_step};

type Steps = [&'static Step];

/// Runs the steps of a test command, and repeats failed tests as their kind allows; prints times, failures and how to repeat
/// them, and finally the sum `N passed, N failed`.
pub(crate) fn run(steps: &Steps, context: &Context<'_>) -> Outcome<()> {
    let started = Instant::now();
    let mut ended = all(steps, context)?;
    repeat::judge(context, &mut ended)?;
    ended.sort_by_key(|step| Reverse(step.time));
    println!();
    for step in &ended {
        print_time(step.time, step.name);
    }
    print_time(started.elapsed(), "in all\n");
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for Ended { name, outcome, counts: of_step, .. } in ended {
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
    println!("{} passed, {} failed", counts.passed, counts.failed);
    if failures.is_empty() { Ok(()) } else { std::process::exit(1) }
}

/// Runs the first steps of another command.
pub(crate) fn prepare(steps: &Steps, context: &Context<'_>) -> Outcome<()> {
    let ended = all(steps, context)?;
    ended.into_iter().try_for_each(|step| step.outcome)
}

fn all(steps: &Steps, context: &Context<'_>) -> Outcome<Vec<Ended>> {
    if let [only] = steps {
        let mut counts = Counts::default();
        let started = Instant::now();
        let outcome = only.run(context, &mut counts);
        return Ok(vec![Ended { name: only.name, outcome, counts, time: started.elapsed() }]);
    }
    registry::fetch(context.workspace)?;
    Graph::new(steps, context).run()
}

fn print_time(time: Duration, what: &str) {
    println!("{:>8.1} s  {what}", time.as_secs_f64());
}
