//! `GET /api/v1/payments/{paymentId}/deposits`: a page of the deposits of a payment, as a bare array.
//!
//! An extension: the interface has no such endpoint.

#[cfg(feature = "schema")]
use alloc::string::String;

#[cfg(feature = "schema")]
use super::schema::Limit;
#[cfg(feature = "schema")]
use super::texts::DepositId;

/// The most deposits that a payment has in itself: the newest ones.
pub const MOST_DEPOSITS: usize = 100;

/// The query of the list.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListPaymentDeposits {
    /// Only deposits after this one, in the order of the list.
    #[schemars(with = "DepositId", skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Only deposits before this one, in the order of the list.
    #[schemars(with = "DepositId", skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Newest first.
    #[schemars(with = "bool", skip_serializing_if = "Option::is_none", extend("default" = true))]
    pub descending: Option<bool>,
    /// Size of the page.
    #[schemars(with = "Limit", skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}
