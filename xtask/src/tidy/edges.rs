//! Dependencies point one way: all -> core, gateway and chains -> domain, the program -> all; core -> no I/O.

use crate::workspace::Package;

/// The crates that the core may use. None of them opens files or sockets, reads a clock, or needs an operating system.
const CORE_MAY_USE: &[&str] =
    &["bech32", "blake2", "bs58", "ripemd", "rust_decimal", "schemars", "serde", "sha2", "sha3"];

struct Edges {
    package: &'static str,
    /// The packages of this workspace that it may use.
    uses: &'static [&'static str],
    /// Those that its tests may use, too.
    tests_use: &'static [&'static str],
}

const fn edges(
    package: &'static str,
    uses: &'static [&'static str],
    tests_use: &'static [&'static str],
) -> Edges {
    Edges { package, uses, tests_use }
}

#[rustfmt::skip]
const EDGES: &[Edges] = &[
    edges("crypto-checkout-core", &[], &["crypto-checkout-core"]),
    edges("checkout-wire", &["crypto-checkout-core"], &[]),
    edges("checkout-widget", &["checkout-wire", "crypto-checkout-core"], &["checkout-widget"]),
    edges("checkout-npm", &["crypto-checkout-core"], &[]),
    // The gateway, from the rules up.
    edges("checkout-domain", &["checkout-wire", "crypto-checkout-core"], &[]),
    edges("checkout-storage", &["checkout-domain", "checkout-wire", "crypto-checkout-core"], &["checkout-gateway", "checkout-test-postgres", "checkout-test-support"]),
    edges("checkout-gateway", &["checkout-chain-http", "checkout-domain", "checkout-wire", "crypto-checkout-core"], &["checkout-sandbox", "checkout-simulator", "checkout-storage", "checkout-test-nodes", "checkout-test-postgres", "checkout-test-support"]),
    edges("checkout-gateway-bench", &["checkout-test-postgres"], &[]),
    // Chains: adapters of the domain's ports, independent of each other and of the gateway.
    edges("checkout-chain-http", &["checkout-domain"], &[]),
    edges("checkout-chain-addresses", &["crypto-checkout-core", "checkout-domain"], &[]),
    edges("checkout-chain-keys", &["checkout-chain-http", "crypto-checkout-core", "checkout-domain"], &[]),
    edges("checkout-chain-sweep", &["crypto-checkout-core"], &[]),
    edges("checkout-chain-bitcoin", &["checkout-chain-addresses", "checkout-chain-http", "crypto-checkout-core", "checkout-domain"], &["checkout-chain-conformance", "checkout-chain-doubles", "checkout-test-nodes", "checkout-test-support"]),
    edges("checkout-chain-evm", &["checkout-chain-http", "checkout-chain-keys", "checkout-chain-sweep", "crypto-checkout-core", "checkout-domain"], &["checkout-chain-conformance", "checkout-chain-doubles", "checkout-test-nodes"]),
    edges("checkout-chain-stellar", &["checkout-chain-http", "checkout-chain-keys", "crypto-checkout-core", "checkout-domain"], &["checkout-chain-conformance", "checkout-chain-doubles"]),
    edges("checkout-chain-tron", &["checkout-chain-http", "checkout-chain-keys", "checkout-chain-sweep", "crypto-checkout-core", "checkout-domain"], &["checkout-chain-conformance", "checkout-chain-doubles"]),
    edges("checkout-chain-xrp", &["checkout-chain-http", "checkout-chain-keys", "crypto-checkout-core", "checkout-domain"], &["checkout-chain-conformance", "checkout-chain-doubles"]),
    // The simulated world.
    edges("checkout-simulator", &["checkout-chain-addresses", "checkout-domain", "checkout-gateway", "checkout-storage", "checkout-wire", "crypto-checkout-core"], &[]),
    edges("checkout-sandbox", &["checkout-chain-http", "checkout-domain", "checkout-gateway", "checkout-simulator", "checkout-storage", "checkout-wire", "crypto-checkout-core"], &["checkout-test-nodes"]),
    // The program knows all of them.
    edges("checkout", &["checkout-chain-addresses", "checkout-chain-bitcoin", "checkout-chain-evm", "checkout-chain-http", "checkout-chain-keys", "checkout-chain-stellar", "checkout-chain-sweep", "checkout-chain-tron", "checkout-chain-xrp", "checkout-domain", "checkout-gateway", "checkout-sandbox", "checkout-simulator", "checkout-storage", "checkout-widget", "checkout-wire", "crypto-checkout-core"], &["checkout-chain-doubles", "checkout-test-nodes", "checkout-test-postgres", "checkout-test-support"]),
    // Tests and tools.
    edges("checkout-chain-conformance", &["checkout-chain-doubles", "crypto-checkout-core", "checkout-domain", "checkout-test-support"], &["checkout-gateway", "checkout-simulator", "checkout-storage"]),
    edges("checkout-chain-doubles", &["crypto-checkout-core", "checkout-test-nodes"], &[]),
    edges("checkout-test-support", &[], &[]),
    edges("checkout-test-nodes", &["crypto-checkout-core", "checkout-test-support"], &[]),
    edges("checkout-test-postgres", &["checkout-test-support"], &[]),
    edges("checkout-e2e", &[], &["checkout-chain-doubles", "checkout-chain-tron", "checkout-test-nodes", "checkout-test-support", "checkout-wire", "crypto-checkout-core"]),
    edges("xtask", &[], &[]),
    edges("xtask-bindgen", &[], &[]),
];

