//! The functions of the steps of `cargo xtask test`.

use crate::counts::{CANARY, Counts, counted};
use crate::program::binary;
use crate::setup::Engine;
use crate::site::wasm;
use crate::step::Context;
use crate::suite::{ALL, Run};
use crate::workspace::{Profile, TESTED, Workspace};
use crate::{Outcome, changes, files, process, setup};

/// The tests of the gateway's HTTP interface.
pub(super) const HTTP: &str = "checkout-gateway --test http";

/// Arguments for tests that wait half of their time, for browsers, nodes and databases: more at once than processors.
pub(super) const WAITING: &[&str] = &["--test-threads", "4"];

pub(super) fn set_up_chromium(workspace: &Workspace) -> Outcome<()> {
    setup::for_browser_tests(workspace, &setup::CHROMIUM)?;
    setup::axe(workspace).map(|_| ())
}

pub(super) fn set_up_other_engines(workspace: &Workspace) -> Outcome<()> {
    setup::for_browser_tests(workspace, &setup::FIREFOX)?;
    setup::for_browser_tests(workspace, &setup::WEBKIT).map(|_| ())
}

pub(super) fn set_up_npm_packages(workspace: &Workspace) -> Outcome<()> {
    setup::anvil(workspace)?;
    setup::TESTED_PROJECTS.iter().try_for_each(|project| setup::npm_packages(workspace, project).map(|_| ()))
}

pub(super) fn set_up_python_packages(workspace: &Workspace) -> Outcome<()> {
    setup::TESTED_ENVIRONMENTS
        .iter()
        .try_for_each(|each| setup::python_environment(workspace, each).map(|_| ()))
}

/// Tests a package whose tests start nodes.
pub(super) fn beside_anvil(
    context: &Context<'_>,
    package: &str,
    how: &Run<'_>,
    counts: &mut Counts,
) -> Outcome<()> {
    let anvil = setup::anvil(context.workspace)?;
    let variables = [(setup::ANVIL_VARIABLE, &*anvil.to_string_lossy())];
    context.suite().run(&[package], &Run { variables: &variables, ..*how }, counts)
}

/// Runs the test that fails once, so that each run proves that it would report an unsteady one.
pub(super) fn canary(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let runs = context.workspace.scratch().join("canary");
    files::write(&runs, "0")?;
    let runs = runs.to_string_lossy();
    let how = Run { variables: &[("CHECKOUT_CANARY", &runs)], arguments: &[CANARY], ..ALL };
    context.suite().run(&["checkout-test-nodes"], &how, counts)
}

pub(super) fn doc_tests(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    counted(context.workspace.cargo().args(["test", "--doc"]).args(TESTED), counts)
}

/// Compares the whole gateway with its model in random worlds: on each store some seeds, or fewer on a busy machine, which ends
/// at the seconds.
pub(super) fn worlds(
    context: &Context<'_>,
    stores: [(&str, &str, &str); 2],
    counts: &mut Counts,
) -> Outcome<()> {
    stores.into_iter().try_for_each(|(store, seeds, seconds)| {
        let variables =
            [("CHECKOUT_TEST_STORE", store), ("CHECKOUT_SEEDS", seeds), ("CHECKOUT_SECONDS", seconds)];
        let how = Run { variables: &variables, arguments: &["property::"], only: HTTP, ..ALL };
        context.suite().run(&["checkout-gateway"], &how, counts)
    })
}

pub(super) const SWEEP: &str = "kills::a_sweep";

/// Kills the program at occurrences of every fail point: `every` one, or the fifth that a number selects.
pub(super) fn kills(context: &Context<'_>, which: &str, counts: &mut Counts) -> Outcome<()> {
    let variables = &[("CHECKOUT_KILLS", which)];
    let how = Run { variables, arguments: &[SWEEP], only: "checkout --test process", ..ALL };
    context.suite().run(&["checkout"], &how, counts)
}

/// The first target has no operating system, which proves that the core is `no_std`.
pub(super) fn core_without_std(workspace: &Workspace) -> Outcome<()> {
    let check = ["check", "--package", "crypto-checkout-core", "--target"];
    let mut targets = ["thumbv7em-none-eabi", wasm::TARGET].into_iter();
    targets.try_for_each(|target| process::run(workspace.cargo().args(check).arg(target)))
}

/// What a payer does.
pub(super) const OF_PAYERS: &[&str] = &[
    "journeys::without_script::",
    "journeys::plain_iframe::",
    "journeys::modal::",
    "journeys::redirect::",
    "journeys::reload::",
    "journeys::partial::",
    "journeys::expiry::",
];

/// Beside those, what runs in every engine each time: what engines differ in.
pub(super) const IN_EVERY_ENGINE: &[&str] = &[
    "journeys::pay_bitcoin::",
    "journeys::pay_xrp_with_tag::",
    "journeys::qr_code::",
    "journeys::browser_wallet_token::",
];

/// Beside those, what a person runs before a push: each way to pay, claims, the shop, the desk and the kit.
pub(super) const IN_TEST: &[&str] = &[
    "journeys::pay_",
    "journeys::overpaid::",
    "journeys::claims::",
    "journeys::shop::",
    "journeys::kit::shown::",
    "devtools::desk::",
];

/// Runs the journeys in an engine; only Chromium has those that need the DevTools protocol.
pub(super) fn journeys(
    context: &Context<'_>,
    engine: &Engine,
    filters: &[&[&str]],
    more: &[(&str, &str)],
    counts: &mut Counts,
) -> Outcome<()> {
    let workspace = context.workspace;
    let mut paths = setup::for_browser_tests(workspace, engine)?;
    let screenshots = workspace.target.join("screenshots");
    files::create_folder(&screenshots)?;
    paths.extend([
        ("CHECKOUT_AXE", setup::axe(workspace)?),
        (setup::ANVIL_VARIABLE, setup::anvil(workspace)?),
        ("CHECKOUT_BIN", binary(workspace, Profile::Debug)),
        ("CHECKOUT_SCREENSHOTS", screenshots.clone()),
        (setup::ENGINE_VARIABLE, engine.name.into()),
        ("CHECKOUT_TURN", changes::count(workspace)?.to_string().into()),
    ]);
    let variables: Vec<_> = paths.iter().map(|(name, path)| (*name, path.to_string_lossy())).collect();
    let variables = variables.iter().map(|(name, path)| (*name, path.as_ref()));
    let variables: Vec<_> = variables.chain(more.iter().copied()).collect();
    let arguments = [&[WAITING], filters].concat().concat();
    let how = Run { variables: &variables, arguments: &arguments, ..ALL };
    let outcome = context.suite().run(&["checkout-e2e"], &how, counts);
    println!("screenshots: {}", screenshots.display());
    outcome
}
