//! What stands above uses what stands below, and nothing uses what stands beside it: packages of the workspace, and the rooms of a
//! package, which are its modules with all modules inside them. Tests may use everything. The tables are the rule.

use super::modules::of_crate;
use super::source::Source;
use crate::workspace::Package;

/// A line for each floor, from the top.
type Floors = &'static str;

/// Adapters know neither each other nor the gateway.
const PACKAGES: Floors = "
    checkout checkout-e2e checkout-gateway-bench
    checkout-sandbox
    checkout-chain-conformance checkout-simulator
    checkout-chain-bitcoin checkout-chain-evm checkout-chain-stellar checkout-chain-tron checkout-chain-xrp checkout-gateway checkout-storage
    checkout-chain-keys
    checkout-chain-addresses checkout-chain-doubles checkout-chain-http xtask
    checkout-domain checkout-test-nodes checkout-test-postgres checkout-widget
    checkout-chain-sweep checkout-npm checkout-test-support checkout-wire
    crypto-checkout-core xtask-bindgen";

#[rustfmt::skip]
const ROOMS: &[(&str, Floors)] = &[
    ("gateway", "
        http workers
        adapters service site
        background render
        greenfield
        core_dumps events metrics texts unwind"),
    ("gateway/domain", "
        ports
        callback
        payment
        business sale withdrawal
        access chain ledger mail
        fail_point ids page rates words"),
    ("gateway/storage", "
        ports
        changes connections pages
        restore rows
        migrations secrets
        statements"),
    ("sandbox", "
        http
        overview
        inbox rehearsal shop"),
    ("sandbox/simulator", "
        world
        chain clock deposit_keys rates storage
        records requests"),
];

const CORE: &str = "crypto-checkout-core";

/// The crates that the core may use. None of them opens files or sockets, reads a clock, or needs an operating system.
const CORE_MAY_USE: &[&str] =
    &["bech32", "blake2", "bs58", "ripemd", "rust_decimal", "schemars", "serde", "sha2", "sha3"];

pub(super) fn check(packages: &[Package], sources: &[Source]) -> Vec<String> {
    let ours: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let of_package = |package: &Package| {
        let shipped = package.dependencies.iter().filter(|used| !used.is_for_tests_only());
        of_package(&package.name, &shipped.map(|used| used.name.as_str()).collect::<Vec<_>>(), &ours)
    };
    packages.iter().flat_map(of_package).chain(rooms(sources)).collect()
}

fn of_package(package: &str, uses: &[&str], ours: &[&str]) -> Vec<String> {
    let fault = |used: &&str| {
        if ours.contains(used) {
            return fault(PACKAGES, package, used);
        }
        let is_new = package == CORE && !CORE_MAY_USE.contains(used);
        is_new.then(|| "the core does no I/O: review a new dependency before you add it to".to_owned())
    };
    let found = uses.iter().filter_map(|used| Some((used, fault(used)?)));
    found.map(|(used, fault)| finding(package, used, &fault)).collect()
}

fn rooms(sources: &[Source]) -> Vec<String> {
    let of_room = |(package, floors): &(&str, Floors)| {
        let mut found = Vec::new();
        for (module, uses) in of_crate(package, sources) {
            for used in uses {
                let [room, other] = [&module, &used].map(|name| name.split("::").next().unwrap_or(name));
                let fault = (room != other).then(|| fault(floors, room, other)).flatten();
                found.extend(fault.map(|fault| finding(&format!("{package}/src: {module}"), &used, &fault)));
            }
        }
        found
    };
    ROOMS.iter().flat_map(of_room).collect()
}

fn fault(floors: Floors, from: &str, to: &str) -> Option<String> {
    let floor = |name| floors.lines().position(|floor| floor.split(' ').any(|other| other == name));
    match (floor(from), floor(to)) {
        (Some(above), Some(below)) if above < below => None,
        (Some(_), Some(_)) => Some(format!("{to} is not below {from}, see")),
        _ => Some(format!("{from} and {to} need a floor in")),
    }
}

fn finding(from: &str, to: &str, fault: &str) -> String {
    format!("{from} uses {to}: {fault} xtask/src/tidy/floors.rs")
}

#[cfg(test)]
mod tests {
    use super::{CORE, Source, of_package, rooms};

    #[test]
    fn packages_use_what_is_below_and_the_core_does_no_io() {
        let ours = [CORE, "checkout-gateway", "checkout-storage", "checkout-new", "checkout"];
        for (package, uses, expected) in [
            ("checkout-gateway", &["crypto-checkout-core", "axum"][..], ""),
            ("checkout-gateway", &["checkout"], "checkout is not below checkout-gateway"),
            ("checkout-gateway", &["checkout-storage"], "checkout-storage is not below checkout-gateway"),
            (CORE, &["sha2"], ""),
            (CORE, &["tokio"], "uses tokio: the core does no I/O"),
            ("checkout-new", &["checkout-gateway"], "need a floor"),
        ] {
            super::super::expect(&of_package(package, uses, &ours), expected, package);
        }
    }

    #[test]
    fn rooms_use_what_is_below() {
        let check = |path: &str, text: &str, expected: &str| {
            let others = ["src/http", "src/service", "src/site", "src/new", "domain/src/chain"];
            let others = others.map(|name| Source::new(&format!("gateway/{name}.rs"), ""));
            let sources = others.into_iter().chain([Source::new(&format!("gateway/{path}"), text)]);
            super::super::expect(&rooms(&sources.collect::<Vec<_>>()), expected, path);
        };
        check("src/http/pay.rs", "use crate::service::pay;", "");
        check("src/service/pay.rs", "use crate::http::Shared;", "http is not below service");
        check("src/service/pay.rs", "use crate::site::Site;", "site is not below service");
        check("src/service/pay.rs", "use crate::new::A;", "service and new need a floor");
        check("domain/src/payment/deposit.rs", "use crate::chain::Output;", "");
        check("domain/src/ports/pay.rs", "use super::Stored;", "");
    }
}
