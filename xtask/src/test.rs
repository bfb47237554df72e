//! `cargo xtask test` and `ci`: select steps from the table in [`steps`] and run them.

mod browsers;
mod changed;
mod jobs;
mod steps;

use std::collections::BTreeSet;

use crate::groups::{self, GROUPS};
use crate::step::{Context, Step, When, named, select};
use crate::workspace::{TESTED, Workspace};
use crate::{Outcome, changes, flags, runner};
use steps::QUICK;
pub(crate) use steps::STEPS;

/// The tests that `--quick` compiles. It uses the features of the whole workspace, so that other tests reuse the result.
const QUICK_TESTS: &[&str] = &["--lib", "--bins", "--test", "http", "--test", "it"];

pub(crate) fn run(workspace: &Workspace, flags: &flags::Test) -> Outcome<()> {
    let given = [flags.quick, flags.changed, flags.part.is_some(), flags.step.is_some()];
    if given.into_iter().filter(|given| *given).count() > 1 {
        return Err("`cargo xtask test` takes one of: a part, --changed, --quick, --step.".to_owned());
    }
    let always = |step: &Step| step.when == When::Always && !step.parts.contains(&"lint");
    let (steps, selection) = if flags.quick {
        (select(STEPS, |step| QUICK.contains(&step.name)), tested(QUICK_TESTS.iter().copied()))
    } else if let Some(name) = &flags.step {
        (named(STEPS, name)?, tested([]))
    } else if let Some(part) = &flags.part {
        of_part(part)?
    } else if flags.changed {
        let broken = changed::steps(workspace)?;
        let can_break = |name: &str| broken.as_ref().is_none_or(|names| names.contains(&name));
        let steps = select(STEPS, |step| always(step) && can_break(step.name));
        let selection = if broken.is_some() { changed::tests_of(workspace, &steps) } else { Vec::new() };
        (steps, tested(selection.iter().map(String::as_str)))
    } else {
        (select(STEPS, always), tested([]))
    };
    runner::run(&steps, &Context { workspace, selection })
}

pub(crate) fn ci(workspace: &Workspace, flags: &flags::Ci) -> Outcome<()> {
    let groups = if flags.everything {
        GROUPS.map(|(group, ..)| group).to_vec()
    } else {
        groups::of_this_run(changes::count(workspace)?, &changes::files(workspace)?)
    };
    for (_, what, _) in GROUPS.iter().filter(|(group, ..)| groups.contains(group)) {
        println!("in this run: {what}");
    }
    let steps = select(STEPS, |step| match step.when {
        When::Quick => false,
        When::Always | When::Ci => true,
        When::Turn(group) => groups.contains(&group),
    });
    runner::run(&steps, &Context { workspace, selection: tested([]) })?;
    changes::passed(workspace)
}

/// Arguments of `cargo test` for some targets of the whole workspace, whose features are those of all tests.
fn tested<'a>(targets: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    TESTED.iter().copied().chain(targets).map(str::to_owned).collect()
}

/// The steps of a part, and its packages as arguments of cargo.
fn of_part(part: &str) -> Outcome<(Vec<&'static Step>, Vec<String>)> {
    let is_of_part = |step: &&Step| step.parts.contains(&part);
    let packages = STEPS.iter().filter(is_of_part).flat_map(|step| step.programs);
    let packages = packages.flat_map(|package| ["--package".to_owned(), (*package).to_owned()]).collect();
    let steps = select(STEPS, |step| is_of_part(&step));
    if steps.is_empty() {
        let parts: BTreeSet<&str> = STEPS.iter().flat_map(|step| step.parts).copied().collect();
        return Err(format!("There is no part `{part}`; the parts are {parts:?}."));
    }
    Ok((steps, packages))
}
