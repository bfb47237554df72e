//! `GET /api/v1/businesses/{id}`. Interface section 2.4.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::payment::OverpaymentPolicy;
#[cfg(feature = "schema")]
use super::schema::{Amount, Crypto, Fiat, Time, Url, Uuid};
use super::words::words;

words! {
    /// Theme of the hosted page.
    Theme: "A theme of the checkout page." { Light = "LIGHT", Dark = "DARK", Auto = "AUTO" }
}

/// That of a new business.
impl Default for Theme {
    fn default() -> Self {
        Self::Light
    }
}

/// The settings of a business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Business {
    /// Identifier of the business.
    #[cfg_attr(feature = "schema", schemars(with = "Uuid"))]
    pub id: String,
    /// Name of the business.
    pub name: String,
    /// Time of creation.
    #[cfg_attr(feature = "schema", schemars(with = "Time"))]
    pub created_at: u64,
    /// URL that receives the deposit callback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Url"))]
    pub deposit_received_callback_url: Option<String>,
    /// URL that receives the withdrawal callback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Url"))]
    pub withdrawal_callback_url: Option<String>,
    /// Cryptocurrency of the crypto share of settlements.
    #[cfg_attr(feature = "schema", schemars(with = "Crypto"))]
    pub settlement_crypto_currency: String,
    /// Share of a deposit that is settled in crypto, from 0 to 1.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub settlement_crypto_ratio: String,
    /// Fiat currency of settlements. Always `EUR`.
    #[cfg_attr(feature = "schema", schemars(with = "Fiat"))]
    pub settlement_fiat_currency: String,
    /// Cryptocurrencies that the business accepts.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Crypto>"))]
    pub supported_deposit_currencies: Vec<String>,
    /// Fiat currencies of the prices of the business.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Fiat>"))]
    pub supported_display_currencies: Vec<String>,
    /// Handling of an excess: it is refunded (`EXCESS_REFUND`) or credited (`PROCESS`).
    pub overpayment_policy: OverpaymentPolicy,
    /// Whether a deposit to a paid `ONE_TIME` payment is refunded in full.
    pub refund_follow_up_deposits_for_one_time_payments: bool,
    /// Theme of the checkout page.
    pub theme: Theme,
}
