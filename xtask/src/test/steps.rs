//! The table of steps: fast steps first, browser tests last.

use super::browsers;
use super::jobs::{
    ABOUT_THE_DATABASE, IN_EVERY_ENGINE, beside_anvil, canary, chains, compile, core_without_std, doc_tests,
    gateway, gateway_alone, http, http_on_postgres, journeys, kills, npm_packages, package, program,
    requests, set_up_chromium, set_up_npm_packages, set_up_other_engines, set_up_python_packages,
    size_budgets, some_kills, worlds,
};
use crate::counts::Counts;
use crate::failure::CANARY_STEP;
use crate::groups::Group::{
    Firefox, KillsAndWorlds, Oracles, Packages, ScreensAndRequests, WebkitAndPostgres,
};
use crate::outcome::Outcome;
use crate::step::When::{Ci, Quick, Turn};
use crate::step::{COMPILING, Context, Step};
use crate::suite::Run;
use crate::workspace::{ORACLES, Profile};
use crate::{api, bindings, contract, crates, fuzz, lint, names, oracles, pypi, setup, site, tidy};

const LINTING: &str = "set-up for linting";
const API: &str = "API against the last release";
const BUILDING: &str = "set-up for building";
const GATEWAY_ALONE: &str = "gateway without PostgreSQL";
const SITE: &str = "widget and pages";
const BROWSER: &str = "set-up of the browser";
const ENGINES: &str = "set-up of Firefox and WebKitGTK";
const DATABASE: &str = "set-up of PostgreSQL";
const NODES: &str = "set-up of litecoind and bitcoind";
const NODE: &str = "set-up of npm packages";
const PYTHON: &str = "set-up of Python packages";

