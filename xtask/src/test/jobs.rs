//! The functions of the steps of `cargo xtask test`.

use crate::counts::{Counts, counted};
use crate::failure::CANARY;
use crate::files;
use crate::program::binary;
use crate::setup::Engine;
use crate::step::Context;
use crate::suite::{Program, Run, Suite};
use crate::workspace::{Profile, TESTED, Workspace};
use crate::{Outcome, api, changes, contract, lint, npm, oracles, process, pypi, setup, site, size};

/// Arguments for tests that wait half of their time, for browsers, nodes and databases: more at once than processors.
const WAITING: &[&str] = &["--test-threads", "4"];

pub(super) fn compile(context: &Context<'_>, _: &mut Counts) -> Outcome<()> {
    Suite::compile(context.workspace, &context.selection)
}

pub(super) fn set_up_chromium(workspace: &Workspace) -> Outcome<()> {
    setup::for_browser_tests(workspace, &setup::CHROMIUM)?;
    setup::axe(workspace).map(|_| ())
}

pub(super) fn set_up_other_engines(workspace: &Workspace) -> Outcome<()> {
    setup::for_browser_tests(workspace, &setup::FIREFOX)?;
    setup::for_browser_tests(workspace, &setup::WEBKIT).map(|_| ())
}

pub(super) fn set_up_npm_packages(workspace: &Workspace) -> Outcome<()> {
    setup::for_npm(workspace)?;
    setup::anvil(workspace)?;
    oracles::packages(workspace)?;
    npm::packages(workspace)?;
    api::packages(workspace)?;
    lint::actionlint(workspace)?;
    oracles::chain_packages(workspace).map(|_| ())
}

pub(super) fn set_up_python_packages(workspace: &Workspace) -> Outcome<()> {
    pypi::tools(workspace)?;
    contract::python(workspace).map(|_| ())
}

pub(super) fn size_budgets(workspace: &Workspace) -> Outcome<()> {
    site::build(workspace, Profile::Release)?;
    size::check(workspace)
}

pub(super) fn package(context: &Context<'_>, package: &str, counts: &mut Counts) -> Outcome<()> {
    context.suite().run(&[package], &Run::default(), counts)
}

/// Tests the rules, the store on both databases, and the use cases.
pub(super) fn gateway(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let rest = context.suite().run(&["checkout-domain", "checkout-storage"], &Run::default(), counts);
    gateway_library(context, &Run::default(), counts).and(rest)
}

/// Tests the HTTP interface on SQLite.
pub(super) fn http(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let how = Run { variables: &[], arguments: WAITING };
    let rest = context.suite().run(&["checkout-simulator", "checkout-sandbox"], &Run::default(), counts);
    http_tests(context, &how, counts).and(rest)
}

fn http_tests(context: &Context<'_>, how: &Run<'_>, counts: &mut Counts) -> Outcome<()> {
    context.suite().run_some(&["checkout-gateway"], how, counts, |program| !program.is("--lib"))
}

/// Tests the chains on nodes.
pub(super) fn chains(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let how = Run { variables: &[], arguments: WAITING };
    context.suite().run(&["checkout-chain-conformance", "checkout-chain-bitcoin"], &how, counts)
}

/// Tests the program beside nodes, without the hours of [`requests`] and the sweep of [`kills`].
pub(super) fn program(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    beside_anvil(context, "checkout", &["--skip", SWEEP], counts, |program| !program.is(REQUESTS))
}

/// Counts the requests that each network sends to its servers in an hour, and what servers can flood the gateway with.
pub(super) fn requests(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    beside_anvil(context, "checkout", &[], counts, |program| program.is(REQUESTS))
}

const REQUESTS: &str = "--test requests";

/// Tests a package whose tests start nodes.
pub(super) fn beside_anvil(
    context: &Context<'_>,
    package: &str,
    more: &[&str],
    counts: &mut Counts,
    which: fn(&Program) -> bool,
) -> Outcome<()> {
    let anvil = setup::anvil(context.workspace)?;
    let variables = [(setup::ANVIL_VARIABLE, &*anvil.to_string_lossy())];
    let arguments = [WAITING, more].concat();
    let how = Run { variables: &variables, arguments: &arguments };
    context.suite().run_some(&[package], &how, counts, which)
}

/// Runs the test that fails once, so that each run proves that it would report an unsteady one.
pub(super) fn canary(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let runs = context.workspace.scratch().join("canary");
    files::write(&runs, "0")?;
    let runs = runs.to_string_lossy();
    let how = Run { variables: &[("CHECKOUT_CANARY", &runs)], arguments: &[CANARY] };
    context.suite().run(&["checkout-test-nodes"], &how, counts)
}

