//! `GET /api/v1/fees/withdraw/{coin}?displayCurrency=` (public). Interface sections 2.6 and 4.7.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::schema::Decimals;
use super::texts::{AmountText, CurrencyCode, FiatCode};

/// Fees and minimums of withdrawals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WithdrawFees {
    /// Fiat currency of the display amounts.
    pub display_currency: FiatCode,
    /// One entry for each requested coin, in the order of the request.
    pub fees: Vec<WithdrawFee>,
}

/// Fee and minimum of one coin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WithdrawFee {
    /// Cryptocurrency of the withdrawal.
    pub withdraw_currency: CurrencyCode,
    /// Fee in the cryptocurrency.
    pub withdraw_fee: AmountText,
    /// Fee in the display currency, rounded up.
    pub display_withdraw_fee: AmountText,
    /// Minimum in the cryptocurrency. The spelling of the name is part of the interface.
    #[serde(rename = "mininumWithdrawableAmount")]
    pub minimum_withdrawable_amount: AmountText,
    /// Minimum in the display currency, rounded up.
    pub display_minimum_withdrawable_amount: AmountText,
    /// Whether withdrawals are possible now.
    pub withdraw_available: bool,
    /// Decimal places of the cryptocurrency.
    #[cfg_attr(feature = "schema", schemars(with = "Decimals"))]
    pub withdraw_precision: u8,
}
