//! `GET /api/v1/businesses/{id}`

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::payment::OverpaymentPolicy;

/// Interface section 2.4.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Business {
    pub id: String,
    pub name: String,
    pub created_at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_received_callback_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawal_callback_url: Option<String>,
    pub settlement_crypto_currency: String,
    pub settlement_crypto_ratio: String,
    pub settlement_fiat_currency: String,
    pub supported_deposit_currencies: Vec<String>,
    pub supported_display_currencies: Vec<String>,
    pub overpayment_policy: OverpaymentPolicy,
    pub refund_follow_up_deposits_for_one_time_payments: bool,
    pub theme: String,
}
