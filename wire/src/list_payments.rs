//! `GET /api/v1/payments`: a page of the payments of a business, as a bare array.
//!
//! An extension: the interface has no such endpoint.

#[cfg(feature = "schema")]
use super::page_query::PageQuery;
#[cfg(feature = "schema")]
use super::payment::PaymentStatus;
#[cfg(feature = "schema")]
use super::texts::{BusinessId, CurrencyCode, NetworkCode, PaymentId, TagText, Time};

/// The query of the list. A payment is listed if all that is given fits.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListPayments {
    /// Identifier of the business. Required with an organisation key.
    #[schemars(with = "BusinessId", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    /// Only the payment with this id of yours.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub client_payment_id: Option<String>,
    /// Only payments in this state.
    #[schemars(with = "PaymentStatus", skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Only payments in this cryptocurrency: the `depositCurrency`.
    #[schemars(with = "CurrencyCode", skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Only payments on this network: the `expectedNetwork`.
    #[schemars(with = "NetworkCode", skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// Only payments that gave out this address, in any of its spellings, even if the payer chose another network later.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Destination tag (XRP) or memo (XLM) of the address.
    #[schemars(with = "TagText", skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
    /// Only payments with a deposit in this transaction.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// Only payments whose price, an amount that the payer was shown or a deposit is exactly this, in any currency, or in one:
    /// `0.0123` or `25.00 EUR`.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// Only payments with all these words in their description, in any case.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Only payments with this entry of the metadata, as `name:value`.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub metadata: Option<String>,
    /// Only payments created at this time or later.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Only payments created before this time.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    #[schemars(flatten)]
    pub page: PageQuery<PaymentId>,
}
