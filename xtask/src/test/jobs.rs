//! The functions of the steps of `cargo xtask test`.

use std::fs;

use super::steps::PACKAGES;
use crate::build::{self, Profile};
use crate::counts::{Counts, counted};
use crate::runner::Context;
use crate::suite::{Run, Suite};
use crate::workspace::Workspace;
use crate::{Outcome, process, setup};

pub(super) fn compile(context: &Context<'_>, _: &mut Counts) -> Outcome<()> {
    setup::for_compiling()?;
    let suite = Suite::compile(context.workspace, &context.selection)?;
    context.suite.set(suite).map_err(|_| "The tests were compiled twice.".to_owned())
}

pub(super) fn package(context: &Context<'_>, package: &str, counts: &mut Counts) -> Outcome<()> {
    context.suite()?.run(package, &Run::default(), counts)
}

/// Tests a package whose tests start nodes.
pub(super) fn beside_anvil(context: &Context<'_>, package: &str, counts: &mut Counts) -> Outcome<()> {
    let anvil = setup::anvil(context.workspace)?;
    let variables = [(setup::ANVIL_VARIABLE, &*anvil.to_string_lossy())];
    context.suite()?.run(package, &Run { variables: &variables, arguments: &[] }, counts)
}

/// Tests the packages without a step, so that a new package is tested before it has one.
pub(super) fn other_packages(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let suite = context.suite()?;
    let known = |name: &str| PACKAGES.iter().any(|(package, ..)| *package == name);
    let mut others: Vec<&str> = suite.packages().filter(|name| !known(name)).collect();
    others.dedup();
    others.into_iter().try_for_each(|package| suite.run(package, &Run::default(), counts))
}

pub(super) fn doc_tests(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    counted(context.workspace.cargo().args(["test", "--doc", "--package", "checkout-core"]), counts)
}

/// Runs the tests of the HTTP interface on PostgreSQL.
pub(super) fn gateway_on_postgres(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let how =
        Run { variables: &[("CHECKOUT_TEST_STORE", "postgres"), ("CHECKOUT_SEEDS", "50")], arguments: &[] };
    context.suite()?.run("checkout-sandbox", &how, counts)
}

pub(super) fn gateway_quickly(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let how = Run { variables: &[("CHECKOUT_SEEDS", "20")], arguments: &["--skip", "postgres"] };
    gateway_library(context, &how, counts)?;
    context.suite()?.run("checkout-sandbox", &how, counts)
}

pub(super) fn gateway_library(context: &Context<'_>, how: &Run<'_>, counts: &mut Counts) -> Outcome<()> {
    let mut programs = context.suite()?.of("checkout-gateway").filter(|program| program.is_library());
    programs.next().ok_or("The gateway has no unit tests.")?.run(how, counts)
}

pub(super) fn core_without_std(workspace: &Workspace) -> Outcome<()> {
    setup::for_no_std(workspace)?;
    for target in [setup::BARE_TARGET, setup::WASM_TARGET] {
        process::run(workspace.cargo().args(["build", "--package", "checkout-core", "--target", target]))?;
    }
    Ok(())
}

pub(super) fn journeys(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let workspace = context.workspace;
    let browser = setup::for_browser_tests(workspace)?;
    let screenshots = workspace.target.join("screenshots");
    fs::create_dir_all(&screenshots).map_err(|error| format!("{}: {error}.", screenshots.display()))?;
    let axe = setup::axe(workspace)?;
    let binary = build::binary(workspace, Profile::Debug);
    let paths = [
        ("CHECKOUT_AXE", &axe),
        ("CHECKOUT_BIN", &binary),
        ("CHECKOUT_SCREENSHOTS", &screenshots),
        (setup::CHROMIUM_VARIABLE, &browser.chromium),
        (setup::CHROMEDRIVER_VARIABLE, &browser.chromedriver),
    ]
    .map(|(name, path)| (name, path.to_string_lossy()));
    let variables = paths.each_ref().map(|(name, path)| (*name, path.as_ref()));
    let how = Run { variables: &variables, arguments: &[] };
    let outcome = context.suite()?.run("checkout-e2e", &how, counts);
    println!("screenshots: {}", screenshots.display());
    outcome
}
