//! The packages that have a step of their own.

use crate::flags::Part;

pub(super) const REQUESTS: &str = "requests of an hour";
pub(super) const KILLS: &str = "kills at some commits and sends";
pub(super) const SMOKE: &str = "a payment in Firefox and WebKitGTK";

/// Packages of this workspace, each with the part that its tests belong to and the step that runs them.
pub(super) const PACKAGES: &[(&str, Part, &str)] = &[
    ("checkout-core", Part::Core, "core"),
    ("checkout-widget", Part::Widget, "widget"),
    ("checkout-npm", Part::Npm, "npm binding"),
    ("xtask", Part::Xtask, "xtask"),
    ("checkout-test-postgres", Part::Gateway, "test database"),
    ("checkout-domain", Part::Gateway, "gateway"),
    ("checkout-storage", Part::Gateway, "gateway"),
    ("checkout-gateway", Part::Gateway, "gateway"),
    ("checkout-gateway", Part::Gateway, "HTTP"),
    ("checkout-simulator", Part::Gateway, "HTTP"),
    ("checkout-sandbox", Part::Gateway, "HTTP"),
    ("checkout-test-nodes", Part::Gateway, "chains"),
    ("checkout-chain-conformance", Part::Gateway, "chains"),
    ("checkout-chain-bitcoin", Part::Gateway, "chains"),
    ("checkout-chain-evm", Part::Gateway, "Ethereum on anvil"),
    ("checkout", Part::Gateway, "program"),
    ("checkout", Part::Gateway, KILLS),
    ("checkout", Part::Gateway, REQUESTS),
    ("checkout", Part::Contract, "gateway against its OpenAPI document"),
    ("checkout-e2e", Part::E2e, "journeys"),
    ("checkout", Part::E2e, "journeys"),
    ("checkout", Part::E2e, SMOKE),
];
