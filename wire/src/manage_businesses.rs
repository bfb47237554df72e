//! `POST /api/v1/businesses`, `GET /api/v1/businesses` and `PATCH /api/v1/businesses/{id}`, and below `POST /api/v1/businesses/{id}`
//! `/rotate-token`, `/rotate-secret` and `/test-callback`, with an organisation key.
//!
//! An extension: the interface has `GET /api/v1/businesses/{id}` only.

use serde::{Deserialize, Serialize};

use super::get_business::Business;
#[cfg(feature = "schema")]
use super::get_business::Theme;
#[cfg(feature = "schema")]
use super::page_query::PageQuery;
#[cfg(feature = "schema")]
use super::payment::OverpaymentPolicy;
use super::payment::RefundAddress;
#[cfg(feature = "schema")]
use super::schema::{Base64, Hours, HttpStatus, Share};
use super::texts::{AmountText, CallbackId, NonEmpty, Time, Url};
#[cfg(feature = "schema")]
use super::texts::{BusinessId, CurrencyCode, FiatCode};
use super::words::words;

words! {
    /// The scope of a token.
    TokenScope: "A scope of a token." { Payments = "payments", Withdrawals = "withdrawals", Read = "read" }
}

/// A business as an organisation key sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Business", transform = super::schema::never_null))]
pub struct ManagedBusiness {
    #[serde(flatten)]
    pub business: Business,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub events: Option<EventEndpoint>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub terms: Option<BusinessTerms>,
}

/// Where typed events go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EventEndpoint {
    /// URL that receives typed events. Missing if none are sent.
    pub event_url: Url,
    /// The chosen events, such as `payment.status`, `deposit.*` or `*`. Missing if none are sent.
    pub events: Vec<String>,
}

/// The settings that only an organisation key sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct BusinessTerms {
    /// Whether it creates no payments and no withdrawals, and sends nothing that waits. Only with an organisation key.
    pub disabled: bool,
    /// Origins that may embed the checkout. Only with an organisation key.
    pub allowed_origins: Vec<String>,
    /// Accepted currencies, those on chosen networks only as `USDC/ETH`. Only with an organisation key.
    pub deposit_pairs: Vec<String>,
    /// Who says where an automatic refund goes: the payer (`PAYER`), or nobody: it goes back to its sender (`SENDER`). Only with an
    /// organisation key.
    pub refund_address: RefundAddress,
    /// Share of the expected amount that may be missing. Only with an organisation key; missing for the default of the rate type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub underpayment_tolerance: Option<AmountText>,
    /// Amount in EUR up to which deposits that no block includes are instant, all together. Only with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instant_deposit_limit: Option<AmountText>,
    /// Colour of the checkout page. Only with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand_color: Option<String>,
    /// Path of the logo on the gateway. Only with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo_path: Option<String>,
    /// Where payers get help. Only with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support_url: Option<String>,
    /// Maximum value in EUR of the withdrawals in 24 hours. Only with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daily_withdrawal_limit: Option<AmountText>,
    /// Value in EUR above which a withdrawal waits for an operator. Only with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawal_approval_above: Option<AmountText>,
    /// Value in EUR up to which what payers ask back of one payment needs no approval. Only with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_limit: Option<AmountText>,
    /// Largest fee of a network, in EUR, that a withdrawal or a refund of the merchant pays. Only with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum_network_fee: Option<AmountText>,
    /// Whether withdrawals go to whitelisted addresses only. Only with an organisation key.
    pub whitelist_only: bool,
    /// Whether shops with a plugin for BTCPay Server are answered. Only with an organisation key.
    pub greenfield: bool,
}

/// A new business. What is not given has its default.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct CreateBusiness {
    /// Name, shown to payers.
    #[schemars(with = "NonEmpty")]
    pub name: String,
    #[schemars(flatten)]
    pub settings: BusinessSettings,
}

/// The changes of a business. What is not given stays.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct UpdateBusiness {
    /// Name, shown to payers.
    #[schemars(with = "Option<NonEmpty>", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[schemars(flatten)]
    pub settings: BusinessSettings,
    /// Origins that may embed the checkout, too.
    #[schemars(with = "Option<Vec<Url>>", skip_serializing_if = "Option::is_none")]
    pub added_origins: Option<Vec<String>>,
    /// Origins that may not embed the checkout any more.
    #[schemars(with = "Option<Vec<Url>>", skip_serializing_if = "Option::is_none")]
    pub removed_origins: Option<Vec<String>>,
}

