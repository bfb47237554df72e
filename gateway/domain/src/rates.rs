//! Currencies of prices: assets and fiat currencies.

pub mod agreement;
pub mod asset;
pub mod bounds;
pub mod fiat;
pub mod market;
pub mod new_level;
pub mod precision;
