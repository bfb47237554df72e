//! `cargo xtask test`: selects steps from the tables in [`steps`] and runs them.

mod browsers;
mod changed;
mod jobs;
mod packages;
mod steps;

use std::slice;

use crate::flags::{self, Part};
use crate::outcome::Outcome;
use crate::site::Module;
use crate::step::{Context, Tier, named, select};
use crate::suite::Suite;
use crate::workspace::{TESTED, Workspace};
use crate::{lint, runner};
use packages::PACKAGES;
use steps::{QUICK, STEPS};

/// The tests that `--quick` compiles. It uses the features of the whole workspace, so that other tests reuse the result.
const QUICK_TESTS: &[&str] =
    &["--workspace", "--exclude", "xtask-bindgen", "--lib", "--bins", "--test", "http", "--test", "it"];

pub(crate) fn run(workspace: &Workspace, flags: &flags::Test) -> Outcome<()> {
    let tier = if flags.all { Tier::All } else { Tier::Test };
    let (command, table, whole) = if flags.quick {
        ("test --quick", QUICK, QUICK_TESTS.to_vec())
    } else {
        ("test", STEPS, TESTED.to_vec())
    };
    let given = [flags.quick, flags.all, flags.changed, flags.part.is_some(), flags.step.is_some()];
    let with_quick = flags.quick && flags.step.is_some();
    if given.into_iter().filter(|given| *given).count() > 1 && !with_quick {
        return Err("`cargo xtask test` takes one of: a part, --all, --changed, --quick, --step.".to_owned());
    }
    let (steps, selection) = match (flags.part, &flags.step) {
        (_, Some(name)) => (named(command, table, name)?, whole),
        (Some(part), None) => (
            select(command, table, |step| step.is_in(Tier::All) && step.parts.contains(&part)),
            packages_of(part),
        ),
        (None, None) if flags.changed => {
            let broken = changed::steps(workspace)?;
            let can_break = |name: &str| broken.as_ref().is_none_or(|names| names.contains(&name));
            (select(command, table, |step| step.is_in(tier) && can_break(step.name)), whole)
        }
        (None, None) => (select(command, table, |step| step.is_in(tier)), whole),
    };
    let module = if steps.iter().all(|selected| selected.step.is_in(Tier::Test)) {
        Module::AsCompiled
    } else {
        Module::Optimised
    };
    if flags.prepared {
        let context = Context::new(workspace, selection).with(module);
        let compiled = Suite::compiled(workspace)?;
        context.suite.get_or_init(|| compiled);
        return runner::run(steps.last().map(slice::from_ref).unwrap_or_default(), &context);
    }
    runner::run(&steps, &Context::new(workspace, selection).with(module))
}

pub(crate) fn run_with_lint(workspace: &Workspace) -> Outcome<()> {
    let mut steps = select("test", STEPS, |step| step.is_in(Tier::Ci));
    steps.extend(
        lint::steps().into_iter().filter(|lint| STEPS.iter().all(|step| step.name != lint.step.name)),
    );
    runner::run(&steps, &Context::new(workspace, TESTED.to_vec()))
}

/// The packages of a part, as arguments of cargo.
fn packages_of(part: Part) -> Vec<&'static str> {
    let packages = PACKAGES.iter().filter(|(_, of, _)| *of == part);
    packages.flat_map(|(package, ..)| ["--package", package]).collect()
}