/// The settings of a business. An empty text removes a URL, a limit, the colour or the logo.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct BusinessSettings {
    /// Creates no payments and no withdrawals, and sends nothing that waits, from now on. Payments that exist go on.
    #[schemars(with = "Option<bool>", skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
    /// Origins that may embed the checkout, all of them.
    #[schemars(with = "Option<Vec<Url>>", skip_serializing_if = "Option::is_none")]
    pub allowed_origins: Option<Vec<String>>,
    /// URL that receives the deposit callback.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub deposit_received_callback_url: Option<String>,
    /// URL that receives the withdrawal callback.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub withdrawal_callback_url: Option<String>,
    /// URL that receives typed events, which are the webhooks of this document with a dot in their names.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub event_url: Option<String>,
    /// The events that are sent there: names such as `payment.status`, groups such as `deposit.*`, or `*`. At first `*`.
    #[schemars(with = "Option<Vec<NonEmpty>>", skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<String>>,
    /// Cryptocurrency of the crypto share of settlements; `OWN` or empty: that of each deposit.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub settlement_crypto_currency: Option<String>,
    /// Share of each deposit that is settled in crypto, from 0 to 1.
    #[schemars(with = "Option<Share>", skip_serializing_if = "Option::is_none")]
    pub settlement_crypto_ratio: Option<String>,
    /// Handling of an excess: it is refunded (`EXCESS_REFUND`) or credited (`PROCESS`).
    #[schemars(with = "Option<OverpaymentPolicy>", skip_serializing_if = "Option::is_none")]
    pub overpayment_policy: Option<String>,
    /// Whether a deposit to a paid `ONE_TIME` payment is refunded in full.
    #[schemars(with = "Option<bool>", skip_serializing_if = "Option::is_none")]
    pub refund_follow_up_deposits_for_one_time_payments: Option<bool>,
    /// Who says where an automatic refund goes: the payer (`PAYER`), or nobody: it goes back to its sender (`SENDER`), also to an exchange.
    #[schemars(with = "Option<RefundAddress>", skip_serializing_if = "Option::is_none")]
    pub refund_address: Option<String>,
    /// Share of the expected amount that may be missing, from 0 to 1.
    #[schemars(with = "Option<Share>", skip_serializing_if = "Option::is_none")]
    pub underpayment_tolerance: Option<String>,
    /// Amount in EUR up to which deposits are reported before a block includes them, all together: what you can lose.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub instant_deposit_limit: Option<String>,
    /// Cryptocurrencies that the business accepts, each on all its usual networks.
    #[schemars(with = "Option<Vec<CurrencyCode>>", skip_serializing_if = "Option::is_none")]
    pub supported_deposit_currencies: Option<Vec<String>>,
    /// The same with single networks, such as `["BTC", "USDC/ETH"]`: a currency with networks is accepted on these only.
    #[schemars(with = "Option<Vec<NonEmpty>>", skip_serializing_if = "Option::is_none")]
    pub deposit_pairs: Option<Vec<String>>,
    /// Fiat currencies of the prices of the business.
    #[schemars(with = "Option<Vec<FiatCode>>", skip_serializing_if = "Option::is_none")]
    pub supported_display_currencies: Option<Vec<String>>,
    /// Theme of the checkout page.
    #[schemars(with = "Option<Theme>", skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// Colour of buttons and links on the checkout page, such as `#1f4fd8`.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub brand_color: Option<String>,
    /// Image beside the name on the checkout page, in Base64: PNG, WebP or JPEG, up to 32 KB, 32 to 1024 pixels a side.
    #[schemars(with = "Option<Base64>", skip_serializing_if = "Option::is_none")]
    pub logo: Option<String>,
    /// Where payers get help: an https or mailto link. `{reference}` becomes the payment's `clientPaymentId`.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub support_url: Option<String>,
    /// Maximum value of all withdrawals in 24 hours, in EUR.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub daily_withdrawal_limit: Option<String>,
    /// Withdrawals above this value in EUR wait for an operator.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub withdrawal_approval_above: Option<String>,
    /// Claims for one payment are approved automatically while their total is at most this value in EUR.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub claim_limit: Option<String>,
    /// Largest fee of a network that a withdrawal or a refund of the merchant pays, in EUR. One that costs more is refused.
    #[schemars(with = "Option<String>", skip_serializing_if = "Option::is_none")]
    pub maximum_network_fee: Option<String>,
    /// Withdrawals go to whitelisted addresses only.
    #[schemars(with = "Option<bool>", skip_serializing_if = "Option::is_none")]
    pub whitelist_only: Option<bool>,
    /// Shops with a plugin for BTCPay Server are answered: its Greenfield API. Off, their webhooks are removed.
    #[schemars(with = "Option<bool>", skip_serializing_if = "Option::is_none")]
    pub greenfield: Option<bool>,
}

/// The query of the list.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListBusinesses {
    #[schemars(flatten)]
    pub page: PageQuery<BusinessId>,
}

/// A new business with its credentials, which are not shown again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreatedBusiness {
    /// The business.
    pub business: ManagedBusiness,
    /// Its token, for everything. It is not shown again.
    pub token: NonEmpty,
    /// The secret that signs its callbacks. It is not shown again.
    pub callback_secret: NonEmpty,
}

/// A rotation of the token.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct RotateToken {
    /// Scopes of the new token, which replaces those with the same scopes. Without any it may do everything, and replaces all.
    #[schemars(with = "Option<Vec<TokenScope>>", skip_serializing_if = "Option::is_none")]
    pub scopes: Option<Vec<String>>,
    /// Hours for which the replaced tokens stay valid.
    #[schemars(with = "Option<Hours>", skip_serializing_if = "Option::is_none", extend("default" = 0))]
    pub overlap_hours: Option<u32>,
}

/// A new token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RotatedToken {
    /// The token. It is not shown again.
    pub token: NonEmpty,
}

/// A rotation of the callback secret.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct RotateSecret {
    /// Hours for which callbacks also carry a signature with the old secret.
    #[schemars(with = "Option<Hours>", skip_serializing_if = "Option::is_none", extend("default" = 24))]
    pub overlap_hours: Option<u32>,
}

/// A new callback secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RotatedSecret {
    /// The secret that signs callbacks from now on. It is not shown again.
    pub callback_secret: NonEmpty,
}

/// A test of an endpoint.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct TestCallback {
    /// Name of the event, as in the webhooks of this document.
    #[schemars(with = "NonEmpty")]
    pub event: String,
}

/// A request to an endpoint, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct TestedCallback {
    /// The `webhook-id` of the request.
    pub id: CallbackId,
    /// Name of the event.
    pub event: NonEmpty,
    /// URL of the endpoint.
    pub url: Url,
    /// The body that was sent.
    pub body: String,
    /// Time of the request.
    pub sent_at: Time,
    /// Milliseconds until the answer.
    pub duration_millis: u64,
    /// HTTP status of the answer. Missing without an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "HttpStatus"))]
    pub http_status: Option<u16>,
    /// Why there was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
