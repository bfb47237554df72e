//! `PATCH /api/v1/payments/{paymentId}`

use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::payment::Payment;

/// The payer's choice. Interface section 4.2.
///
/// The two display fields, which only a merchant's back end may send, and of which the amount is a
/// JSON number, are read by the gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UpdatePayment {
    pub deposit_currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

/// The answer: the payment with its address, its quote and status `PENDING`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UpdatedPayment {
    pub payment_info: Payment,
}
