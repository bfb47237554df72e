//! The tables of steps: fast steps first, browser tests last.

use super::browsers;
use super::jobs::{
    beside_anvil, chains, compile, core_without_std, doc_tests, gateway, gateway_on_postgres,
    gateway_quickly, http, journeys_elsewhere, kills, other_packages, package, program, random_worlds,
    requests, sampled_journeys, smoke, some_kills, whole_journeys,
};
use super::packages::{KILLS, REQUESTS, SMOKE};
use crate::flags::Part;
use crate::step::{Step, Tier};
use crate::{
    api, chain_oracles, contract, crates, format, npm, oracles, pypi, setup, site, size, tidy, workflows,
};

pub(super) const API: &str = "API against the last release";
pub(super) const BUILDING: &str = "set-up for building";
pub(super) const COMPILING: &str = "compiling the tests";
pub(super) const SITE: &str = "widget and pages";
pub(super) const BROWSER: &str = "set-up of the browser";
pub(super) const ENGINES: &str = "set-up of Firefox and WebKitGTK";
pub(super) const DATABASE: &str = "set-up of PostgreSQL";
pub(super) const NODES: &str = "set-up of litecoind and bitcoind";
pub(super) const NODE: &str = "set-up of npm packages";
pub(super) const PYTHON: &str = "set-up of Python packages";

