//! `GET /api/v1/fees/withdraw/{coin}?displayCurrency=` (public). Interface sections 2.6 and 4.7.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::schema::{Amount, Crypto, Decimals, Fiat};

/// Fees and minimums of withdrawals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WithdrawFees {
    /// Fiat currency of the display amounts.
    #[cfg_attr(feature = "schema", schemars(with = "Fiat"))]
    pub display_currency: String,
    /// One entry for each requested coin, in the order of the request.
    pub fees: Vec<WithdrawFee>,
}

/// Fee and minimum of one coin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WithdrawFee {
    /// Cryptocurrency of the withdrawal.
    #[cfg_attr(feature = "schema", schemars(with = "Crypto"))]
    pub withdraw_currency: String,
    /// Fee in the cryptocurrency.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub withdraw_fee: String,
    /// Fee in the display currency, rounded up.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub display_withdraw_fee: String,
    /// Minimum in the cryptocurrency. The spelling of the name is part of the interface.
    #[serde(rename = "mininumWithdrawableAmount")]
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub minimum_withdrawable_amount: String,
    /// Minimum in the display currency, rounded up.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub display_minimum_withdrawable_amount: String,
    /// Whether withdrawals are possible now.
    pub withdraw_available: bool,
    /// Decimal places of the cryptocurrency.
    #[cfg_attr(feature = "schema", schemars(with = "Decimals"))]
    pub withdraw_precision: u8,
}
