//! `GET /api/v1/checkout/{paymentId}` (session token): all that the widget needs to start, in one answer.
//!
//! Ours; the interface has no such endpoint. Polling then uses `GET /api/v1/payments/{paymentId}`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::payment::Payment;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CheckoutView {
    pub payment: Payment,
    pub merchant_name: String,
    /// The origins that may embed this checkout, exact (`https://shop.example`).
    #[serde(default)]
    pub allowed_origins: Vec<String>,
    /// What the payer may choose from, in the order to offer it.
    pub options: Vec<DepositOption>,
    /// Money here is not real: the page says so.
    #[serde(default)]
    pub sandbox: bool,
}

/// A (currency, network) pair that the business accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DepositOption {
    pub currency: String,
    pub network: String,
    /// What the payment would cost at the rate of this moment; an estimate, the quote comes with PATCH.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_amount: Option<String>,
}
