//! `PATCH /api/v1/payments/{paymentId}`. Interface section 4.2.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::payment::Payment;
#[cfg(feature = "schema")]
use super::schema::{Amount, Crypto, Fiat, Network, NumberOrText};

/// The choice of currency and network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UpdatePayment {
    /// Cryptocurrency of the deposit.
    #[cfg_attr(feature = "schema", schemars(with = "Crypto"))]
    pub deposit_currency: String,
    /// Network of the deposit. The currency must exist on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Network>"))]
    pub network: Option<String>,
    /// Fiat currency of the price, if not set at creation. Not accepted with a session token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Fiat>"))]
    pub display_currency: Option<String>,
    /// Repeats the price of creation; another one is an error (`already_set`). Not accepted with a session token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<NumberOrText>"))]
    pub display_amount: Option<String>,
}

/// The payment with its address and quote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UpdatedPayment {
    /// The payment.
    pub payment_info: Payment,
    /// Price of one coin of the quote in the display currency. An extension, in answers to session tokens: the checkout page
    /// shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub rate: Option<String>,
}
