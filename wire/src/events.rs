//! The bodies of typed events, which a business can have sent to its `eventUrl`. Their shape is that of Standard Webhooks.
//!
//! An extension: the interface has two callbacks.

use serde::Serialize;

use super::list_deposits::ListedDeposit;
#[cfg(feature = "schema")]
use super::schema::Count;
use super::texts::{BusinessId, Time};
use super::words::words;

words! {
    /// `reversedFor` of a deposit. `VANISHED`: the chain does not have it any more, it was dropped or double-spent. `REORGANISED`: its block
    /// left the chain. `REFUSED`: an operator refused it.
    ReversedFor { Vanished = "VANISHED", Reorganised = "REORGANISED", Refused = "REFUSED" }
}

/// An event. Ignore types and fields that you do not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EventOf{D}"))]
#[serde(rename_all = "camelCase")]
pub struct EventBody<D> {
    /// Name of the event.
    #[serde(rename = "type")]
    pub kind: String,
    /// Time at which it happened.
    pub timestamp: Time,
    /// Number of the event among those of the payment, or of the withdrawal: 1, 2, 3, … in the order in which they happened, whatever the order
    /// in which they arrive.
    #[cfg_attr(feature = "schema", schemars(with = "Count"))]
    pub sequence: u32,
    /// Identifier of the business.
    pub business_id: BusinessId,
    /// The payment, deposit, refund or withdrawal as the API showed it at that time.
    pub data: D,
}

/// A deposit in an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct EventDeposit {
    #[serde(flatten)]
    pub deposit: ListedDeposit,
    /// Why it does not count any more. Only in `deposit.reversed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reversed_for: Option<ReversedFor>,
}
