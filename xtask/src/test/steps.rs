//! The table of steps: fast steps first, browser tests last.

use super::browsers;
use super::jobs::{
    HTTP, IN_EVERY_ENGINE, IN_TEST, OF_PAYERS, SWEEP, WAITING, beside_anvil, canary, core_without_std,
    doc_tests, journeys, kills, set_up_chromium, set_up_npm_packages, set_up_other_engines,
    set_up_python_packages, worlds,
};
use crate::counts::{CANARY_STEP, Counts};
use crate::groups::Group::{
    Firefox, KillsAndWorlds, Oracles, Packages, ScreensAndRequests, WebkitAndPostgres,
};
use crate::step::Weight::{All, Half, One};
use crate::step::When::{Ci, Quick, Turn};
use crate::step::{COMPILING, Context, STEP, Step};
use crate::suite::{ALL, Run, Suite};
use crate::workspace::{ORACLES, Profile};
use crate::{
    Outcome, api, bindings, changes, fuzz, kit, lint, npm, oracles, published, pypi, setup, site, size, tidy,
};

const API: &str = "API against the last release";
const BUILDING: &str = "set-up for building";
const GATEWAY_ALONE: &str = "gateway without PostgreSQL";
const SITE: &str = "widget and pages";
const KIT: &str = "kit of static files";
const BROWSER: &str = "set-up of the browser";
const ENGINES: &str = "set-up of Firefox and WebKitGTK";
const DATABASE: &str = "set-up of PostgreSQL";
const NODES: &str = "set-up of litecoind and bitcoind";
const NODE: &str = "set-up of npm packages";
const PYTHON: &str = "set-up of Python packages";

/// The tests of the HTTP interface that depend on the database: orders, locks, restarts, what is moved away, and money that leaves.
const ABOUT_THE_DATABASE: &[&str] = &[
    "--test-threads",
    "4",
    "list_",
    "idempotency::",
    "restart::",
    "faults::",
    "withdrawal",
    "claims::",
    "being_valued::",
    "judged_once::",
    "property::",
    "lost_answers::",
];

const ON_POSTGRES: Run<'static> =
    Run { variables: &[("CHECKOUT_TEST_STORE", "postgres"), ("CHECKOUT_SEEDS", "10")], only: HTTP, ..ALL };

/// The requests that each network sends to its servers in an hour, and what servers can flood the gateway with.
const HOUR: Run<'static> = Run { arguments: WAITING, only: "checkout --test requests", ..ALL };

/// Without those, and without the kills.
const PROGRAM: Run<'static> =
    Run { arguments: &["--test-threads", "4", "--skip", SWEEP], without: HOUR.only, ..ALL };

const COMPILES: Step = Step { weight: All, compiles: true, ..STEP };

/// Of the HTTP interface alone.
const HTTP_ALONE: Step =
    Step { parts: &["gateway"], programs: &["checkout-gateway"], needs: &[COMPILING, DATABASE], ..STEP };

const JOURNEYS: Step = Step {
    parts: &["e2e"],
    programs: &["checkout", "checkout-e2e"],
    needs: &[KIT, COMPILING, BROWSER, NODE, NODES],
    weight: All,
    ..STEP
};
const IN_ENGINES: &[&str] = &[KIT, COMPILING, BROWSER, ENGINES, NODE, NODES];

