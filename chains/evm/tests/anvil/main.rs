//! Tests the adapter against a real node: anvil, with its own chain for each test.
//!
//! `CHECKOUT_ANVIL` names the program; `cargo xtask test` installs it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conformance;
mod faults;
mod internal;
mod native;
mod node;
mod payouts;
mod refunds;
mod reorganisations;
mod replacements;
mod restart;
mod rollups;
mod sweep;
mod tokens;
mod view;
