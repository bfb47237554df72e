//! `GET /api/v1/callbacks` and `POST /api/v1/callbacks/{callbackId}/resend`: the callbacks of a business with every attempt.
//!
//! An extension: the interface has no such endpoint.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::page_query::PageQuery;
#[cfg(feature = "schema")]
use super::schema::{Count, HttpStatus};
#[cfg(feature = "schema")]
use super::texts::{BusinessId, NonEmpty};
use super::texts::{CallbackId, Time};
use super::words::words;

words! {
    /// Callback `status`. `PENDING`: to be sent, for the first time or again. `HELD`: its deposit left the chain before it was
    /// delivered. `DELIVERED`: the merchant accepted it. `FAILED`: every attempt failed, or the endpoint wants no more of it.
    CallbackStatus { Pending = "PENDING", Held = "HELD", Delivered = "DELIVERED", Failed = "FAILED" }
}

/// The query of the list. A callback is listed if all that is given fits.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListCallbacks {
    /// Identifier of the business. Required with an organisation key.
    #[schemars(with = "BusinessId", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    /// Only callbacks in this state.
    #[schemars(with = "CallbackStatus", skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Only callbacks of this event, such as `depositReceived` or `deposit.confirmed`.
    #[schemars(with = "NonEmpty", skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Only callbacks about this deposit or withdrawal, or the events of this payment or withdrawal.
    #[schemars(with = "CallbackId", skip_serializing_if = "Option::is_none")]
    pub subject_id: Option<String>,
    /// Only callbacks created at this time or later.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Only callbacks created before this time.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    #[schemars(flatten)]
    pub page: PageQuery<CallbackId>,
}

/// A request to an endpoint of the merchant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct Callback {
    /// Identifier of the callback: the `webhook-id` of each attempt.
    pub id: CallbackId,
    /// Name of the event, such as `depositReceived` or `deposit.confirmed`.
    pub event: String,
    /// The deposit or the withdrawal that it is about; of a typed event the payment or the withdrawal.
    pub subject_id: CallbackId,
    /// `PENDING`: it will be sent, for the first time or again. `HELD`: its deposit left the chain. `DELIVERED`: an attempt was
    /// answered with 2xx. `FAILED`: every attempt failed.
    pub status: CallbackStatus,
    /// Time of creation.
    pub created_at: Time,
    /// When the next attempt is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<Time>,
    /// The exact body of each attempt: JSON.
    pub body: String,
    /// The attempts so far, the first one first.
    pub attempts: Vec<CallbackAttempt>,
}

/// An attempt to deliver a callback. Without `durationMillis` it is in progress, or the server stopped in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct CallbackAttempt {
    /// Counted from 1.
    #[cfg_attr(feature = "schema", schemars(with = "Count"))]
    pub number: u32,
    /// Time of the start.
    pub started_at: Time,
    /// The endpoint at that time. Missing if the business had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Count>"))]
    pub duration_millis: Option<u64>,
    /// HTTP status of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<HttpStatus>"))]
    pub http_status: Option<u16>,
    /// Why there was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