pub(crate) fn check(packages: &[Package]) -> Vec<String> {
    let ours = |name: &str| packages.iter().any(|package| package.name == name);
    let mut found = Vec::new();
    for package in packages {
        let Some(edges) = EDGES.iter().find(|edges| edges.package == package.name) else {
            found.push(format!(
                "{}: a new package; add its allowed dependencies to xtask/src/tidy/edges.rs",
                package.name
            ));
            continue;
        };
        for dependency in &package.dependencies {
            let name = dependency.name.as_str();
            let in_tests = dependency.for_tests_only && edges.tests_use.contains(&name);
            if ours(name) && !edges.uses.contains(&name) && !in_tests {
                found.push(format!("{}: depends on {name}; dependencies point one way", package.name));
            }
            let shipped = package.name == "crypto-checkout-core" && !dependency.for_tests_only;
            if shipped && !ours(name) && !CORE_MAY_USE.contains(&name) {
                found.push(format!(
                    "crypto-checkout-core: depends on {name}; the core does no I/O, so review a new dependency before \
                     you add it to xtask/src/tidy/edges.rs"
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::workspace::{Dependency, Package};

    #[track_caller]
    fn expect(name: &str, dependencies: &[(&str, bool)], expected: &str) {
        let package = |name: &str, dependencies: &[(&str, bool)]| Package {
            tests: Vec::new(),
            executables: 0,
            name: name.to_owned(),
            folder: String::new(),
            dependencies: dependencies
                .iter()
                .map(|(name, for_tests_only)| Dependency {
                    name: (*name).to_owned(),
                    for_tests_only: *for_tests_only,
                })
                .collect(),
        };
        let mut packages: Vec<Package> = ["crypto-checkout-core", "checkout-gateway"]
            .into_iter()
            .filter(|other| *other != name)
            .map(|name| package(name, &[]))
            .collect();
        packages.push(package(name, dependencies));
        let found = check(&packages).join("\n");
        assert_eq!(found.is_empty(), expected.is_empty(), "{found}");
        assert!(found.contains(expected), "{found}");
    }

    #[test]
    fn edges_point_one_way() {
        expect("checkout-widget", &[("crypto-checkout-core", false), ("leptos", false)], "");
        expect(
            "checkout-widget",
            &[("checkout-gateway", false)],
            "checkout-widget: depends on checkout-gateway",
        );
        expect("crypto-checkout-core", &[("sha2", false), ("proptest", true)], "");
        expect("crypto-checkout-core", &[("tokio", false)], "crypto-checkout-core: depends on tokio");
        expect(
            "crypto-checkout-core",
            &[("checkout-gateway", true)],
            "crypto-checkout-core: depends on checkout-gateway",
        );
        expect("xtask", &[("crypto-checkout-core", false)], "xtask: depends on crypto-checkout-core");
        expect("checkout-new", &[], "checkout-new: a new package");
    }
}
