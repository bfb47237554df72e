//! `GET /api/v1/balances`: the balances of a business, as a bare array.
//!
//! An extension: the interface has no such endpoint.

use serde::{Deserialize, Serialize};

use super::texts::{AmountText, AssetCode, SignedAmountText};

/// The query of the list.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListBalances {
    /// Identifier of the business. Required with an organisation key.
    #[schemars(with = "super::texts::BusinessId", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
}

/// An account of a business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "UPPERCASE")]
pub enum BalanceAccount {
    /// Money settled in fiat, which can be withdrawn.
    Fiat,
    /// Money settled in a cryptocurrency, which can be withdrawn.
    Crypto,
    /// Deposits that an operator holds.
    Held,
    /// Refunds that are not confirmed yet.
    Refunds,
    /// Withdrawals that are not confirmed yet.
    Withdrawals,
}

/// Money of a business in one currency on one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Balance {
    /// `FIAT` and `CRYPTO` can be withdrawn: they are the `withdrawalAccount` of a withdrawal. `HELD` are deposits that an operator
    /// holds, `REFUNDS` and `WITHDRAWALS` are on their way out.
    pub account: BalanceAccount,
    /// Currency of the amount.
    pub currency: AssetCode,
    /// Amount in that currency. Negative if a deposit left its chain after its money was withdrawn.
    pub amount: SignedAmountText,
    /// The part that can be spent now, of `FIAT` and `CRYPTO`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available: Option<AmountText>,
    /// The part of deposits that can still leave their chain, of `FIAT` and `CRYPTO`: it can be spent once they are final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<AmountText>,
}
