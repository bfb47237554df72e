//! `GET /api/v1/fees/withdraw/{coin}?displayCurrency=` (public)

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// Interface section 4.7.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WithdrawFees {
    pub display_currency: String,
    pub fees: Vec<WithdrawFee>,
}

/// Interface section 2.6, odd spelling included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WithdrawFee {
    pub withdraw_currency: String,
    pub withdraw_fee: String,
    pub display_withdraw_fee: String,
    #[serde(rename = "mininumWithdrawableAmount")]
    pub minimum_withdrawable_amount: String,
    pub display_minimum_withdrawable_amount: String,
    pub withdraw_available: bool,
    pub withdraw_precision: u8,
}
