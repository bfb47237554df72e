//! `GET /api/v1/checkout/{paymentId}` (session token): everything that the widget needs to start, in one
//! response.
//!
//! An extension: the interface has no such endpoint. The page also polls it, with the last `ETag`.

use serde::{Deserialize, Serialize};

use super::claim_refund::RefundClaim;
use super::payment::Payment;
use super::texts::{AmountText, CurrencyCode, DepositId, NetworkCode};

/// A payment with what its checkout page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct CheckoutView {
    /// The payment.
    pub payment: Payment,
    /// Rises with every change of the payment. An answer with a lower one is older.
    #[serde(default)]
    pub version: u64,
    /// Facts of the deposits that `deposits` of the payment does not have.
    #[serde(default)]
    pub transfers: Vec<Transfer>,
    /// `true` when the transfer that was seen last is no longer on the network.
    #[serde(default)]
    pub transfer_vanished: bool,
    /// The rest of the quoted amount, by the gateway's own rules: zero once everything that was seen pays. Missing
    /// before the first quote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining_amount: Option<AmountText>,
    /// Price of one coin of the quote in the display currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<AmountText>,
    /// What the payer can ask back, and what became of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<RefundClaim>,
    /// Name of the merchant, shown to the payer.
    pub merchant_name: String,
    /// Where the payer gets help: an https or mailto link. `{reference}` in it stands for the `clientPaymentId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support_url: Option<String>,
    /// Origins that may embed this checkout, such as `https://shop.example`.
    #[serde(default)]
    pub allowed_origins: Vec<String>,
    /// The pairs that the payer can choose, in display order: the requested one first, then those in which the business was paid
    /// most in the last 90 days.
    pub options: Vec<DepositOption>,
    /// `true` when no real money is involved.
    #[serde(default)]
    pub sandbox: bool,
    /// Networks that are test networks here: their coins have no value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test_networks: Vec<TestNetwork>,
}

/// A network that this gateway uses on a network for tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct TestNetwork {
    /// Network.
    pub network: NetworkCode,
    /// Name of the test network, such as `signet` or `Sepolia`.
    pub name: String,
    /// `true` when its addresses differ from those of the main network.
    #[serde(default)]
    pub own_addresses: bool,
    /// Chain id of the test network, if it is an EVM network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain_id: Option<u64>,
}

/// Facts of a deposit for the checkout page, beside the deposit itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct Transfer {
    /// Identifier of the deposit.
    pub deposit_id: DepositId,
    /// Network on which it arrived, whatever is quoted now.
    pub network: NetworkCode,
    /// Blocks that confirm it, its own included: fewer than `requiredConfirmations` until it is `CONFIRMED`. Missing when one
    /// is enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmations: Option<u64>,
    /// How many it needs to become `CONFIRMED`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_confirmations: Option<u64>,
    /// `true` when it was first seen after its ONE_TIME payment was paid: the order does not need it.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub follow_up: bool,
}

/// A currency and network that the business accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct DepositOption {
    /// Cryptocurrency.
    pub currency: CurrencyCode,
    /// Network of the deposit.
    pub network: NetworkCode,
    /// Estimate at the current rate. The binding quote comes with PATCH.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_amount: Option<AmountText>,
    /// How many confirmations a transfer needs to become `CONFIRMED`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_confirmations: Option<u64>,
    /// Network fee that a transfer usually costs its sender, in the display currency, rounded up: the median of the business's
    /// deposits of the last seven days. Missing if there are fewer than three.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usual_fee: Option<AmountText>,
}
