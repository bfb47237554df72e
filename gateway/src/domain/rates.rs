//! Currencies of prices: assets and fiat currencies.

pub mod asset;
pub mod bounds;
pub mod fiat;
pub mod precision;
