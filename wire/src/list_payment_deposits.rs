//! `GET /api/v1/payments/{paymentId}/deposits`: a page of the deposits of a payment, as a bare array.
//!
//! An extension: the interface has no such endpoint.

#[cfg(feature = "schema")]
use super::page_query::PageQuery;
#[cfg(feature = "schema")]
use super::texts::DepositId;

/// The most deposits that a payment has in itself: the newest ones.
pub const MOST_DEPOSITS: usize = 100;

/// The query of the list.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListPaymentDeposits {
    #[schemars(flatten)]
    pub page: PageQuery<DepositId>,
}
