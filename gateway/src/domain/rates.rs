//! What a price is in: the assets and the fiat currencies.

pub mod asset;
pub mod bounds;
pub mod fiat;
pub mod precision;
