//! Dependencies point one way: all -> core, gateway and chains -> domain, the program -> all; core -> no I/O.

use crate::workspace::Package;

/// The crates that the core may use. None of them opens files or sockets, reads a clock, or needs an operating system.
const CORE_MAY_USE: &[&str] =
    &["bech32", "blake2", "bs58", "ripemd", "rust_decimal", "schemars", "serde", "sha2", "sha3"];

/// A package, the packages of this workspace that it may use, and those that its tests may use, too.
type Edges = (&'static str, &'static [&'static str], &'static [&'static str]);

#[rustfmt::skip]
const EDGES: &[Edges] = &[
    ("crypto-checkout-core", &[], &["crypto-checkout-core"]),
    ("checkout-wire", &["crypto-checkout-core"], &[]),
    ("checkout-widget", &["checkout-wire", "crypto-checkout-core"], &["checkout-widget"]),
    ("checkout-npm", &["crypto-checkout-core"], &[]),
    // The gateway, from the rules up.
    ("checkout-domain", &["checkout-wire", "crypto-checkout-core"], &[]),
    ("checkout-storage", &["checkout-domain", "checkout-wire", "crypto-checkout-core"], &["checkout-test-postgres", "checkout-test-support"]),
    ("checkout-gateway", &["checkout-chain-http", "checkout-domain", "checkout-wire", "crypto-checkout-core"], &["checkout-sandbox", "checkout-simulator", "checkout-storage", "checkout-test-nodes", "checkout-test-postgres", "checkout-test-support"]),
    ("checkout-gateway-bench", &["checkout-test-postgres"], &[]),
    // Chains: adapters of the domain's ports, independent of each other and of the gateway.
    ("checkout-chain-http", &["checkout-domain"], &[]),
    ("checkout-chain-addresses", &["crypto-checkout-core", "checkout-domain"], &[]),
    ("checkout-chain-keys", &["checkout-chain-http", "crypto-checkout-core", "checkout-domain"], &[]),
    ("checkout-chain-sweep", &["crypto-checkout-core"], &[]),
    ("checkout-chain-bitcoin", &["checkout-chain-addresses", "checkout-chain-http", "crypto-checkout-core", "checkout-domain"], &["checkout-chain-conformance", "checkout-chain-doubles", "checkout-test-nodes", "checkout-test-support"]),
    ("checkout-chain-evm", &["checkout-chain-http", "checkout-chain-keys", "checkout-chain-sweep", "crypto-checkout-core", "checkout-domain"], &["checkout-chain-conformance", "checkout-chain-doubles", "checkout-test-nodes"]),
    ("checkout-chain-stellar", &["checkout-chain-http", "checkout-chain-keys", "crypto-checkout-core", "checkout-domain"], &["checkout-chain-conformance", "checkout-chain-doubles"]),
    ("checkout-chain-tron", &["checkout-chain-http", "checkout-chain-keys", "checkout-chain-sweep", "crypto-checkout-core", "checkout-domain"], &["checkout-chain-conformance", "checkout-chain-doubles"]),
    ("checkout-chain-xrp", &["checkout-chain-http", "checkout-chain-keys", "crypto-checkout-core", "checkout-domain"], &["checkout-chain-conformance", "checkout-chain-doubles"]),
    // The simulated world.
    ("checkout-simulator", &["checkout-chain-addresses", "checkout-domain", "checkout-gateway", "checkout-storage", "checkout-wire", "crypto-checkout-core"], &[]),
    ("checkout-sandbox", &["checkout-chain-http", "checkout-domain", "checkout-gateway", "checkout-simulator", "checkout-storage", "checkout-wire", "crypto-checkout-core"], &["checkout-test-nodes"]),
    // The program knows all of them.
    ("checkout", &["checkout-chain-addresses", "checkout-chain-bitcoin", "checkout-chain-evm", "checkout-chain-http", "checkout-chain-keys", "checkout-chain-stellar", "checkout-chain-sweep", "checkout-chain-tron", "checkout-chain-xrp", "checkout-domain", "checkout-gateway", "checkout-sandbox", "checkout-simulator", "checkout-storage", "checkout-widget", "checkout-wire", "crypto-checkout-core"], &["checkout-chain-doubles", "checkout-test-nodes", "checkout-test-postgres", "checkout-test-support"]),
    // Tests and tools.
    ("checkout-chain-conformance", &["checkout-chain-doubles", "crypto-checkout-core", "checkout-domain", "checkout-test-support"], &["checkout-gateway", "checkout-simulator", "checkout-storage"]),
    ("checkout-chain-doubles", &["crypto-checkout-core", "checkout-test-nodes"], &[]),
    ("checkout-test-support", &[], &[]),
    ("checkout-test-nodes", &["crypto-checkout-core", "checkout-test-support"], &[]),
    ("checkout-test-postgres", &["checkout-test-support"], &[]),
    ("checkout-e2e", &[], &["checkout-chain-doubles", "checkout-chain-tron", "checkout-test-nodes", "checkout-test-support", "checkout-wire", "crypto-checkout-core"]),
    ("xtask", &[], &[]),
    ("xtask-bindgen", &[], &[]),
];

pub(super) fn check(packages: &[Package]) -> Vec<String> {
    let ours: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let of_package = |package: &Package| {
        let used = package.dependencies.iter().map(|used| (used.name.as_str(), used.is_for_tests_only()));
        faults(&package.name, &used.collect::<Vec<_>>(), &ours)
    };
    packages.iter().flat_map(of_package).collect()
}

/// Each dependency says whether it is for tests only.
fn faults(package: &str, dependencies: &[(&str, bool)], ours: &[&str]) -> Vec<String> {
    let Some((_, uses, tests_use)) = EDGES.iter().find(|(name, ..)| *name == package) else {
        return vec![format!(
            "{package}: a new package; add its allowed dependencies to xtask/src/tidy/edges.rs"
        )];
    };
    let mut found = Vec::new();
    for (name, for_tests_only) in dependencies {
        let is_ours = ours.contains(name);
        let in_tests = *for_tests_only && tests_use.contains(name);
        if is_ours && !uses.contains(name) && !in_tests {
            found.push(format!("{package}: depends on {name}; dependencies point one way"));
        }
        let is_shipped = package == "crypto-checkout-core" && !for_tests_only;
        if is_shipped && !is_ours && !CORE_MAY_USE.contains(name) {
            found.push(format!(
                "{package}: depends on {name}; the core does no I/O, so review a new dependency before you add it to \
                 xtask/src/tidy/edges.rs"
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::faults;

    #[test]
    fn edges_point_one_way() {
        const OURS: &[&str] = &["crypto-checkout-core", "checkout-gateway", "checkout-widget", "xtask"];
        for (package, dependencies, expected) in [
            ("checkout-widget", &[("crypto-checkout-core", false), ("leptos", false)][..], ""),
            ("checkout-widget", &[("checkout-gateway", false)], "depends on checkout-gateway"),
            ("crypto-checkout-core", &[("sha2", false), ("proptest", true)], ""),
            ("crypto-checkout-core", &[("tokio", false)], "depends on tokio"),
            ("crypto-checkout-core", &[("checkout-gateway", true)], "depends on checkout-gateway"),
            ("xtask", &[("crypto-checkout-core", false)], "depends on crypto-checkout-core"),
            ("checkout-new", &[], "checkout-new: a new package"),
        ] {
            super::super::expect(&faults(package, dependencies, OURS), expected, package);
        }
    }
}
