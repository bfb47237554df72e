//! `GET /api/v1/checkout/{paymentId}` (session token): all that the widget needs to start, in one answer.
//!
//! Ours; the interface has no such endpoint. Polling then uses `GET /api/v1/payments/{paymentId}`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::payment::Payment;
#[cfg(feature = "schema")]
use super::schema::{Amount, Crypto, Network};

/// A payment with what its checkout page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CheckoutView {
    /// The payment.
    pub payment: Payment,
    /// Name of the merchant, shown to the payer.
    pub merchant_name: String,
    /// Origins that may embed this checkout, such as `https://shop.example`.
    #[serde(default)]
    pub allowed_origins: Vec<String>,
    /// What the payer can choose from, in display order.
    pub options: Vec<DepositOption>,
    /// `true` when no real money is involved.
    #[serde(default)]
    pub sandbox: bool,
}

/// A currency and network that the business accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DepositOption {
    /// Cryptocurrency.
    #[cfg_attr(feature = "schema", schemars(with = "Crypto"))]
    pub currency: String,
    /// Network of the deposit.
    #[cfg_attr(feature = "schema", schemars(with = "Network"))]
    pub network: String,
    /// Estimate at the current rate. The binding quote comes with PATCH.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub estimated_amount: Option<String>,
}
