//! `POST /api/v1/payments`

use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::payment::{Payment, PaymentType, RateType};

/// The request, as a merchant's back end writes it. Interface section 4.1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreatePayment {
    /// Needed unless a business token is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    pub client_payment_id: String,
    pub locale: String,
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<PaymentType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_type: Option<RateType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_currency: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_amount: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_currency: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_amount: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration_minutes: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<String>,
}

/// The answer: 201, or 200 when the same request was answered before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreatedPayment {
    pub payment_info: Payment,
    /// `{base_url}/checkout/{paymentId}?sessionToken=…&theme=LIGHT&locale=en-US`
    pub payment_url: String,
}