pub(super) const STEPS: &[Step] = &[
    Step::new(BUILDING, 40, |context, _| setup::for_building(context.workspace)),
    Step::new("tidy", 1, |context, _| tidy::check(context.workspace)),
    Step::new("formatting", 3, |context, _| format::check(context.workspace)),
    Step::new(API, 1, |context, _| api::compatible::check(context.workspace))
        .parts(&[Part::Gateway, Part::Contract]),
    Step::new(SITE, 120, |context, _| site::build(context.workspace, context.module)).needs(&[BUILDING]),
    Step::new("types of the pages", 10, |context, _| site::types::check(context.workspace))
        .parts(&[Part::Widget, Part::E2e]),
    Step::new("size budgets", 1, |context, _| size::check(context.workspace))
        .parts(&[Part::Widget])
        .needs(&[SITE])
        .tier(Tier::All),
    Step::new(COMPILING, 300, compile),
    Step::new(DATABASE, 20, |_, _| setup::for_database_tests()).aside(),
    Step::new(NODES, 25, |context, _| setup::for_chain_tests(context.workspace)).aside(),
    Step::new(BROWSER, 60, |context, _| {
        setup::for_browser_tests(context.workspace, &setup::CHROMIUM)?;
        setup::axe(context.workspace).map(|_| ())
    })
    .aside(),
    Step::new(ENGINES, 180, |context, _| {
        setup::for_browser_tests(context.workspace, &setup::FIREFOX)?;
        setup::for_browser_tests(context.workspace, &setup::WEBKIT).map(|_| ())
    })
    .aside(),
    Step::new(NODE, 20, |context, _| {
        setup::for_npm(context.workspace)?;
        setup::anvil(context.workspace)?;
        oracles::packages(context.workspace)?;
        npm::publish::packages(context.workspace)?;
        npm::client::packages(context.workspace)?;
        workflows::packages(context.workspace)?;
        chain_oracles::packages(context.workspace).map(|_| ())
    })
    .aside(),
    Step::new(PYTHON, 60, |context, _| {
        pypi::tools(context.workspace)?;
        contract::python(context.workspace).map(|_| ())
    })
    .aside()
    .tier(Tier::All),
    Step::new("test database", 5, |context, counts| package(context, "checkout-test-postgres", counts))
        .parts(&[Part::Gateway])
        .needs(&[COMPILING, DATABASE])
        .beside(),
    Step::new("chains", 40, chains).parts(&[Part::Gateway]).needs(&[COMPILING, NODES]).beside(),
    Step::new("Ethereum on anvil", 20, |context, counts| beside_anvil(context, "checkout-chain-evm", counts))
        .parts(&[Part::Gateway])
        .needs(&[COMPILING, NODE])
        .beside(),
    Step::new("program", 90, program)
        .parts(&[Part::Gateway])
        .needs(&[COMPILING, DATABASE, NODE, NODES, SITE])
        .beside(),
    Step::new(KILLS, 40, some_kills)
        .parts(&[Part::Gateway])
        .needs(&[COMPILING, DATABASE, SITE])
        .sample()
        .beside(),
    Step::new(REQUESTS, 200, requests)
        .parts(&[Part::Gateway])
        .needs(&[COMPILING, NODE, NODES])
        .tier(Tier::All)
        .beside(),
    Step::new("tests of other packages", 1, other_packages).needs(&[COMPILING]).beside(),
    Step::new("gateway on PostgreSQL", 110, gateway_on_postgres)
        .parts(&[Part::Gateway])
        .needs(&[COMPILING, DATABASE])
        .tier(Tier::All)
        .beside(),
    Step::new(SMOKE, 40, smoke)
        .parts(&[Part::E2e])
        .needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES])
        .sample()
        .beside(),
    Step::new("core", 30, |context, counts| package(context, "checkout-core", counts))
        .parts(&[Part::Core])
        .needs(&[COMPILING]),
    Step::new("examples in core's documentation", 15, doc_tests).parts(&[Part::Core]).needs(&[COMPILING]),
    Step::new("core can be published", 60, |context, counts| crates::check(context.workspace, counts))
        .parts(&[Part::Core])
        .tier(Tier::All),
    Step::new("core against Rust crates", 90, |context, counts| oracles::rust(context.workspace, counts))
        .parts(&[Part::Core])
        .tier(Tier::All),
    Step::new("core against npm packages", 60, |context, counts| {
        oracles::javascript(context.workspace, counts)
    })
    .parts(&[Part::Core])
    .needs(&[NODE])
    .tier(Tier::All),
    Step::new("workflows", 2, |context, counts| workflows::check(context.workspace, counts))
        .parts(&[Part::Xtask])
        .needs(&[NODE])
        .tier(Tier::All),
    Step::new("core without std", 30, |context, _| core_without_std(context.workspace))
        .parts(&[Part::Core])
        .tier(Tier::All),
    Step::new("widget", 10, |context, counts| package(context, "checkout-widget", counts))
        .parts(&[Part::Widget])
        .needs(&[COMPILING]),
    Step::new("xtask", 5, |context, counts| package(context, "xtask", counts))
        .parts(&[Part::Xtask])
        .needs(&[COMPILING]),
    Step::new("npm binding", 5, |context, counts| package(context, "checkout-npm", counts))
        .parts(&[Part::Npm])
        .needs(&[COMPILING])
        .tier(Tier::All),
    Step::new("npm package", 40, |context, _| npm::build(context.workspace))
        .parts(&[Part::Npm])
        .needs(&[NODE])
        .tier(Tier::All),
    Step::new("npm loader of the checkout", 3, |context, _| npm::embed::build(context.workspace))
        .parts(&[Part::Npm])
        .needs(&[NODE, BUILDING])
        .tier(Tier::All),
    Step::new("npm loader in Node, Vite, React and a browser", 40, |context, counts| {
        npm::embed::test(context.workspace, counts)
    })
    .parts(&[Part::Npm])
    .needs(&["npm loader of the checkout", BROWSER])
    .tier(Tier::All),
    Step::new("npm client for back ends", 15, |context, _| npm::client::build(context.workspace))
        .parts(&[Part::Npm])
        .needs(&[NODE])
        .tier(Tier::All),
    Step::new("npm client in Node and TypeScript", 15, |context, counts| {
        npm::client::test(context.workspace, counts)
    })
    .parts(&[Part::Npm])
    .needs(&["npm client for back ends", COMPILING])
    .tier(Tier::All),
    Step::new("Python client", 25, |context, counts| pypi::test(context.workspace, counts))
        .parts(&[Part::Npm])
        .needs(&[PYTHON, COMPILING])
        .tier(Tier::All),
    Step::new("npm packages can be published", 15, |context, counts| {
        npm::publish::check(context.workspace, counts)
    })
    .parts(&[Part::Npm])
    .needs(&["npm package", "npm loader of the checkout", "npm client for back ends"])
    .tier(Tier::All),
    Step::new("npm package in Node, TypeScript and a browser", 40, |context, counts| {
        npm::test(context.workspace, counts)
    })
    .parts(&[Part::Npm])
    .needs(&["npm package", BROWSER])
    .tier(Tier::All),
    Step::new("gateway", 60, gateway).parts(&[Part::Gateway]).needs(&[COMPILING, DATABASE]),
    Step::new("HTTP", 85, http).parts(&[Part::Gateway]).needs(&[COMPILING, DATABASE]),
    Step::new("random worlds", 130, random_worlds)
        .parts(&[Part::Gateway])
        .needs(&[COMPILING, DATABASE])
        .tier(Tier::Ci),
    Step::new("kills at every commit and send", 180, kills)
        .parts(&[Part::Gateway])
        .needs(&[COMPILING, DATABASE, SITE])
        .tier(Tier::All),
    Step::new("gateway against its OpenAPI document", 90, |context, counts| {
        contract::test(context.workspace, counts)
    })
    .parts(&[Part::Gateway, Part::Contract])
    .needs(&[COMPILING, PYTHON, SITE])
    .tier(Tier::All),
    Step::new("XRP, Stellar and TRON against the official packages", 30, |context, counts| {
        chain_oracles::compare(context.workspace, counts)
    })
    .parts(&[Part::Gateway])
    .needs(&[COMPILING, NODE])
    .tier(Tier::All),
    Step::new("widget in browsers", 190, browsers::widget)
        .parts(&[Part::Widget])
        .needs(&[BUILDING, BROWSER, ENGINES])
        .tier(Tier::All),
    Step::new("journeys", 200, sampled_journeys)
        .parts(&[Part::E2e])
        .needs(&[SITE, COMPILING, BROWSER, NODE, NODES])
        .sample(),
    Step::new("journeys over every screen", 330, whole_journeys)
        .parts(&[Part::E2e])
        .needs(&[SITE, COMPILING, BROWSER, NODE, NODES])
        .tier(Tier::All),
    Step::new("journeys in Firefox", 150, |context, counts| {
        journeys_elsewhere(context, &setup::FIREFOX, counts)
    })
    .parts(&[Part::E2e])
    .needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES])
    .tier(Tier::All),
    Step::new("journeys in WebKitGTK", 180, |context, counts| {
        journeys_elsewhere(context, &setup::WEBKIT, counts)
    })
    .parts(&[Part::E2e])
    .needs(&[SITE, COMPILING, BROWSER, ENGINES, NODE, NODES])
    .tier(Tier::All),
];

