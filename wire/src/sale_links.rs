//! `POST` and `GET /api/v1/sale-links`, `GET /api/v1/sale-links/{linkId}` and `POST /api/v1/sale-links/{linkId}/withdraw`.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::page_query::PageQuery;
use super::payment::PaymentType;
#[cfg(feature = "schema")]
use super::schema::{Count, Stock};
use super::texts::{
    AmountText, BusinessId, ClientId, FiatCode, NumberOrText, SaleLinkId, SlugText, Time, Title, Url,
};
use super::words::{Word, words};

words! {
    /// `status` of a sale link. `SOLD_OUT`: everything is paid, or somebody is paying for it. It is `OPEN` again if they do not.
    SaleLinkStatus { Open = "OPEN", SoldOut = "SOLD_OUT", Ended = "ENDED", Withdrawn = "WITHDRAWN" }
}

/// A new sale link. Either `displayAmount`, or both `minAmount` and `maxAmount`, are required.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreateSaleLink {
    /// Identifier of the business. Required with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub business_id: Option<BusinessId>,
    /// Your id of the link, unique per business.
    pub client_link_id: ClientId,
    /// What is sold, as the payer reads it.
    pub title: Title,
    /// `REUSABLE` (the default): it sells until its stock or its end. `ONE_TIME`: it ends with its first paid sale.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<PaymentType>,
    /// Fiat currency of the price.
    pub display_currency: FiatCode,
    /// Price in the display currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_amount: Option<NumberOrText>,
    /// The least amount that a payer can type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_amount: Option<NumberOrText>,
    /// The highest amount that a payer can type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_amount: Option<NumberOrText>,
    /// How often a `REUSABLE` link sells; without it, as often as somebody pays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Stock>"))]
    pub stock: Option<u32>,
    /// When it stops to sell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<Time>,
    /// The last part of its address: 3 to 60 small letters `a` to `z` and digits, with single hyphens between them. Unique on this
    /// gateway, also after the link is withdrawn. Without it, one that nobody guesses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<SlugText>,
    /// Where the payer returns to: an `https:` URL (in the sandbox also `http:`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<Url>,
}

/// The query of the list.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListSaleLinks {
    /// Identifier of the business. Required with an organisation key.
    #[schemars(with = "BusinessId", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    #[schemars(flatten)]
    pub page: PageQuery<SaleLinkId>,
}

/// A sale link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct SaleLink {
    /// Identifier of the link. Its payments have it in their `metadata`, as `saleLink`.
    pub link_id: SaleLinkId,
    /// Your id of the link, unique per business.
    pub client_link_id: ClientId,
    /// State of the link.
    pub status: Word<SaleLinkStatus>,
    /// The page on which people buy.
    pub url: Url,
    /// The last part of its address.
    pub slug: SlugText,
    /// What is sold, as the payer reads it.
    pub title: Title,
    /// `REUSABLE`, or `ONE_TIME`: it ends with its first paid sale.
    #[serde(rename = "type")]
    pub kind: Word<PaymentType>,
    /// Fiat currency of the price.
    pub display_currency: FiatCode,
    /// Price in the display currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_amount: Option<AmountText>,
    /// The least amount that a payer can type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_amount: Option<AmountText>,
    /// The highest amount that a payer can type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_amount: Option<AmountText>,
    /// How often it sells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Stock>"))]
    pub stock: Option<u32>,
    /// Payments that are paid.
    #[cfg_attr(feature = "schema", schemars(with = "Count"))]
    pub paid: u32,
    /// Payments that can still be paid.
    #[cfg_attr(feature = "schema", schemars(with = "Count"))]
    pub open: u32,
    /// When it stops to sell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<Time>,
    /// Where the payer returns to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<Url>,
    /// Time of creation.
    pub created_at: Time,
    /// When it was withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn_at: Option<Time>,
}
