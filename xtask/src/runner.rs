//! Runs the steps of `cargo xtask test`, `lint` and `serve`. Prints a headline with the usual time before each step,
//! and all failures and the commands that repeat them at the end.

mod aside;
mod lane;
mod times;

use std::time::{Duration, Instant};

use crate::counts::Counts;
use crate::outcome::Outcome;
use crate::step::{Context, Selected};
use aside::Aside;
use lane::Lane;
use times::{Times, shown};

/// Runs the steps of a test command; prints times, failures and how to repeat them, and finally the sum
/// `N passed, N failed`.
pub(crate) fn run(steps: &[Selected], context: &Context<'_>) -> Outcome<()> {
    let Ran { times, time, failures, counts } = all(steps, context)?;
    println!("\n{}", times.table(steps.iter().map(|selected| selected.step.name), time));
    report(&failures, &counts.repeat);
    println!("{counts}");
    if failures.is_empty() { Ok(()) } else { std::process::exit(1) }
}

/// Runs the first steps of another command.
pub(crate) fn prepare(steps: &[Selected], context: &Context<'_>) -> Outcome<()> {
    let mut ran = all(steps, context)?;
    if ran.failures.is_empty() { Ok(()) } else { Err(ran.failures.swap_remove(0).1) }
}

struct Ran {
    times: Times,
    time: Duration,
    failures: Vec<(&'static str, String)>,
    counts: Counts,
}

/// Runs all steps except those that need a failed step.
fn all(steps: &[Selected], context: &Context<'_>) -> Outcome<Ran> {
    let workspace = context.workspace;
    let times = Times::read(workspace);
    let started = Instant::now();
    let usual = |steps: &[Selected]| -> Vec<_> {
        steps.iter().map(|selected| (selected.step.name, selected.step.usual)).collect()
    };
    println!("{} steps, about {}", steps.len(), shown(times.of_all(&usual(steps))));

    // A single step shows its output.
    let together = steps.len() > 1;
    let mut waiting: Vec<Aside> = Vec::new();
    for selected in steps.iter().filter(|selected| selected.step.aside && together) {
        waiting.push(Aside::start(&workspace.scratch(), selected.command, selected.step.name, &[])?);
    }
    let mut ran = Ran { times, time: Duration::ZERO, failures: Vec::new(), counts: Counts::default() };
    let mut lane: Option<Lane> = None;
    for (index, Selected { command, step }) in steps.iter().enumerate() {
        if let Some(need) = step.needs.iter().find(|need| ran.has_failed(need)) {
            ran.failures.push((step.name, format!("Not run: it needs the step `{need}`.")));
            continue;
        }
        if step.beside && together {
            let lane = lane.get_or_insert_with(Lane::default);
            lane.queue(Selected { command, step });
            continue;
        }
        if let Some(lane) = &mut lane {
            lane.start(workspace);
        }
        let bar = bar(ran.times.of_all(&usual(&steps[..index])), ran.times.of_all(&usual(steps)));
        headline(&bar, index + 1, steps.len(), &ran.times.of(step.name, step.usual), step.name);
        let since = Instant::now();
        let mut counts = Counts::default();
        let (outcome, time) = match waiting.iter().position(|aside| aside.name == step.name) {
            Some(place) => waiting.swap_remove(place).finish(&mut counts),
            None => ((step.run)(context, &mut counts), since.elapsed()),
        };
        ran.add(command, step.name, outcome, time, counts);
    }
    if let Some(mut lane) = lane {
        lane.start(workspace);
        for (selected, outcome, time, counts) in lane.finish() {
            ran.add(selected.command, selected.step.name, outcome, time, counts);
        }
    }
    ran.time = started.elapsed();
    ran.times.write(workspace)?;
    Ok(ran)
}

fn headline(bar: &str, number: usize, all: usize, usual: &str, name: &str) {
    println!("\n== {bar} {number}/{all} {name} ({usual})");
}

impl Ran {
    fn has_failed(&self, name: &str) -> bool {
        self.failures.iter().any(|(failure, _)| *failure == name)
    }

    fn add(
        &mut self,
        command: &str,
        name: &'static str,
        outcome: Outcome<()>,
        time: Duration,
        mut counts: Counts,
    ) {
        match outcome {
            Ok(()) => self.times.keep(name, time),
            Err(sentence) => {
                println!("{sentence}");
                if counts.failed == 0 {
                    counts.failed = 1;
                    counts.repeat.push(format!("cargo xtask {command} --step '{name}'"));
                }
                self.failures.push((name, sentence));
            }
        }
        self.counts.add(counts);
    }
}

/// A progress bar over the usual time: `[####----------------]`.
fn bar(done: Duration, all: Duration) -> String {
    const WIDTH: u32 = 20;
    let full = (0..WIDTH).filter(|place| all * *place < done * WIDTH).count();
    format!("[{}{}]", "#".repeat(full), "-".repeat(WIDTH as usize - full))
}

fn report(failures: &[(&str, String)], repeat: &[String]) {
    for (name, sentence) in failures {
        println!("FAILED: {name}\n{sentence}\n");
    }
    match repeat {
        [] => {}
        [command] => println!("To repeat it:\n    {command}\n"),
        commands => println!("To repeat them:\n    {}\n", commands.join("\n    ")),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::bar;

    #[test]
    fn the_bar_fills_with_time() {
        let check = |done, all, expected| {
            assert_eq!(bar(Duration::from_secs(done), Duration::from_secs(all)), expected);
        };
        check(0, 60, "[--------------------]");
        check(30, 60, "[##########----------]");
        check(60, 60, "[####################]");
        check(0, 0, "[--------------------]");
    }
}
