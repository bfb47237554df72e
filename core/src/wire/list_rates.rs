//! `GET /api/v1/rates?from=BTC,ETH&to=EUR,USD` (public): the rates from each `from` to each `to`.

use alloc::string::String;

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::schema::{Amount, Asset};

/// An exchange rate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExchangeRate {
    /// Base currency.
    #[cfg_attr(feature = "schema", schemars(with = "Asset"))]
    pub from: String,
    /// Quote currency.
    #[cfg_attr(feature = "schema", schemars(with = "Asset"))]
    pub to: String,
    /// Price of one `from` in `to`.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub rate: String,
}