pub(super) fn doc_tests(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    counted(context.workspace.cargo().args(["test", "--doc"]).args(TESTED), counts)
}

/// The tests of the HTTP interface that depend on the database: orders, locks, restarts, what is moved away, and money that leaves.
pub(super) const ABOUT_THE_DATABASE: &[&str] = &[
    "list_",
    "idempotency::",
    "restart::",
    "faults::",
    "withdrawal",
    "claims::",
    "property::",
    "lost_answers::",
];

pub(super) fn http_on_postgres(context: &Context<'_>, filter: &[&str], counts: &mut Counts) -> Outcome<()> {
    let arguments = [WAITING, filter].concat();
    let variables = &[("CHECKOUT_TEST_STORE", "postgres"), ("CHECKOUT_SEEDS", "10")];
    http_tests(context, &Run { variables, arguments: &arguments }, counts)
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
        http_tests(context, &Run { variables: &variables, arguments: &["property::"] }, counts)
    })
}

/// Kills the program at a fifth of the occurrences of every fail point; five commits in a row have all of them.
pub(super) fn some_kills(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    kills(context, &changes::count(context.workspace)?.to_string(), counts)
}

const SWEEP: &str = "kills::a_sweep";

/// Kills the program at occurrences of every fail point: `every` one, or the fifth that a number selects.
pub(super) fn kills(context: &Context<'_>, which: &str, counts: &mut Counts) -> Outcome<()> {
    let how = Run { variables: &[("CHECKOUT_KILLS", which)], arguments: &[SWEEP] };
    context.suite().run_some(&["checkout"], &how, counts, |program| program.is("--test process"))
}

/// Builds the npm packages, tests them as others use them, and tries to publish them.
pub(super) fn npm_packages(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    npm::run(context.workspace)?;
    npm::test(context.workspace, counts)
}

pub(super) fn gateway_alone(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let arguments = [WAITING, &["--skip", "postgres"]].concat();
    let how = Run { variables: &[("CHECKOUT_SEEDS", "20")], arguments: &arguments };
    context.suite().run(&["checkout-domain", "checkout-storage"], &how, counts)?;
    gateway_library(context, &how, counts)?;
    http_tests(context, &how, counts)
}

fn gateway_library(context: &Context<'_>, how: &Run<'_>, counts: &mut Counts) -> Outcome<()> {
    context.suite().run_some(&["checkout-gateway"], how, counts, |program| program.is("--lib"))
}

pub(super) fn core_without_std(workspace: &Workspace) -> Outcome<()> {
    setup::for_no_std()?;
    for target in [setup::BARE_TARGET, setup::WASM_TARGET] {
        process::run(workspace.cargo().args([
            "check",
            "--package",
            "crypto-checkout-core",
            "--target",
            target,
        ]))?;
    }
    Ok(())
}

/// The journeys that run in every engine each time: what a payer does, and what engines differ in.
pub(super) const IN_EVERY_ENGINE: &[&str] = &[
    "journeys::pay_bitcoin::",
    "journeys::pay_xrp_with_tag::",
    "journeys::without_script::",
    "journeys::plain_iframe::",
    "journeys::modal::",
    "journeys::redirect::",
    "journeys::reload::",
    "journeys::partial::",
    "journeys::qr_code::",
    "journeys::expiry::",
    "journeys::browser_wallet_token::",
];

/// Runs the journeys in an engine; only Chromium has those that need the DevTools protocol.
pub(super) fn journeys(
    context: &Context<'_>,
    engine: &Engine,
    filter: &[&str],
    more: &[(&str, &str)],
    counts: &mut Counts,
) -> Outcome<()> {
    let workspace = context.workspace;
    let mut paths = setup::for_browser_tests(workspace, engine)?;
    let screenshots = workspace.target.join("screenshots");
    files::create_folder(&screenshots)?;
    paths.push(("CHECKOUT_AXE", setup::axe(workspace)?));
    paths.push((setup::ANVIL_VARIABLE, setup::anvil(workspace)?));
    paths.push(("CHECKOUT_BIN", binary(workspace, Profile::Debug)));
    paths.push(("CHECKOUT_SCREENSHOTS", screenshots.clone()));
    paths.push((setup::ENGINE_VARIABLE, engine.name.into()));
    let variables: Vec<_> = paths.iter().map(|(name, path)| (*name, path.to_string_lossy())).collect();
    let variables = variables.iter().map(|(name, path)| (*name, path.as_ref()));
    let variables: Vec<_> = variables.chain(more.iter().copied()).collect();
    let arguments = [WAITING, filter].concat();
    let how = Run { variables: &variables, arguments: &arguments };
    let outcome = context.suite().run(&["checkout-e2e"], &how, counts);
    println!("screenshots: {}", screenshots.display());
    outcome
}
