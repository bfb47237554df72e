//! A simulated world for Crypto Checkout's gateway.
//!
//! Simulated chains, exchange rates and a clock for the gateway's ports; a control API and a console to
//! change them; and a demo shop. No real money is involved.

pub mod chain;
pub mod clock;
pub mod console;
pub mod deposit_keys;
pub mod http;
pub mod rates;
pub mod records;
pub mod requests;
pub mod shop;
pub mod storage;
pub mod world;

pub use world::{Sandbox, World, follow};
