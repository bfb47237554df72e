//! The gateway of Crypto Checkout.
//!
//! ```text
//! cli ─▶ serve ─▶ http ─▶ service ─▶ domain ─▶ checkout_core
//!                            │
//!                            ▼
//!                          ports ◀─ adapters (store, simulated chains, rates, clock, keys)
//! ```
//!
//! `domain` is pure: it imports neither axum nor sqlx. Only `http` knows status codes, only `adapters` know SQL.

pub mod adapters;
pub mod background;
pub mod cli;
pub mod config;
pub mod domain;
pub mod fail_point;
pub mod http;
pub mod metrics;
pub mod ports;
pub mod serve;
pub mod service;
pub mod shop;
pub mod site;
pub mod unwind;
