//! Dependencies point one way: widget -> core, gateway -> core, npm -> core, tests -> all; core -> no I/O.

use crate::workspace::Package;

/// The crates that the core may use. None of them opens files or sockets, reads a clock, or needs an operating system.
const CORE_MAY_USE: &[&str] =
    &["bech32", "bs58", "ripemd", "rust_decimal", "schemars", "serde", "sha2", "sha3"];

/// The packages of this workspace that each package may use.
const EDGES: &[(&str, &[&str])] = &[
    ("checkout-core", &[]),
    ("checkout-chain-doubles", &["checkout-core", "checkout-test-nodes"]),
    ("checkout-chain-keys", &["checkout-core", "checkout-gateway"]),
    (
        "checkout-chain-stellar",
        &[
            "checkout-chain-conformance",
            "checkout-chain-doubles",
            "checkout-chain-keys",
            "checkout-core",
            "checkout-gateway",
        ],
    ),
    (
        "checkout-chain-xrp",
        &[
            "checkout-chain-conformance",
            "checkout-chain-doubles",
            "checkout-chain-keys",
            "checkout-core",
            "checkout-gateway",
        ],
    ),
    (
        "checkout-chain-evm",
        &[
            "checkout-chain-conformance",
            "checkout-chain-doubles",
            "checkout-chain-keys",
            "checkout-chain-sweep",
            "checkout-core",
            "checkout-gateway",
        ],
    ),
    ("checkout-chain-sweep", &["checkout-core"]),
    (
        "checkout-chain-tron",
        &[
            "checkout-chain-conformance",
            "checkout-chain-doubles",
            "checkout-chain-keys",
            "checkout-chain-sweep",
            "checkout-core",
            "checkout-gateway",
        ],
    ),
    (
        "checkout",
        &[
            "checkout-chain-bitcoin",
            "checkout-chain-doubles",
            "checkout-chain-evm",
            "checkout-chain-keys",
            "checkout-chain-stellar",
            "checkout-chain-sweep",
            "checkout-chain-tron",
            "checkout-chain-xrp",
            "checkout-core",
            "checkout-gateway",
            "checkout-sandbox",
            "checkout-test-nodes",
            "checkout-test-postgres",
            "checkout-widget",
        ],
    ),
    // Chains: adapters of the gateway's ports, independent of each other.
    (
        "checkout-chain-bitcoin",
        &[
            "checkout-chain-conformance",
            "checkout-chain-doubles",
            "checkout-core",
            "checkout-gateway",
            "checkout-test-nodes",
        ],
    ),
    ("checkout-chain-conformance", &["checkout-core", "checkout-gateway", "checkout-sandbox"]),
    ("checkout-gateway-bench", &["checkout-test-postgres"]),
    ("checkout-gateway", &["checkout-core", "checkout-test-postgres"]),
    ("checkout-npm", &["checkout-core"]),
    ("checkout-sandbox", &["checkout-core", "checkout-gateway", "checkout-test-postgres"]),
    // Its tests enable its own feature `ssr`.
    ("checkout-widget", &["checkout-core", "checkout-widget"]),
    ("checkout-e2e", &["checkout-core", "checkout-gateway", "checkout-test-nodes", "checkout-widget"]),
    ("checkout-test-nodes", &["checkout-core"]),
    ("checkout-test-postgres", &[]),
    ("xtask", &[]),
    ("xtask-bindgen", &[]),
];

pub(crate) fn check(packages: &[Package]) -> Vec<String> {
    let ours = |name: &str| packages.iter().any(|package| package.name == name);
    let mut found = Vec::new();
    for package in packages {
        let Some((_, allowed)) = EDGES.iter().find(|(name, _)| *name == package.name) else {
            found.push(format!(
                "{}: a new package; add its allowed dependencies to xtask/src/tidy/edges.rs",
                package.name
            ));
            continue;
        };
        for dependency in &package.dependencies {
            let name = dependency.name.as_str();
            if ours(name) && !allowed.contains(&name) {
                found.push(format!(
                    "{}: depends on {name}; dependencies point one way (widget, gateway -> core)",
                    package.name
                ));
            }
            let shipped = package.name == "checkout-core" && !dependency.for_tests_only;
            if shipped && !ours(name) && !CORE_MAY_USE.contains(&name) {
                found.push(format!(
                    "checkout-core: depends on {name}; the core does no I/O, so review a new dependency before \
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
            name: name.to_owned(),
            dependencies: dependencies
                .iter()
                .map(|(name, for_tests_only)| Dependency {
                    name: (*name).to_owned(),
                    for_tests_only: *for_tests_only,
                })
                .collect(),
        };
        let mut packages: Vec<Package> = ["checkout-core", "checkout-gateway"]
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
        expect("checkout-widget", &[("checkout-core", false), ("leptos", false)], "");
        expect(
            "checkout-widget",
            &[("checkout-gateway", false)],
            "checkout-widget: depends on checkout-gateway",
        );
        expect("checkout-core", &[("sha2", false), ("proptest", true)], "");
        expect("checkout-core", &[("tokio", false)], "checkout-core: depends on tokio");
        expect("checkout-core", &[("checkout-gateway", true)], "checkout-core: depends on checkout-gateway");
        expect("xtask", &[("checkout-core", false)], "xtask: depends on checkout-core");
        expect("checkout-new", &[], "checkout-new: a new package");
    }
}