#[rustfmt::skip]
pub(crate) const STEPS: &[Step] = &[
    Step::new(LINTING, 10, |_, _| setup::for_linting()).waits(),
    Step::new("tidy", 1, |on, _| tidy::check(on.workspace)).parts(&["lint"]).gate(),
    Step::new("formatting", 3, |on, _| lint::formatting(on.workspace)).parts(&["lint"]).needs(&[LINTING]).gate(),
    Step::new("clippy", 150, |on, _| lint::clippy(on.workspace)).parts(&["lint"]).needs(&[LINTING]).compiles().when(Ci).gate(),
    Step::new(BUILDING, 40, |on, _| setup::for_building(on.workspace)).waits(),
    Step::new(DATABASE, 20, |_, _| setup::postgres()).waits(),
    Step::new(NODES, 25, |on, _| setup::nodes(on.workspace)).waits(),
    Step::new(BROWSER, 60, |on, _| set_up_chromium(on.workspace)).waits(),
    Step::new(ENGINES, 180, |on, _| set_up_other_engines(on.workspace)).waits(),
    Step::new(NODE, 20, |on, _| set_up_npm_packages(on.workspace)).waits(),
    Step::new(PYTHON, 60, |on, _| set_up_python_packages(on.workspace)).waits().when(Turn(Packages)),
    Step::new(API, 1, |on, _| api::compatible::check(on.workspace)).parts(&["gateway", "contract"]),
    Step::new(COMPILING, 300, compile).compiles(),
    Step::new(SITE, 60, |on, _| site::build(on.workspace, Profile::Debug)).needs(&[BUILDING]).waits(),
    Step::new("types of the pages", 10, |on, _| site::types::check(on.workspace)).parts(&["widget", "e2e"]).needs(&[BUILDING]),

    // The tests of the workspace.
    Step::new(CANARY_STEP, 1, canary).programs(&["checkout-test-nodes"]).needs(&[COMPILING]),
    Step::new("test database", 5, |on, counts| package(on, "checkout-test-postgres", counts))
        .parts(&["gateway"]).programs(&["checkout-test-postgres"]).needs(&[COMPILING, DATABASE]).waits(),
    Step::new("chains", 60, chains)
        .parts(&["gateway"]).programs(&["checkout-chain-conformance", "checkout-chain-bitcoin"]).needs(&[COMPILING, NODES]).waits(),
    Step::new("Ethereum on anvil", 40, |on, counts| beside_anvil(on, "checkout-chain-evm", &[], counts, |_| true))
        .parts(&["gateway"]).programs(&["checkout-chain-evm"]).needs(&[COMPILING, NODE]).waits(),
    Step::new("program", 200, program)
        .parts(&["gateway"]).programs(&["checkout"]).needs(&[COMPILING, DATABASE, NODE, NODES, SITE]).waits(),
    Step::new("kills at a fifth of all commits and sends", 40, some_kills)
        .parts(&["gateway"]).programs(&["checkout"]).needs(&[COMPILING, DATABASE]).sample_of(&["kills at every commit and send"]).waits(),
    Step::new("tests of other packages", 1, other_packages).needs(&[COMPILING]),
    Step::new("core", 30, |on, counts| package(on, "crypto-checkout-core", counts))
        .parts(&["core"]).programs(&["crypto-checkout-core"]).needs(&[COMPILING]),
    Step::new("widget", 10, |on, counts| package(on, "checkout-widget", counts))
        .parts(&["widget"]).programs(&["checkout-widget"]).needs(&[COMPILING]),
    Step::new("xtask", 5, |on, counts| package(on, "xtask", counts))
        .parts(&["xtask"]).programs(&["xtask"]).needs(&[COMPILING, BUILDING]),
    Step::new("npm binding", 5, |on, counts| package(on, "checkout-npm", counts))
        .parts(&["npm"]).programs(&["checkout-npm"]).needs(&[COMPILING]),
    Step::new("gateway", 60, gateway)
        .parts(&["gateway"]).programs(&["checkout-domain", "checkout-storage", "checkout-gateway"]).needs(&[COMPILING, DATABASE]),
    Step::new("HTTP", 85, http)
        .parts(&["gateway"]).programs(&["checkout-gateway", "checkout-simulator", "checkout-sandbox"]).needs(&[COMPILING, DATABASE]),
    Step::new(GATEWAY_ALONE, 40, gateway_alone).needs(&[COMPILING]).when(Quick),
    Step::new("HTTP on PostgreSQL, in part", 30, |on, counts| http_on_postgres(on, ABOUT_THE_DATABASE, counts))
        .parts(&["gateway"]).programs(&["checkout-gateway"]).needs(&[COMPILING, DATABASE]).when(Ci).sample_of(&["HTTP on PostgreSQL"]).waits(),
    Step::new("random worlds", 30, |on, counts| worlds(on, [("sqlite", "250", "20"), ("postgres", "20", "10")], counts))
        .parts(&["gateway"]).programs(&["checkout-gateway"]).needs(&[COMPILING, DATABASE]).when(Ci).sample_of(&["long random worlds"]),
    Step::new("journeys", 200, |on, counts| journeys(on, &setup::CHROMIUM, &[], &[], counts))
        .browses().parts(&["e2e"]).programs(&["checkout", "checkout-e2e"]).needs(&[SITE, COMPILING, BROWSER, NODE, NODES])
        .sample_of(&["journeys over every screen"]),
    Step::new("some journeys in Firefox", 40, |on, counts| journeys(on, &setup::FIREFOX, IN_EVERY_ENGINE, &[], counts))
        .browses().parts(&["e2e"]).programs(&["checkout", "checkout-e2e"]).needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES])
        .sample_of(&["journeys in Firefox"]),
    Step::new("some journeys in WebKitGTK", 50, |on, counts| journeys(on, &setup::WEBKIT, IN_EVERY_ENGINE, &[], counts))
        .browses().parts(&["e2e"]).programs(&["checkout", "checkout-e2e"]).needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES])
        .sample_of(&["journeys in WebKitGTK"]),
    Step::new("examples in core's documentation", 15, doc_tests).parts(&["core"]).needs(&[COMPILING]).compiles().when(Ci),

    // In turn: Firefox, and the widget in browsers.
    Step::new("journeys in Firefox", 150, |on, counts| journeys(on, &setup::FIREFOX, &["journeys::"], &[], counts))
        .browses().parts(&["e2e"]).needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES]).when(Turn(Firefox)),
    Step::new("widget in browsers", 190, browsers::widget)
        .parts(&["widget"]).needs(&[BUILDING, BROWSER, ENGINES]).compiles().when(Turn(Firefox)),

    // In turn: WebKitGTK and PostgreSQL.
    Step::new("journeys in WebKitGTK", 180, |on, counts| journeys(on, &setup::WEBKIT, &["journeys::"], &[], counts))
        .browses().parts(&["e2e"]).needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES]).when(Turn(WebkitAndPostgres)),
    // Without the thousands of requests that are refused before they reach the database.
    Step::new("HTTP on PostgreSQL", 110, |on, counts| http_on_postgres(on, &["--skip", "misspelled::no_"], counts))
        .parts(&["gateway"]).programs(&["checkout-gateway"]).needs(&[COMPILING, DATABASE]).when(Turn(WebkitAndPostgres)),

    // In turn: every screen, and what is sent.
    Step::new("journeys over every screen", 330, |on, counts| journeys(on, &setup::CHROMIUM, &[], &[("CHECKOUT_SCREENS", "every")], counts))
        .browses().parts(&["e2e"]).needs(&[SITE, COMPILING, BROWSER, NODE, NODES]).when(Turn(ScreensAndRequests)),
    Step::new("gateway against its OpenAPI document", 90, |on, counts| contract::test(on.workspace, counts))
        .parts(&["gateway", "contract"]).needs(&[COMPILING, PYTHON, SITE]).when(Turn(ScreensAndRequests)),
    Step::new("requests of an hour", 200, requests)
        .parts(&["gateway"]).programs(&["checkout"]).needs(&[COMPILING, NODE, NODES]).when(Turn(ScreensAndRequests)).waits(),

    // In turn: kills and random worlds.
    Step::new("kills at every commit and send", 180, |on, counts| kills(on, "every", counts))
        .parts(&["gateway"]).needs(&[COMPILING, DATABASE]).when(Turn(KillsAndWorlds)),
    Step::new("long random worlds", 130, |on, counts| worlds(on, [("sqlite", "1000", "90"), ("postgres", "50", "30")], counts))
        .parts(&["gateway"]).programs(&["checkout-gateway"]).needs(&[COMPILING, DATABASE]).when(Turn(KillsAndWorlds)),

    // In turn: oracles and fuzz targets.
    Step::new("core against Rust crates", 90, |on, counts| oracles::rust(on.workspace, counts))
        .parts(&["core"]).compiles().when(Turn(Oracles)),
    Step::new("core against npm packages", 60, |on, counts| oracles::javascript(on.workspace, counts))
        .parts(&["core"]).needs(&[NODE, "core against Rust crates"]).compiles().when(Turn(Oracles)),
    Step::new("clippy of the oracles and benchmarks", 50, |on, _| lint::clippy_in(on.workspace, ORACLES))
        .parts(&["lint"]).needs(&[LINTING]).compiles().when(Turn(Oracles)),
    Step::new("XRP, Stellar and TRON against the official packages", 30, |on, counts| oracles::chains(on.workspace, counts))
        .parts(&["gateway"]).needs(&[COMPILING, NODE]).compiles().when(Turn(Oracles)),
    Step::new("fuzz targets", 100, |on, _| fuzz::smoke(on.workspace)).parts(&["lint"]).compiles().when(Turn(Oracles)),

    // In turn: packages and lints of single packages.
    Step::new("size budgets", 150, |on, _| size_budgets(on.workspace)).parts(&["widget"]).needs(&[BUILDING]).when(Turn(Packages)),
    Step::new("core can be published", 60, |on, counts| crates::check(on.workspace, counts))
        .parts(&["core"]).compiles().when(Turn(Packages)),
    Step::new("names in the registries", 10, |on, counts| names::check(on.workspace, counts))
        .parts(&["npm"]).needs(&[NODE, PYTHON]).when(Turn(Packages)),
    Step::new("core in other languages", 120, |on, counts| bindings::check(on.workspace, counts))
        .parts(&["core"]).needs(&[PYTHON]).compiles().when(Turn(Packages)),
    Step::new("core without std", 30, |on, _| core_without_std(on.workspace)).parts(&["core"]).compiles().when(Turn(Packages)),
    Step::new("workflows", 2, |on, counts| lint::workflows(on.workspace, counts))
        .parts(&["xtask"]).needs(&[NODE]).when(Turn(Packages)),
    Step::new("npm packages", 150, npm_packages)
        .parts(&["npm"]).needs(&[BUILDING, NODE, BROWSER, COMPILING]).when(Turn(Packages)),
    Step::new("Python client", 25, |on, counts| pypi::test(on.workspace, counts))
        .parts(&["npm"]).needs(&[PYTHON, COMPILING]).when(Turn(Packages)),
    // Only with the features that the package itself enables.
    Step::new("clippy of the program", 60, |on, _| lint::program(on.workspace))
        .parts(&["lint"]).needs(&[LINTING]).compiles().when(Turn(Packages)),
    Step::new("clippy for WebAssembly", 60, |on, _| lint::widget(on.workspace))
        .parts(&["lint"]).needs(&[LINTING]).compiles().when(Turn(Packages)),
    Step::new("core's pages", 20, |on, _| lint::core_pages(on.workspace)).parts(&["lint"]).compiles().when(Turn(Packages)),
    Step::new("licences, sources and advisories", 5, |on, _| lint::deny(on.workspace))
        .parts(&["lint"]).compiles().when(Turn(Packages)),
];

/// The steps of `--quick`: no site, so that the widget is not built for the browser; no PostgreSQL; few random worlds.
pub(super) const QUICK: &[&str] = &["tidy", "formatting", API, "core", "widget", "xtask", GATEWAY_ALONE];

/// Tests the packages without a step, so that a new package is tested before it has one.
fn other_packages(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let suite = context.suite();
    let known = |name: &str| STEPS.iter().any(|step| step.programs.contains(&name));
    let mut others: Vec<&str> = suite.packages().filter(|name| !known(name)).collect();
    others.sort_unstable();
    others.dedup();
    suite.run(&others, &Run::default(), counts)
}

#[cfg(test)]
mod tests {
    use super::{COMPILING, QUICK, STEPS};
    use crate::groups::Group;
    use crate::step::When;
    use crate::workspace::Workspace;

    #[test]
    fn every_group_has_a_step() {
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