#[rustfmt::skip]
pub(crate) const STEPS: &[Step] = &[
    Step { name: "tidy", usual: 1, run: Some(|on, _| tidy::check(on.workspace)), parts: &["lint"], gate: true, ..STEP },
    Step { name: "formatting", usual: 3, run: Some(|on, _| lint::formatting(on.workspace)), parts: &["lint"], gate: true, ..STEP },
    Step { name: "clippy", usual: 150, run: Some(|on, _| lint::clippy(on.workspace)), parts: &["lint"], when: Ci, gate: true, ..COMPILES },
    Step { name: BUILDING, usual: 40, run: Some(|on, _| setup::for_building(on.workspace)), weight: Half, ..STEP },
    Step { name: DATABASE, usual: 20, run: Some(|_, _| setup::postgres()), weight: Half, ..STEP },
    Step { name: NODES, usual: 25, run: Some(|on, _| setup::nodes(on.workspace)), weight: Half, ..STEP },
    Step { name: BROWSER, usual: 60, run: Some(|on, _| set_up_chromium(on.workspace)), weight: Half, ..STEP },
    Step { name: ENGINES, usual: 180, run: Some(|on, _| set_up_other_engines(on.workspace)), weight: Half, ..STEP },
    Step { name: NODE, usual: 20, run: Some(|on, _| set_up_npm_packages(on.workspace)), weight: Half, ..STEP },
    Step { name: PYTHON, usual: 60, run: Some(|on, _| set_up_python_packages(on.workspace)), weight: Half, when: Turn(Packages), ..STEP },
    Step { name: API, usual: 1, run: Some(|on, _| api::compatible::check(on.workspace)), parts: &["gateway", "contract"], ..STEP },
    Step { name: COMPILING, usual: 300, run: Some(|on, _| Suite::compile(on.workspace, &on.selection)), ..COMPILES },
    Step { name: SITE, usual: 60, run: Some(|on, _| site::build(on.workspace, Profile::Debug)), needs: &[BUILDING], weight: Half, ..STEP },
    Step { name: KIT, usual: 20, run: Some(|on, _| kit::build(on.workspace, Profile::Debug).map(|_| ())), needs: &[SITE, COMPILING], ..COMPILES },
    Step { name: "types of the pages", usual: 10, run: Some(|on, _| lint::types_of_pages(on.workspace)), parts: &["widget", "e2e"], needs: &[BUILDING],
        ..STEP },

    // The tests of the workspace.
    Step { name: CANARY_STEP, usual: 1, run: Some(canary), programs: &["checkout-test-nodes"], needs: &[COMPILING], ..STEP },
    Step { name: "test database", usual: 5, parts: &["gateway"], programs: &["checkout-test-postgres"], needs: &[COMPILING, DATABASE], weight: Half, ..STEP },
    Step { name: "chains", usual: 60, how: Run { arguments: WAITING, ..ALL }, parts: &["gateway"],
        programs: &["checkout-chain-conformance", "checkout-chain-bitcoin"], needs: &[COMPILING, NODES], weight: Half, ..STEP },
    Step { name: "Ethereum on anvil", usual: 40, run: Some(|on, counts| beside_anvil(on, "checkout-chain-evm", &Run { arguments: WAITING, ..ALL }, counts)),
        parts: &["gateway"], programs: &["checkout-chain-evm"], needs: &[COMPILING, NODE], weight: Half, ..STEP },
    Step { name: "program", usual: 200, run: Some(|on, counts| beside_anvil(on, "checkout", &PROGRAM, counts)), parts: &["gateway"], programs: &["checkout"],
        needs: &[COMPILING, DATABASE, NODE, NODES, SITE], weight: Half, ..STEP },
    Step { name: "kills at a fifth of all commits and sends", usual: 40, run: Some(|on, counts| kills(on, &changes::count(on.workspace)?.to_string(), counts)), parts: &["gateway"], programs: &["checkout"],
        needs: &[COMPILING, DATABASE], sample_of: Some("kills at every commit and send"), weight: Half, ..STEP },
    Step { name: "tests of other packages", usual: 1, run: Some(other_packages), needs: &[COMPILING], ..STEP },
    Step { name: "core", usual: 30, parts: &["core"], programs: &["crypto-checkout-core"], needs: &[COMPILING], ..STEP },
    Step { name: "widget", usual: 10, parts: &["widget"], programs: &["checkout-widget"], needs: &[COMPILING], ..STEP },
    Step { name: "xtask", usual: 5, parts: &["xtask"], programs: &["xtask"], needs: &[COMPILING], ..STEP },
    Step { name: "npm binding", usual: 5, parts: &["npm"], programs: &["checkout-npm"], needs: &[COMPILING], ..STEP },
    Step { name: "gateway", usual: 60, how: Run { without: HTTP, ..ALL }, parts: &["gateway"],
        programs: &["checkout-domain", "checkout-storage", "checkout-gateway"], needs: &[COMPILING, DATABASE], ..STEP },
    Step { name: "HTTP", usual: 85, how: Run { arguments: WAITING, without: "checkout-gateway --lib", ..ALL }, parts: &["gateway"],
        programs: &["checkout-gateway", "checkout-simulator", "checkout-sandbox"], needs: &[COMPILING, DATABASE], ..STEP },
    Step { name: GATEWAY_ALONE, usual: 40, how: Run { variables: &[("CHECKOUT_SEEDS", "20")], arguments: &["--test-threads", "4", "--skip", "postgres"],
        ..ALL }, programs: &["checkout-domain", "checkout-storage", "checkout-gateway"], needs: &[COMPILING], when: Quick, ..STEP },
    Step { name: "HTTP on PostgreSQL, in part", usual: 30, how: Run { arguments: ABOUT_THE_DATABASE, ..ON_POSTGRES }, when: Ci,
        sample_of: Some("HTTP on PostgreSQL"), weight: Half, ..HTTP_ALONE },
    Step { name: "random worlds", usual: 30, run: Some(|on, counts| worlds(on, [("sqlite", "250", "20"), ("postgres", "20", "10")], counts)), when: Ci,
        sample_of: Some("long random worlds"), ..HTTP_ALONE },
    Step { name: "some journeys", usual: 100, run: Some(|on, counts| journeys(on, &setup::CHROMIUM, &[OF_PAYERS, IN_TEST], &[], counts)), sample_of: Some("journeys"),
        ..JOURNEYS },
    Step { name: "journeys", usual: 700, run: Some(|on, counts| journeys(on, &setup::CHROMIUM, &[], &[], counts)), when: Ci,
        sample_of: Some("journeys over every screen"), ..JOURNEYS },
    Step { name: "some journeys in Firefox", usual: 40, run: Some(|on, counts| journeys(on, &setup::FIREFOX, &[OF_PAYERS, IN_EVERY_ENGINE], &[], counts)),
        needs: IN_ENGINES, when: Ci, sample_of: Some("journeys in Firefox"), weight: One, ..JOURNEYS },
    Step { name: "some journeys in WebKitGTK", usual: 50, run: Some(|on, counts| journeys(on, &setup::WEBKIT, &[OF_PAYERS, IN_EVERY_ENGINE], &[], counts)),
        needs: IN_ENGINES, when: Ci, sample_of: Some("journeys in WebKitGTK"), weight: One, ..JOURNEYS },
    Step { name: "examples in core's documentation", usual: 15, run: Some(doc_tests), parts: &["core"], needs: &[COMPILING], when: Ci, ..COMPILES },

    // In turn: Firefox, and the widget in browsers.
    Step { name: "journeys in Firefox", usual: 150, run: Some(|on, counts| journeys(on, &setup::FIREFOX, &[&["journeys::"]], &[], counts)), needs: IN_ENGINES,
        when: Turn(Firefox), ..JOURNEYS },
    Step { name: "widget in browsers", usual: 190, run: Some(browsers::widget), parts: &["widget"], needs: &[BUILDING, BROWSER, ENGINES], when: Turn(Firefox),
        ..COMPILES },

    // In turn: WebKitGTK and PostgreSQL.
    Step { name: "journeys in WebKitGTK", usual: 180, run: Some(|on, counts| journeys(on, &setup::WEBKIT, &[&["journeys::"]], &[], counts)), needs: IN_ENGINES,
        when: Turn(WebkitAndPostgres), ..JOURNEYS },
    // Without the thousands of requests that are refused before they reach the database.
    Step { name: "HTTP on PostgreSQL", usual: 110, how: Run { arguments: &["--test-threads", "4", "--skip", "misspelled::no_"], ..ON_POSTGRES },
        when: Turn(WebkitAndPostgres), ..HTTP_ALONE },

    // In turn: every screen, and what is sent.
    Step { name: "journeys over every screen", usual: 330,
        run: Some(|on, counts| journeys(on, &setup::CHROMIUM, &[], &[("CHECKOUT_SCREENS", "every")], counts)), when: Turn(ScreensAndRequests), ..JOURNEYS },
    Step { name: "gateway against its OpenAPI document", usual: 90, run: Some(|on, counts| oracles::document(on.workspace, counts)),
        parts: &["gateway", "contract"], needs: &[COMPILING, PYTHON, SITE], when: Turn(ScreensAndRequests), ..STEP },
    Step { name: "requests of an hour", usual: 200, run: Some(|on, counts| beside_anvil(on, "checkout", &HOUR, counts)), parts: &["gateway"],
        programs: &["checkout"], needs: &[COMPILING, NODE, NODES], when: Turn(ScreensAndRequests), weight: Half, ..STEP },

    // In turn: kills and random worlds.
    Step { name: "kills at every commit and send", usual: 180, run: Some(|on, counts| kills(on, "every", counts)), parts: &["gateway"],
        needs: &[COMPILING, DATABASE], when: Turn(KillsAndWorlds), ..STEP },
    Step { name: "long random worlds", usual: 130, run: Some(|on, counts| worlds(on, [("sqlite", "1000", "90"), ("postgres", "50", "30")], counts)),
        when: Turn(KillsAndWorlds), ..HTTP_ALONE },

    // In turn: oracles and fuzz targets.
    Step { name: "core against Rust crates", usual: 90, run: Some(|on, counts| oracles::rust(on.workspace, counts)), parts: &["core"], when: Turn(Oracles),
        ..COMPILES },
    Step { name: "core against npm packages", usual: 60, run: Some(|on, counts| oracles::javascript(on.workspace, counts)), parts: &["core"],
        needs: &[NODE, "core against Rust crates"], when: Turn(Oracles), ..COMPILES },
    Step { name: "clippy of the oracles and benchmarks", usual: 50, run: Some(|on, _| lint::clippy_in(on.workspace, ORACLES)), parts: &["lint"],
        when: Turn(Oracles), ..COMPILES },
    Step { name: "XRP, Stellar and TRON against the official packages", usual: 30, run: Some(|on, counts| oracles::chains(on.workspace, counts)),
        parts: &["gateway"], needs: &[COMPILING, NODE], when: Turn(Oracles), ..COMPILES },
    Step { name: "fuzz targets", usual: 100, run: Some(|on, _| fuzz::run(on.workspace, Some(1), &[])), parts: &["lint"], when: Turn(Oracles), ..COMPILES },

    // In turn: packages and lints of single packages.
    Step { name: "size budgets", usual: 150, run: Some(|on, _| size::run(on.workspace)), parts: &["widget"], needs: &[BUILDING], when: Turn(Packages),
        ..STEP },
    Step { name: "core can be published", usual: 60, run: Some(|on, counts| published::package(on.workspace, counts)), parts: &["core"], when: Turn(Packages),
        ..COMPILES },
    Step { name: "names in the registries", usual: 10, run: Some(|on, counts| published::names(on.workspace, counts)), parts: &["npm"], needs: &[NODE, PYTHON],
        when: Turn(Packages), ..STEP },
    Step { name: "core in other languages", usual: 120, run: Some(|on, counts| bindings::check(on.workspace, counts)), parts: &["core"], needs: &[PYTHON],
        when: Turn(Packages), ..COMPILES },
    Step { name: "core without std", usual: 30, run: Some(|on, _| core_without_std(on.workspace)), parts: &["core"], when: Turn(Packages), ..COMPILES },
    Step { name: "workflows", usual: 2, run: Some(|on, counts| lint::workflows(on.workspace, counts)), parts: &["xtask"], needs: &[NODE],
        when: Turn(Packages), ..STEP },
    Step { name: "npm packages", usual: 150, run: Some(|on, counts| npm::test(on.workspace, counts)), parts: &["npm"], needs: &[BUILDING, NODE, BROWSER, COMPILING], when: Turn(Packages),
        ..STEP },
    Step { name: "Python client", usual: 25, run: Some(|on, counts| pypi::test(on.workspace, counts)), parts: &["npm"], needs: &[PYTHON, COMPILING],
        when: Turn(Packages), ..STEP },
    Step { name: "shops with clients that others wrote", usual: 15, run: Some(|on, counts| oracles::greenfield(on.workspace, counts)), parts: &["gateway", "npm"],
        needs: &[NODE, PYTHON, COMPILING], when: Turn(Packages), ..STEP },
    Step { name: "mails to a real server", usual: 60, run: Some(|on, counts| oracles::mail(on.workspace, counts)), parts: &["gateway"],
        needs: &[SITE, PYTHON, COMPILING], when: Turn(Packages), ..STEP },
    Step { name: "Medusa with the payment provider", usual: 90, run: Some(|on, counts| npm::test_medusa(on.workspace, counts)), parts: &["npm"],
        needs: &[NODE, DATABASE, COMPILING], when: Turn(Packages), ..STEP },
    Step { name: "pretix with the payment provider", usual: 90, run: Some(|on, counts| pypi::test_pretix(on.workspace, counts)), parts: &["npm"],
        needs: &[PYTHON, DATABASE, COMPILING], when: Turn(Packages), ..STEP },
    // Only with the features that the package itself enables.
    Step { name: "clippy of the program", usual: 60, run: Some(|on, _| lint::clippy_of(on.workspace, &["--package", "checkout"])), parts: &["lint"],
        when: Turn(Packages), ..COMPILES },
    Step { name: "clippy for WebAssembly", usual: 60,
        run: Some(|on, _| lint::clippy_of(on.workspace, &["--package", "checkout-widget", "--target", site::wasm::TARGET])), parts: &["lint"],
        when: Turn(Packages), ..COMPILES },
    Step { name: "core's pages", usual: 20, run: Some(|on, _| lint::core_pages(on.workspace)), parts: &["lint"], when: Turn(Packages), ..COMPILES },
    Step { name: "licences, sources and advisories", usual: 5, run: Some(|on, _| lint::deny(on.workspace)), parts: &["lint"], when: Turn(Packages),
        ..COMPILES },
];

