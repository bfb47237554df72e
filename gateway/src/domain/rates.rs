//! Assets and fiat currencies of prices.

pub mod asset;
pub mod fiat;
