//! A simulated world for Crypto Checkout's gateway: chains, exchange rates and a clock for its ports.

pub mod chain;
pub mod clock;
pub mod deposit_keys;
pub mod rates;
pub mod records;
pub mod requests;
pub mod storage;
pub mod world;

pub use world::{Sandbox, World, follow};