/// The steps of `--quick`: no site, so that the widget is not built for the browser; no PostgreSQL; few random worlds.
pub(super) const QUICK: &[Step] = &[
    Step::new("tidy", 1, |context, _| tidy::check(context.workspace)),
    Step::new("formatting", 3, |context, _| format::check(context.workspace)),
    Step::new(API, 1, |context, _| api::compatible::check(context.workspace)),
    Step::new(COMPILING, 240, compile),
    Step::new("core", 30, |context, counts| package(context, "checkout-core", counts)).needs(&[COMPILING]),
    Step::new("widget", 10, |context, counts| package(context, "checkout-widget", counts))
        .needs(&[COMPILING]),
    Step::new("xtask", 5, |context, counts| package(context, "xtask", counts)).needs(&[COMPILING]),
    Step::new("gateway", 40, gateway_quickly).needs(&[COMPILING]),
];

#[cfg(test)]
mod tests {
    use super::{COMPILING, QUICK, SITE, STEPS};
    use crate::flags::Part;
    use crate::step::Step;
    use crate::test::packages::PACKAGES;
    use crate::workspace::Workspace;

    #[test]
    fn every_part_has_a_step_and_the_browser_comes_last() {
        for (name, part) in Part::ALL {
            assert!(STEPS.iter().any(|step| step.parts.contains(&part)), "{name}");
        }
        let last = STEPS.last().map(|step| step.name);
        assert!(last.is_some_and(|name| name.starts_with("journeys")), "{last:?}");
    }

    #[test]
    fn needed_steps_come_first() {
        for table in [STEPS, QUICK] {
            let place = |name: &str| table.iter().position(|step| step.name == name).expect(name);
            for step in table {
                assert!(step.needs.iter().all(|need| place(need) < place(step.name)), "{}", step.name);
            }
        }
        let place = |name: &str| STEPS.iter().position(|step| step.name == name).expect(name);
        assert!(place(SITE) < place("size budgets"));
        assert!(place(SITE) < place(COMPILING), "the gateway embeds the site");
        assert!(place("npm package") < place("npm package in Node, TypeScript and a browser"));
    }

    #[test]
    fn names_are_unique_and_steps_aside_need_nothing() {
        for table in [STEPS, QUICK] {
            let count = |name| table.iter().filter(|step: &&Step| step.name == name).count();
            assert!(table.iter().all(|step| count(step.name) == 1));
            assert!(table.iter().all(|step| !step.aside || step.needs.is_empty()));
        }
    }

    #[test]
    fn every_package_is_one_of_the_workspace_and_has_its_step() {
        let workspace = Workspace::find().expect("the tests run in the repository");
        let packages = workspace.packages();
        for (name, part, step) in PACKAGES {
            assert!(packages.iter().any(|package| package.name == *name), "{name}");
            let step = STEPS.iter().find(|row| row.name == *step).expect(step);
            assert!(step.parts.contains(part), "{name}");
        }
    }
}
