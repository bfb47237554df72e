//! `GET /api/v1/rates?from=BTC,ETH&to=EUR,USD` (public): every rate from each of the first to each of the second.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// `rate` is how much of `to` one whole `from` is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExchangeRate {
    pub from: String,
    pub to: String,
    pub rate: String,
}
