//! `GET /api/v1/deposits`: the deposits of a business, as a bare array, and the decisions about one that is held,
//! `POST /api/v1/deposits/{depositId}/release` and `…/refuse`.
//!
//! An extension: the interface has no such endpoint.

use serde::Serialize;

#[cfg(feature = "schema")]
use super::page_query::PageQuery;
use super::payment::Deposit;
#[cfg(feature = "schema")]
use super::payment::DepositStatus;
#[cfg(feature = "schema")]
use super::texts::{BusinessId, CurrencyCode, DepositId, Time};
use super::texts::{ClientId, NetworkCode, PaymentId};
use super::words::words;

words! {
    /// `heldFor` of a deposit. `SENDER`: the screening blocks its sender, or does not know it. `CURRENCY`: the business does not take its
    /// currency. `NETWORK`: it is a wrapped form of the quoted currency on another network, which the business does not take. `AMOUNT`: it is
    /// above the largest amount of the ledger.
    HeldFor { Sender = "SENDER", Currency = "CURRENCY", Network = "NETWORK", Amount = "AMOUNT" }
}

words! {
    /// `decision` about a deposit. `RELEASE`: it is credited, and its callback is sent. `REFUSE`: it is no part of its payment.
    DepositDecision { Release = "RELEASE", Refuse = "REFUSE" }
}

/// The query of the list. A deposit is listed if all that is given fits.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListDeposits {
    /// Identifier of the business. Required with an organisation key.
    #[schemars(with = "BusinessId", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    /// Only deposits of this payment.
    #[schemars(with = "PaymentId", skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<String>,
    /// Only deposits in this state.
    #[schemars(with = "DepositStatus", skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Only deposits that an operator holds or refused (`true`), or only others (`false`).
    #[schemars(with = "bool", skip_serializing_if = "Option::is_none")]
    pub held: Option<bool>,
    /// Only deposits of this cryptocurrency.
    #[schemars(with = "CurrencyCode", skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Only deposits on this network.
    #[schemars(with = "NetworkCode", skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// Only deposits of this transaction.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// Only deposits first seen at this time or later.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Only deposits first seen before this time.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    #[schemars(flatten)]
    pub page: PageQuery<DepositId>,
}

/// A deposit with its payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct ListedDeposit {
    #[serde(flatten)]
    pub deposit: Deposit,
    /// The payment.
    pub payment_id: PaymentId,
    /// Your id of the payment.
    pub client_payment_id: ClientId,
    /// Network of the transfer.
    pub network: NetworkCode,
    /// Why an operator holds it, or refused it: it is not credited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_for: Option<HeldFor>,
    /// Whom the screening takes the sender of a held deposit for: a name and a category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender_owner: Option<String>,
    /// The decision about a held deposit, until it is carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<DepositDecision>,
    /// An operator decided not to credit it: it is no part of its payment.
    pub refused: bool,
}
