//! A simulated world for the gateway of Crypto Checkout.
//!
//! Chains, exchange rates and a clock that a developer moves, behind the gateway's ports; the control API and the
//! console that move them; and a demo shop. Money is not real here.

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
