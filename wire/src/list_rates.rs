//! `GET /api/v1/rates?from=BTC,ETH&to=EUR,USD` (public): the rates from each `from` to each `to`.

use serde::{Deserialize, Serialize};

use super::texts::{AmountText, AssetCode};

/// An exchange rate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExchangeRate {
    /// Base currency.
    pub from: AssetCode,
    /// Quote currency.
    pub to: AssetCode,
    /// Price of one `from` in `to`.
    pub rate: AmountText,
}
