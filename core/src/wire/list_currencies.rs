//! `GET /api/v1/currencies` (public): what can be deposited and withdrawn, and how precisely.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CurrencyInfo {
    pub currency: String,
    pub name: String,
    pub networks: Vec<CurrencyNetwork>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CurrencyNetwork {
    pub network: String,
    pub name: String,
    pub deposit: bool,
    pub withdrawal: bool,
    pub decimals: u8,
    pub quote_precision: u8,
    /// `NONE`, `DESTINATION_TAG` or `MEMO`.
    pub tag: String,
    /// The least that can be withdrawn, in the currency.
    pub minimum: String,
    /// The most that can be withdrawn at once, in the currency.
    pub max_amount: String,
    /// What a withdrawal costs, in the currency.
    pub withdraw_fee: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<String>,
}
