//! The tables of steps: fast steps first, browser tests last.

use super::browsers;
use super::jobs::{
    beside_anvil, canary, chains, compile, core_without_std, doc_tests, gateway, gateway_alone, http,
    http_on_postgres, journeys_elsewhere, kills, long_random_worlds, npm_packages, package, program,
    random_worlds, requests, sampled_journeys, some_journeys, some_kills, some_on_postgres, whole_journeys,
};
use crate::counts::Counts;
use crate::failure::CANARY_STEP;
use crate::flags::Part;
use crate::groups::Group;
use crate::outcome::Outcome;
use crate::step::{COMPILING, Context, Step, When};
use crate::suite::Run;
use crate::workspace::Profile;
use crate::{
    api, bindings, chain_oracles, contract, crates, deny, format, fuzz, lint, names, npm, oracles, pypi,
    setup, site, size, tidy, workflows,
};

pub(super) const API: &str = "API against the last release";
pub(super) const BUILDING: &str = "set-up for building";
const KILLS: &str = "kills at a fifth of all commits and sends";
const REQUESTS: &str = "requests of an hour";
const GATEWAY_ALONE: &str = "gateway without PostgreSQL";
pub(super) const SITE: &str = "widget and pages";
pub(super) const BROWSER: &str = "set-up of the browser";
pub(super) const ENGINES: &str = "set-up of Firefox and WebKitGTK";
pub(super) const DATABASE: &str = "set-up of PostgreSQL";
pub(super) const NODES: &str = "set-up of litecoind and bitcoind";
pub(super) const NODE: &str = "set-up of npm packages";
pub(super) const PYTHON: &str = "set-up of Python packages";

