//! What a price is in: the assets and the fiat currencies.

pub mod asset;
pub mod fiat;
