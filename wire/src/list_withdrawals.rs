//! `GET /api/v1/withdrawals` and `GET /api/v1/withdrawals/{withdrawalId}`: withdrawals with their status as it is now, and the
//! decisions about one, `POST …/approve`, `POST …/reject` and `POST …/cancel`.
//!
//! An extension: the interface reports the outcome by the callback alone.

use serde::Serialize;

use super::create_withdrawal::Withdrawal;
#[cfg(feature = "schema")]
use super::create_withdrawal::WithdrawalStatus;
#[cfg(feature = "schema")]
use super::page_query::PageQuery;
use super::texts::AmountText;
#[cfg(feature = "schema")]
use super::texts::{BusinessId, CurrencyCode, NetworkCode, Time, WithdrawalId};
use super::words::words;

words! {
    /// Withdrawal `waitingFor`.
    WithdrawalWait { Approval = "APPROVAL", Fee = "FEE" }
}

/// The query of the list. A withdrawal is listed if all that is given fits.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListWithdrawals {
    /// Identifier of the business. Required with an organisation key.
    #[schemars(with = "BusinessId", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    /// Only the withdrawal with this id of yours.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub client_withdrawal_id: Option<String>,
    /// Only withdrawals in this state.
    #[schemars(with = "WithdrawalStatus", skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Only withdrawals that wait for this.
    #[schemars(with = "WithdrawalWait", skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<String>,
    /// Only withdrawals of this cryptocurrency.
    #[schemars(with = "CurrencyCode", skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Only withdrawals on this network.
    #[schemars(with = "NetworkCode", skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// Only withdrawals to this address, in any of its spellings.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Only the withdrawal with this transaction.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// Only withdrawals created at this time or later.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Only withdrawals created before this time.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    #[schemars(flatten)]
    pub page: PageQuery<WithdrawalId>,
}

/// A withdrawal with its status as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct ListedWithdrawal {
    #[serde(flatten)]
    pub withdrawal: Withdrawal,
    /// Fee of the chain, in the cryptocurrency.
    pub withdraw_fee: AmountText,
    /// The same in the display currency.
    pub display_fee: AmountText,
    /// Transaction on the chain, once it is signed. While it waits for a block, another one with a higher fee can replace it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// Set while it is not sent: it is above a limit of the business, and waits for the approval of an organisation key or an
    /// operator; or its network asks more than `withdrawFee`, and it waits until that falls. The money stays reserved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<WithdrawalWait>,
    /// Why it was not sent when that was tried last: one of the reasons of `listWithdrawals`. Later versions can have others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_reason: Option<String>,
}