/// The steps of `--quick`: no site, so that the widget is not built for the browser; no PostgreSQL; few random worlds.
pub(super) const QUICK: &[&str] = &["tidy", "formatting", API, "core", "widget", "xtask", GATEWAY_ALONE];

/// Tests the packages without a step, so that a new package is tested before it has one.
fn other_packages(context: &Context<'_>, counts: &mut Counts) -> Outcome<()> {
    let suite = context.suite();
    let known = |name: &str| STEPS.iter().any(|step| step.programs.contains(&name));
    let others: Vec<&str> = suite.packages().filter(|name| !known(name)).collect();
    suite.run(&others, &ALL, counts)
}

#[cfg(test)]
mod tests {
    use super::{COMPILING, QUICK, STEPS};
    use crate::groups::GROUPS;
    use crate::step::When;
    use crate::workspace::Workspace;

    #[test]
    fn names_are_unique_needed_steps_come_first_and_every_group_has_one() {
        let place = |name: &str| STEPS.iter().position(|step| step.name == name).expect(name);
        for (index, step) in STEPS.iter().enumerate() {
            assert_eq!(place(step.name), index, "{}", step.name);
            assert!(step.needs.iter().all(|need| place(need) < index), "{}", step.name);
            step.sample_of.iter().chain(QUICK).for_each(|name| assert!(place(name) < STEPS.len()));
        }
        for (group, ..) in GROUPS {
            assert!(STEPS.iter().any(|step| step.when == When::Turn(group)), "{group:?}");
        }
    }

    #[test]
    fn every_package_is_one_of_the_workspace() {
        let packages = Workspace::find().expect("the tests run in the repository").packages;
        for step in STEPS {
            for name in step.programs {
                assert!(packages.iter().any(|package| package.name == *name), "{name}");
                assert!(step.needs.contains(&COMPILING), "{}", step.name);
            }
        }
    }
}
