//! The adapter beside a real node: anvil, a chain of its own for each test.
//!
//! `CHECKOUT_ANVIL` names the program; `cargo xtask test` installs it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod faults;
mod internal;
mod native;
mod node;
mod payouts;
mod reorganisations;
mod restart;
mod tokens;
mod view;
