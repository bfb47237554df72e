//! `POST /api/v1/payments`. Interface section 4.1.

use serde::{Deserialize, Serialize};

use super::metadata::Metadata;
use super::payment::{Payment, PaymentType, RateType};
#[cfg(feature = "schema")]
use super::schema::Minutes;
use super::texts::{
    BusinessId, ClientId, CurrencyCode, DescriptionText, FiatCode, Locale, NetworkCode, NumberOrText, Url,
};

/// A new payment. Exactly one of `displayAmount` and `depositAmount` is required.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreatePayment {
    /// Identifier of the business. Required with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub business_id: Option<BusinessId>,
    /// Your id of the payment, unique per business.
    pub client_payment_id: ClientId,
    /// Language of the checkout page.
    pub locale: Locale,
    /// `ONE_TIME` (the default) or `REUSABLE`.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<PaymentType>,
    /// The default is `FIXED` for `ONE_TIME` payments and `FLOATING` for `REUSABLE` ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_type: Option<RateType>,
    /// Fiat currency of the price. Required with `depositAmount`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_currency: Option<FiatCode>,
    /// Price in the display currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_amount: Option<NumberOrText>,
    /// Cryptocurrency of the deposit. Required with `depositAmount`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_currency: Option<CurrencyCode>,
    /// Price in the cryptocurrency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_amount: Option<NumberOrText>,
    /// Network of the deposit. The currency must exist on it. With `depositAmount` it binds; otherwise it is the default of
    /// the payer's choice, who may choose another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkCode>,
    /// Minutes until the payment expires: 30 by default, 0 means 7 days. `REUSABLE` payments never expire: theirs is returned
    /// as it was sent and has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Minutes>"))]
    pub expiration_minutes: Option<u32>,
    /// Where the payer returns to: an `https:` URL (in the sandbox also `http:`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<Url>,
    /// Your description of the payment, which the payer does not see. Payments can be found by its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<DescriptionText>,
    /// Your own facts about the payment, such as `{"customer": "c-17"}`: up to 20 names with texts. The payer does not see them. The
    /// payment is found by each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// The payment and its checkout page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreatedPayment {
    /// The payment.
    pub payment_info: Payment,
    /// URL of the hosted checkout, for a redirect or an iframe. It contains a session token for this payment.
    pub payment_url: Url,
}
