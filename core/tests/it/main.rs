//! Tests of the crate's public API, in one binary.

#![allow(clippy::unwrap_used, reason = "a test may panic, also outside of its own function")]

mod amounts;
mod api;
mod browser_wallet;
mod chains;
mod contents;
mod derive;
mod documented;
mod front_pages;
mod limits;
mod messages;
mod natural;
mod normal_forms;
mod options;
mod overlaps;
mod pasted;
mod pasted_links;
mod places;
mod policy;
mod properties;
mod random;
mod refusals;
mod repeated;
mod shapes;
mod support;
mod tags;
mod text_forms;
mod uris;
mod vectors;
mod wallets;
