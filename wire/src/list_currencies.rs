//! `GET /api/v1/currencies` (public): currencies and networks for deposits and withdrawals, with their
//! precision.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::schema::Decimals;
use super::texts::{AmountText, CurrencyCode, NetworkCode};

/// A cryptocurrency and its networks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CurrencyInfo {
    /// Code of the cryptocurrency.
    pub currency: CurrencyCode,
    /// Name of the cryptocurrency.
    pub name: String,
    /// Networks on which the currency exists.
    pub networks: Vec<CurrencyNetwork>,
}

/// A cryptocurrency on one network. Amounts are in the cryptocurrency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct CurrencyNetwork {
    /// Code of the network.
    pub network: NetworkCode,
    /// Name of the network.
    pub name: String,
    /// Whether deposits are possible.
    pub deposit: bool,
    /// Whether withdrawals are possible.
    pub withdrawal: bool,
    /// Decimal places on this network.
    #[cfg_attr(feature = "schema", schemars(with = "Decimals"))]
    pub decimals: u8,
    /// Decimal places of quotes.
    #[cfg_attr(feature = "schema", schemars(with = "Decimals"))]
    pub quote_precision: u8,
    /// The tag that a transfer needs beside the address: `NONE`, `DESTINATION_TAG` or `MEMO`.
    pub tag: String,
    /// Minimum of a withdrawal.
    pub minimum: AmountText,
    /// Maximum of a withdrawal.
    pub max_amount: AmountText,
    /// Fee of a withdrawal.
    pub withdraw_fee: AmountText,
    /// Contract address of the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
}
