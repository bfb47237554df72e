//! `PATCH /api/v1/payments/{paymentId}`. Interface section 4.2.

use serde::{Deserialize, Serialize};

use super::payment::Payment;
use super::texts::{AmountText, CurrencyCode, FiatCode, NetworkCode, NumberOrText};

/// The choice of currency and network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UpdatePayment {
    /// Cryptocurrency of the deposit.
    pub deposit_currency: CurrencyCode,
    /// Network of the deposit. The currency must exist on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkCode>,
    /// Fiat currency of the price, if not set at creation. Not accepted with a session token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_currency: Option<FiatCode>,
    /// Repeats the price of creation; another one is an error (`already_set`). Not accepted with a session token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_amount: Option<NumberOrText>,
}

/// The payment with its address and quote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct UpdatedPayment {
    /// The payment.
    pub payment_info: Payment,
    /// Price of one coin of the quote in the display currency. An extension, in answers to session tokens: the checkout page
    /// shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<AmountText>,
}