pub(crate) const STEPS: &[Step] = &[
    Step::new("set-up for linting", 10, |_, _| setup::for_linting()).waits(),
    Step::new("tidy", 1, |context, _| tidy::check(context.workspace)).parts(&[Part::Lint]).gate(),
    Step::new("formatting", 3, |context, _| format::check(context.workspace))
        .needs(&["set-up for linting"])
        .parts(&[Part::Lint])
        .gate(),
    Step::new("clippy", 150, |context, _| lint::clippy(context.workspace))
        .needs(&["set-up for linting"])
        .parts(&[Part::Lint])
        .compiles()
        .when(When::Ci)
        .gate(),
    Step::new(BUILDING, 40, |context, _| setup::for_building(context.workspace)).waits(),
    Step::new(DATABASE, 20, |_, _| setup::for_database_tests()).waits(),
    Step::new(NODES, 25, |context, _| setup::for_chain_tests(context.workspace)).waits(),
    Step::new(BROWSER, 60, |context, _| {
        setup::for_browser_tests(context.workspace, &setup::CHROMIUM)?;
        setup::axe(context.workspace).map(|_| ())
    })
    .waits(),
    Step::new(ENGINES, 180, |context, _| {
        setup::for_browser_tests(context.workspace, &setup::FIREFOX)?;
        setup::for_browser_tests(context.workspace, &setup::WEBKIT).map(|_| ())
    })
    .waits(),
    Step::new(NODE, 20, |context, _| {
        setup::for_npm(context.workspace)?;
        setup::anvil(context.workspace)?;
        oracles::packages(context.workspace)?;
        npm::publish::packages(context.workspace)?;
        npm::client::packages(context.workspace)?;
        workflows::packages(context.workspace)?;
        chain_oracles::packages(context.workspace).map(|_| ())
    })
    .waits(),
    Step::new(PYTHON, 60, |context, _| {
        pypi::tools(context.workspace)?;
        contract::python(context.workspace).map(|_| ())
    })
    .waits()
    .when(When::Turn(Group::Packages)),
    Step::new(API, 1, |context, _| api::compatible::check(context.workspace))
        .parts(&[Part::Gateway, Part::Contract]),
    Step::new(COMPILING, 300, compile).compiles(),
    Step::new(SITE, 60, |context, _| site::build(context.workspace, Profile::Debug))
        .needs(&[BUILDING])
        .waits(),
    Step::new("types of the pages", 10, |context, _| site::types::check(context.workspace))
        .needs(&[BUILDING])
        .parts(&[Part::Widget, Part::E2e]),
    Step::new(CANARY_STEP, 1, canary).programs(&["checkout-test-nodes"]).needs(&[COMPILING]),
    Step::new("test database", 5, |context, counts| package(context, "checkout-test-postgres", counts))
        .parts(&[Part::Gateway])
        .programs(&["checkout-test-postgres"])
        .needs(&[COMPILING, DATABASE])
        .waits(),
    Step::new("chains", 60, chains)
        .parts(&[Part::Gateway])
        .programs(&["checkout-chain-conformance", "checkout-chain-bitcoin"])
        .needs(&[COMPILING, NODES])
        .waits(),
    Step::new("Ethereum on anvil", 40, |context, counts| beside_anvil(context, "checkout-chain-evm", counts))
        .parts(&[Part::Gateway])
        .programs(&["checkout-chain-evm"])
        .needs(&[COMPILING, NODE])
        .waits(),
    Step::new("program", 200, program)
        .parts(&[Part::Gateway])
        .programs(&["checkout"])
        .needs(&[COMPILING, DATABASE, NODE, NODES, SITE])
        .waits(),
    Step::new(KILLS, 40, some_kills)
        .parts(&[Part::Gateway])
        .programs(&["checkout"])
        .needs(&[COMPILING, DATABASE])
        .sample_of(&["kills at every commit and send"])
        .waits(),
    Step::new("tests of other packages", 1, other_packages).needs(&[COMPILING]),
    Step::new("core", 30, |context, counts| package(context, "crypto-checkout-core", counts))
        .parts(&[Part::Core])
        .programs(&["crypto-checkout-core"])
        .needs(&[COMPILING]),
    Step::new("widget", 10, |context, counts| package(context, "checkout-widget", counts))
        .parts(&[Part::Widget])
        .programs(&["checkout-widget"])
        .needs(&[COMPILING]),
    Step::new("xtask", 5, |context, counts| package(context, "xtask", counts))
        .parts(&[Part::Xtask])
        .programs(&["xtask"])
        .needs(&[COMPILING, BUILDING]),
    Step::new("npm binding", 5, |context, counts| package(context, "checkout-npm", counts))
        .parts(&[Part::Npm])
        .programs(&["checkout-npm"])
        .needs(&[COMPILING]),
    Step::new("gateway", 60, gateway)
        .parts(&[Part::Gateway])
        .programs(&["checkout-domain", "checkout-storage", "checkout-gateway"])
        .needs(&[COMPILING, DATABASE]),
    Step::new("HTTP", 85, http)
        .parts(&[Part::Gateway])
        .programs(&["checkout-gateway", "checkout-simulator", "checkout-sandbox"])
        .needs(&[COMPILING, DATABASE]),
    Step::new(GATEWAY_ALONE, 40, gateway_alone).needs(&[COMPILING]).when(When::Quick),
    Step::new("HTTP on PostgreSQL, in part", 30, some_on_postgres)
        .parts(&[Part::Gateway])
        .programs(&["checkout-gateway"])
        .needs(&[COMPILING, DATABASE])
        .when(When::Ci)
        .sample_of(&["HTTP on PostgreSQL"])
        .waits(),
    Step::new("random worlds", 30, random_worlds)
        .parts(&[Part::Gateway])
        .programs(&["checkout-gateway"])
        .needs(&[COMPILING, DATABASE])
        .when(When::Ci)
        .sample_of(&["long random worlds"]),
    Step::new("journeys", 200, sampled_journeys)
        .browses()
        .parts(&[Part::E2e])
        .programs(&["checkout", "checkout-e2e"])
        .needs(&[SITE, COMPILING, BROWSER, NODE, NODES])
        .sample_of(&["journeys over every screen"]),
    Step::new("some journeys in Firefox", 40, |context, counts| {
        some_journeys(context, &setup::FIREFOX, counts)
    })
    .browses()
    .parts(&[Part::E2e])
    .programs(&["checkout", "checkout-e2e"])
    .needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES])
    .sample_of(&["journeys in Firefox"]),
    Step::new("some journeys in WebKitGTK", 50, |context, counts| {
        some_journeys(context, &setup::WEBKIT, counts)
    })
    .browses()
    .parts(&[Part::E2e])
    .programs(&["checkout", "checkout-e2e"])
    .needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES])
    .sample_of(&["journeys in WebKitGTK"]),
    Step::new("examples in core's documentation", 15, doc_tests)
        .parts(&[Part::Core])
        .needs(&[COMPILING])
        .compiles()
        .when(When::Ci),
    // In turn: Firefox, and the widget in browsers.
    Step::new("journeys in Firefox", 150, |context, counts| {
        journeys_elsewhere(context, &setup::FIREFOX, counts)
    })
    .browses()
    .parts(&[Part::E2e])
    .needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES])
    .when(When::Turn(Group::Firefox)),
    Step::new("widget in browsers", 190, browsers::widget)
        .parts(&[Part::Widget])
        .needs(&[BUILDING, BROWSER, ENGINES])
        .compiles()
        .when(When::Turn(Group::Firefox)),
    // In turn: WebKitGTK and PostgreSQL.
    Step::new("journeys in WebKitGTK", 180, |context, counts| {
        journeys_elsewhere(context, &setup::WEBKIT, counts)
    })
    .browses()
    .parts(&[Part::E2e])
    .needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES])
    .when(When::Turn(Group::WebkitAndPostgres)),
    Step::new("HTTP on PostgreSQL", 110, http_on_postgres)
        .parts(&[Part::Gateway])
        .programs(&["checkout-gateway"])
        .needs(&[COMPILING, DATABASE])
        .when(When::Turn(Group::WebkitAndPostgres)),
    // In turn: every screen, and what is sent.
    Step::new("journeys over every screen", 330, whole_journeys)
        .browses()
        .parts(&[Part::E2e])
        .needs(&[SITE, COMPILING, BROWSER, NODE, NODES])
        .when(When::Turn(Group::ScreensAndRequests)),
    Step::new("gateway against its OpenAPI document", 90, |context, counts| {
        contract::test(context.workspace, counts)
    })
    .parts(&[Part::Gateway, Part::Contract])
    .needs(&[COMPILING, PYTHON, SITE])
    .when(When::Turn(Group::ScreensAndRequests)),
    Step::new(REQUESTS, 200, requests)
        .parts(&[Part::Gateway])
        .programs(&["checkout"])
        .needs(&[COMPILING, NODE, NODES])
        .when(When::Turn(Group::ScreensAndRequests))
        .waits(),
    // In turn: kills and random worlds.
    Step::new("kills at every commit and send", 180, kills)
        .parts(&[Part::Gateway])
        .needs(&[COMPILING, DATABASE])
        .when(When::Turn(Group::KillsAndWorlds)),
    Step::new("long random worlds", 130, long_random_worlds)
        .parts(&[Part::Gateway])
        .programs(&["checkout-gateway"])
        .needs(&[COMPILING, DATABASE])
        .when(When::Turn(Group::KillsAndWorlds)),
    // In turn: oracles and fuzz targets.
    Step::new("core against Rust crates", 90, |context, counts| oracles::rust(context.workspace, counts))
        .parts(&[Part::Core])
        .compiles()
        .when(When::Turn(Group::Oracles)),
    Step::new("core against npm packages", 60, |context, counts| {
        oracles::javascript(context.workspace, counts)
    })
    .parts(&[Part::Core])
    .needs(&[NODE, "core against Rust crates"])
    .compiles()
    .when(When::Turn(Group::Oracles)),
    Step::new("clippy of the oracles and benchmarks", 50, |context, _| lint::oracles(context.workspace))
        .needs(&["set-up for linting"])
        .parts(&[Part::Lint])
        .compiles()
        .when(When::Turn(Group::Oracles)),
    Step::new("XRP, Stellar and TRON against the official packages", 30, |context, counts| {
        chain_oracles::compare(context.workspace, counts)
    })
    .parts(&[Part::Gateway])
    .needs(&[COMPILING, NODE])
    .compiles()
    .when(When::Turn(Group::Oracles)),
    Step::new("fuzz targets", 100, |context, _| fuzz::smoke(context.workspace))
        .parts(&[Part::Lint])
        .compiles()
        .when(When::Turn(Group::Oracles)),
    // In turn: packages and lints of single packages.
    Step::new("size budgets", 150, |context, _| {
        site::build(context.workspace, Profile::Release)?;
        size::check(context.workspace)
    })
    .parts(&[Part::Widget])
    .needs(&[BUILDING])
    .when(When::Turn(Group::Packages)),
    Step::new("core can be published", 60, |context, counts| crates::check(context.workspace, counts))
        .parts(&[Part::Core])
        .compiles()
        .when(When::Turn(Group::Packages)),
    Step::new("names in the registries", 10, |context, counts| names::check(context.workspace, counts))
        .parts(&[Part::Npm])
        .needs(&[NODE, PYTHON])
        .when(When::Turn(Group::Packages)),
    Step::new("core in other languages", 120, |context, counts| bindings::check(context.workspace, counts))
        .parts(&[Part::Core])
        .needs(&[PYTHON])
        .compiles()
        .when(When::Turn(Group::Packages)),
    Step::new("core without std", 30, |context, _| core_without_std(context.workspace))
        .parts(&[Part::Core])
        .compiles()
        .when(When::Turn(Group::Packages)),
    Step::new("workflows", 2, |context, counts| workflows::check(context.workspace, counts))
        .parts(&[Part::Xtask])
        .needs(&[NODE])
        .when(When::Turn(Group::Packages)),
    Step::new("npm packages", 150, npm_packages)
        .parts(&[Part::Npm])
        .needs(&[BUILDING, NODE, BROWSER, COMPILING])
        .when(When::Turn(Group::Packages)),
    Step::new("Python client", 25, |context, counts| pypi::test(context.workspace, counts))
        .parts(&[Part::Npm])
        .needs(&[PYTHON, COMPILING])
        .when(When::Turn(Group::Packages)),
    // Only with the features that the package itself enables.
    Step::new("clippy of the program", 60, |context, _| lint::program(context.workspace))
        .needs(&["set-up for linting"])
        .parts(&[Part::Lint])
        .compiles()
        .when(When::Turn(Group::Packages)),
    Step::new("clippy for WebAssembly", 60, |context, _| lint::widget(context.workspace))
        .needs(&["set-up for linting"])
        .parts(&[Part::Lint])
        .compiles()
        .when(When::Turn(Group::Packages)),
    Step::new("core's pages", 20, |context, _| lint::core_pages(context.workspace))
        .parts(&[Part::Lint])
        .compiles()
        .when(When::Turn(Group::Packages)),
    Step::new("licences, sources and advisories", 5, |context, _| deny::check(context.workspace))
        .parts(&[Part::Lint])
        .compiles()
        .when(When::Turn(Group::Packages)),
];

