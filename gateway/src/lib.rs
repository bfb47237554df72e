//! The gateway of Crypto Checkout.
//!
//! ```text
//! http ─▶ service ─▶ domain ─▶ checkout_core
//!              │
//!              ▼
//!            ports ◀─ storage (SQLite, PostgreSQL), adapters (rates, webhooks, keys, clock)
//! ```
//!
//! `domain` is pure: it imports neither axum nor sqlx. Only `http` uses status codes, only `storage` SQL.

pub mod adapters;
pub mod background;
pub mod core_dumps;
pub mod events;
pub mod greenfield;
pub mod http;
pub mod metrics;
pub mod render;
pub mod service;
pub mod site;
pub mod texts;
pub mod unwind;
pub mod workers;
