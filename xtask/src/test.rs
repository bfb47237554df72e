//! `cargo xtask test`: selects steps from the tables in [`steps`] and runs them.

mod browsers;
mod jobs;
mod steps;

use crate::flags::{self, Part};
use crate::runner::{self, Context, named, select};
use crate::workspace::Workspace;
use crate::{Outcome, lint};
use steps::{PACKAGES, QUICK, STEPS};

/// What `--quick` compiles. It uses the features of the whole workspace, so that other tests reuse the result.
const QUICK_TESTS: &[&str] =
    &["--workspace", "--exclude", "xtask-bindgen", "--lib", "--bins", "--test", "http", "--test", "it"];
/// xtask-bindgen has no tests, and would be recompiled with the other packages' features.
pub(crate) const WHOLE: &[&str] = &["--workspace", "--exclude", "xtask-bindgen"];

pub(crate) fn run(workspace: &Workspace, flags: &flags::Test) -> Outcome<()> {
    let (command, table, whole) = if flags.quick {
        ("test --quick", QUICK, QUICK_TESTS.to_vec())
    } else {
        ("test", STEPS, WHOLE.to_vec())
    };
    let (steps, selection) = match (flags.part, &flags.step) {
        (None, None) => (select(command, table, |step| !step.long), whole),
        (None, Some(name)) => (named(command, table, name)?, whole),
        (Some(part), None) if !flags.quick => {
            (select(command, table, |step| !step.long && step.parts.contains(&part)), packages_of(part))
        }
        _ => return Err("`cargo xtask test` takes either a part, --quick or --step.".to_owned()),
    };
    runner::run(&steps, &Context::new(workspace, selection))
}

pub(crate) fn run_with_lint(workspace: &Workspace) -> Outcome<()> {
    let mut steps = select("test", STEPS, |_| true);
    steps.extend(
        lint::steps().into_iter().filter(|lint| STEPS.iter().all(|step| step.name != lint.step.name)),
    );
    runner::run(&steps, &Context::new(workspace, WHOLE.to_vec()))
}

/// The packages of a part. The package `checkout` contains the gateway's binary.
fn packages_of(part: Part) -> Vec<&'static str> {
    let with_program = matches!(part, Part::Contract | Part::E2e);
    let packages =
        PACKAGES.iter().filter(|(package, of, _)| *of == part || with_program && *package == "checkout");
    packages.flat_map(|(package, ..)| ["--package", package]).collect()
}
