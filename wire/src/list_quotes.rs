//! `GET /api/v1/payments/{paymentId}/quotes`: what the payer was shown, as a bare array.
//!
//! An extension: the interface shows the last quote alone, as fields of the payment.

use serde::Serialize;

use super::texts::{AmountText, CurrencyCode, FiatCode, NetworkCode, Time};

/// An amount and an address that the payer was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct ShownQuote {
    /// Cryptocurrency that the payer chose.
    pub currency: CurrencyCode,
    /// Network that the payer chose.
    pub network: NetworkCode,
    /// Address of the payment on it.
    pub address: String,
    /// Destination tag (XRP) or memo (XLM) of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
    /// Amount to send, in the cryptocurrency.
    pub amount: AmountText,
    /// Price of one coin in the display currency.
    pub rate: AmountText,
    /// Fiat currency of the price.
    pub display_currency: FiatCode,
    /// Price of the payment.
    pub display_amount: AmountText,
    /// Time at which it was shown.
    pub shown_at: Time,
}
