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

/// The body of `POST /sandbox/business`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeBusiness {
    name: String,
    allowed_origins: Vec<String>,
    deposit_received_callback_url: String,
    withdrawal_callback_url: String,
    supported_deposit_currencies: Vec<String>,
    supported_display_currencies: Vec<String>,
    overpayment_policy: String,
    refund_follow_up_deposits_for_one_time_payments: bool,
    underpayment_tolerance: String,
    settlement_crypto_currency: String,
    settlement_crypto_ratio: String,
    instant_deposit_limit: String,
    theme: String,
    brand_color: String,
    logo: String,
    support_url: String,
}