/// The steps of `--quick`: no site, so that the widget is not built for the browser; no PostgreSQL; few random worlds.
pub(super) const QUICK: &[&str] = &["tidy", "formatting", API, "core", "widget", "xtask", GATEWAY_ALONE];

/// Tests the packages without a step, so that a new package is tested before it has one.
fn other_packages(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let suite = context.suite()?;
    let known = |name: &str| STEPS.iter().any(|step| step.programs.contains(&name));
    let mut others: Vec<&str> = suite.packages().filter(|name| !known(name)).collect();
    others.sort_unstable();
    others.dedup();
    suite.run_all(&others, &Run::default(), counts)
}

#[cfg(test)]
mod tests {
    use super::{COMPILING, QUICK, STEPS};
    use crate::flags::Part;
    use crate::groups::Group;
    use crate::step::When;
    use crate::workspace::Workspace;

    #[test]
    fn every_part_and_every_group_has_a_step() {
        for (name, part) in Part::ALL {
            assert!(STEPS.iter().any(|step| step.parts.contains(&part)), "{name}");
        }
        for group in Group::ALL {
            assert!(STEPS.iter().any(|step| step.when == When::Turn(group)), "{group:?}");
        }
    }

    #[test]
    fn names_are_unique_and_needed_steps_come_first() {
        let place = |name: &str| STEPS.iter().position(|step| step.name == name).expect(name);
        for (index, step) in STEPS.iter().enumerate() {
            assert_eq!(place(step.name), index, "{}", step.name);
            assert!(step.needs.iter().all(|need| place(need) < index), "{}", step.name);
            step.sample_of.iter().chain(QUICK).for_each(|name| assert!(place(name) < STEPS.len()));
        }
    }

    #[test]
    fn every_package_is_one_of_the_workspace() {
        let packages = Workspace::find().expect("the tests run in the repository").packages();
        for step in STEPS {
            for name in step.programs {
                assert!(packages.iter().any(|package| package.name == *name), "{name}");
                assert!(step.needs.contains(&COMPILING), "{}", step.name);
            }
        }
    }
}
