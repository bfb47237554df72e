//! `POST` and `GET /api/v1/counters`, `POST /api/v1/counters/{counterId}/withdraw`, and with the secret of a counter
//! `GET /api/v1/counter` and its sales.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::page_query::PageQuery;
use super::payment::PaymentStatus;
#[cfg(feature = "schema")]
use super::schema::FiatDecimals;
use super::texts::{
    AmountText, BusinessId, CounterId, DescriptionText, FiatCode, Locale, NumberOrText, PaymentId,
    SaleNumber, Time, Title, Url,
};
use super::words::Word;

/// A new counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreateCounter {
    /// Identifier of the business. Required with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub business_id: Option<BusinessId>,
    /// What you call it. Payers read it on a sale without a note.
    pub title: Title,
    /// Fiat currency of its sales.
    pub display_currency: FiatCode,
    /// The highest amount of one sale.
    pub max_amount: NumberOrText,
}

/// A counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct Counter {
    /// Identifier of the counter. Its payments have it in their `metadata`, as `counter`.
    pub counter_id: CounterId,
    /// What you call it.
    pub title: Title,
    /// Fiat currency of its sales.
    pub display_currency: FiatCode,
    /// The highest amount of one sale.
    pub max_amount: AmountText,
    /// Time of creation.
    pub created_at: Time,
    /// When it was withdrawn. Its link is worth nothing since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn_at: Option<Time>,
}

/// A new counter with its link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct CreatedCounter {
    #[serde(flatten)]
    pub counter: Counter,
    /// The page of the counter. It contains the secret, and is not shown again.
    pub url: Url,
}

/// The query of the list.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListCounters {
    /// Identifier of the business. Required with an organisation key.
    #[schemars(with = "BusinessId", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    #[schemars(flatten)]
    pub page: PageQuery<CounterId>,
}

/// What the page of a counter shows before a sale.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct OwnCounter {
    /// Identifier of the counter.
    pub counter_id: CounterId,
    /// Name of the business.
    pub business_name: String,
    /// What the business calls the counter.
    pub title: Title,
    /// Fiat currency of its sales.
    pub display_currency: FiatCode,
    /// Decimal places of an amount that is typed.
    #[cfg_attr(feature = "schema", schemars(with = "FiatDecimals"))]
    pub decimals: u8,
    /// The highest amount of one sale.
    pub max_amount: AmountText,
}

/// A press of the button of a counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreateCounterSale {
    /// A random UUID of the sale: the same request with it is one sale.
    pub sale_number: SaleNumber,
    /// The amount, in the currency of the counter.
    pub display_amount: NumberOrText,
    /// What is sold, as the payer reads it; without it, the title of the counter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<DescriptionText>,
    /// Language of the payer's page.
    pub locale: Locale,
}

/// A sale at a counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct CounterSale {
    /// Identifier of its payment.
    pub payment_id: PaymentId,
    /// State of its payment.
    pub status: Word<PaymentStatus>,
    /// Fiat currency of the amounts.
    pub display_currency: FiatCode,
    /// What is asked for.
    pub display_amount: AmountText,
    /// The value of what arrived and counts for the price, also of what is not confirmed. `0` while it is being valued.
    pub received_amount: AmountText,
    /// Whether what arrived pays, once it is confirmed.
    pub covered: bool,
    /// Whether something arrived that the business does not take: it does not count, and an operator decides about it.
    pub held: bool,
    /// The payer's page, while something is to be paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_url: Option<Url>,
    /// The QR code of `paymentUrl`, as SVG.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qr_code: Option<String>,
    /// When it was cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_at: Option<Time>,
    /// When it can no longer be begun to pay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Time>,
}
