//! Runs the steps of `cargo xtask test`, `lint` and `serve`. Prints a headline with the usual time before each step,
//! and all failures and the commands that repeat them at the end.

mod aside;
mod lane;
mod times;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::counts::Counts;
use crate::flags::Part;
use crate::suite::Suite;
use crate::workspace::Workspace;
use aside::Aside;
use lane::Lane;
use times::Times;

/// How much of the table a command runs: each tier has the steps of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// `test`: for a person, several times a day.
    Test,
    /// `test --all`: before a merge.
    All,
    /// `ci`: with searches of minutes in what another step samples.
    Ci,
}

/// One row of a table of steps.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// Parts of the product that select this step.
    pub(crate) parts: &'static [Part],
    /// Steps that must succeed before this one.
    pub(crate) needs: &'static [&'static str],
    /// Seconds on two idle cores with nothing compiled yet. After the first run, the measured time is used instead.
    pub(crate) usual: u64,
    /// The step waits for downloads: it runs in parallel to the others, with its output in a file.
    pub(crate) aside: bool,
    /// The step waits more than it computes: all such steps run one after the other, in parallel to those that follow them
    /// in the table.
    pub(crate) beside: bool,
    pub(crate) tier: Tier,
    /// A sample of what a step of the next tier tests whole, which runs this one's tests, too.
    pub(crate) sample: bool,
    pub(crate) run: fn(&Context<'_>, &mut Counts) -> Outcome<()>,
}

impl Step {
    pub(crate) const fn new(
        name: &'static str,
        usual: u64,
        run: fn(&Context<'_>, &mut Counts) -> Outcome<()>,
    ) -> Self {
        Self {
            name,
            parts: &[],
            needs: &[],
            usual,
            aside: false,
            beside: false,
            tier: Tier::Test,
            sample: false,
            run,
        }
    }

    pub(crate) const fn parts(self, parts: &'static [Part]) -> Self {
        Self { parts, ..self }
    }

    pub(crate) const fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    pub(crate) const fn aside(self) -> Self {
        Self { aside: true, ..self }
    }

    pub(crate) const fn beside(self) -> Self {
        Self { beside: true, ..self }
    }

    pub(crate) const fn tier(self, tier: Tier) -> Self {
        Self { tier, ..self }
    }

    pub(crate) const fn sample(self) -> Self {
        Self { sample: true, ..self }
    }

    pub(crate) fn is_in(&self, tier: Tier) -> bool {
        self.tier <= tier && !(self.sample && tier > self.tier)
    }
}

/// The data that the steps of one run share.
pub(crate) struct Context<'a> {
    pub(crate) workspace: &'a Workspace,
    /// Arguments of `cargo test` that name the tests to compile.
    pub(crate) selection: Vec<&'static str>,
    pub(crate) suite: OnceCell<Suite>,
    /// Whether steps that wait run beside others: faster, on a machine that is busier for it.
    pub(crate) in_parallel: bool,
}

impl<'a> Context<'a> {
    pub(crate) fn new(workspace: &'a Workspace, selection: Vec<&'static str>) -> Self {
        Self { workspace, selection, suite: OnceCell::new(), in_parallel: true }
    }

    pub(crate) fn one_after_the_other(self) -> Self {
        Self { in_parallel: false, ..self }
    }

    /// The test programs. A step that uses them needs the step that compiles them.
    pub(crate) fn suite(&self) -> Outcome<&Suite> {
        self.suite.get().ok_or_else(|| "The tests are not compiled.".to_owned())
    }
}

/// A step and the command that repeats it, up to its `--step`.
#[derive(Clone, Copy)]
pub(crate) struct Selected {
    pub(crate) command: &'static str,
    pub(crate) step: &'static Step,
}

/// Returns the selected steps and all steps that they need, in the order of the table.
pub(crate) fn select(
    command: &'static str,
    table: &'static [Step],
    wanted: impl Fn(&Step) -> bool,
) -> Vec<Selected> {
    let mut names: BTreeSet<&str> = table.iter().filter(|step| wanted(step)).map(|step| step.name).collect();
    // A step needs only steps that are earlier in the table.
    for step in table.iter().rev() {
        if names.contains(step.name) {
            names.extend(step.needs);
        }
    }
    let selected = table.iter().filter(|step| names.contains(step.name));
    selected.map(|step| Selected { command, step }).collect()
}

/// Returns the step of this name and all steps that it needs.
pub(crate) fn named(command: &'static str, table: &'static [Step], name: &str) -> Outcome<Vec<Selected>> {
    let selected = select(command, table, |step| step.name == name);
    if selected.is_empty() {
        let names: Vec<&str> = table.iter().map(|step| step.name).collect();
        return Err(format!("There is no step `{name}`; known steps:\n    {}", names.join("\n    ")));
    }
    Ok(selected)
}

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
        waiting.push(Aside::start(&workspace.scratch(), *selected, &[])?);
    }
    let mut ran = Ran { times, time: Duration::ZERO, failures: Vec::new(), counts: Counts::default() };
    let mut lane: Option<Lane> = None;
    for (index, Selected { command, step }) in steps.iter().enumerate() {
        if let Some(need) = step.needs.iter().find(|need| ran.has_failed(need)) {
            ran.failures.push((step.name, format!("Not run: it needs the step `{need}`.")));
            continue;
        }
        if step.beside && together && context.in_parallel {
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

/// Formats a time: `75 s`, `12 min`.
fn shown(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds => format!("{} min", (seconds + 30) / 60),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Step, bar, named, select, shown};
    use crate::flags::Part;

    const fn step(name: &'static str, parts: &'static [Part], needs: &'static [&'static str]) -> Step {
        Step::new(name, 1, |_, _| Ok(())).parts(parts).needs(needs)
    }

    static TABLE: &[Step] = &[
        step("tools", &[], &[]),
        step("site", &[], &["tools"]),
        step("core", &[Part::Core], &[]),
        step("e2e", &[Part::E2e], &["site"]),
    ];

    #[test]
    fn a_step_brings_what_it_needs() {
        let check = |wanted: fn(&Step) -> bool, expected: &[&str]| {
            let names: Vec<&str> =
                select("test", TABLE, wanted).into_iter().map(|selected| selected.step.name).collect();
            assert_eq!(names, expected);
        };
        check(|_| true, &["tools", "site", "core", "e2e"]);
        check(|step| step.parts.contains(&Part::Core), &["core"]);
        check(|step| step.parts.contains(&Part::E2e), &["tools", "site", "e2e"]);
        assert!(named("test", TABLE, "nothing").is_err_and(|sentence| sentence.contains("\n    site\n")));
    }

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

    #[test]
    fn times_are_short() {
        for (seconds, expected) in [(0, "0 s"), (99, "99 s"), (100, "2 min"), (1_199, "20 min")] {
            assert_eq!(shown(Duration::from_secs(seconds)), expected);
        }
    }
}
