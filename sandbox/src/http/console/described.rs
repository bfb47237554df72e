//! The fields of the console's own requests. Other names are refused.
#![expect(dead_code, reason = "the names of the fields are the description; the handlers read fields")]

use schemars::JsonSchema;

/// The query of `GET /sandbox/payments`.
#[derive(JsonSchema)]
pub(super) struct ListPayments {
    status: String,
    search: String,
    before: String,
    limit: String,
}

/// The query of `GET /sandbox/callbacks`.
#[derive(JsonSchema)]
pub(super) struct ListCallbacks {
    state: String,
    limit: String,
}

/// The query of `GET /sandbox/inbox`.
#[derive(JsonSchema)]
pub(super) struct ListDeliveries {
    before: String,
    limit: String,
}

/// The body of `POST /sandbox/inbox/answers`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetAnswers {
    status: u16,
    times: u32,
    delay_seconds: u64,
}
