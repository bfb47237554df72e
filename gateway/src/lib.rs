//! The gateway of Crypto Checkout.
//!
//! ```text
//! http ─▶ service ─▶ domain ─▶ checkout_core
//!              │
//!              ▼
//!            ports ◀─ adapters (store, simulated chains, rates, clock, keys)
//! ```
//!
//! `domain` is pure: it imports neither axum nor sqlx. Only `http` knows status codes, only `adapters` know SQL.

pub mod adapters;
pub mod assemble;
pub mod background;
pub mod domain;
pub mod fail_point;
pub mod http;
pub mod metrics;
pub mod ports;
pub mod service;
pub mod shop;
pub mod site;
pub mod unwind;
