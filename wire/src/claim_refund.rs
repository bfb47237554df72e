//! `POST /api/v1/checkout/{paymentId}/claims` (session token): the payer asks for money back and names the address.
//!
//! An extension: the interface has no such endpoint.

use serde::{Deserialize, Serialize};

use super::create_withdrawal::MemoType;
use super::texts::{AmountText, CurrencyCode, DepositId, NetworkCode, RefundId, TagText};
use super::words::{Word, words};

words! {
    /// `status` of a claim.
    ClaimStatus {
        Open = "OPEN",
        Asked = "ASKED",
        Approved = "APPROVED",
        Sent = "SENT",
        Confirmed = "CONFIRMED",
        Refused = "REFUSED",
        Failed = "FAILED",
    }
}

/// Where the payer wants the money.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClaimRefund {
    /// The claim: its `claimId`.
    pub claim_id: RefundId,
    /// Recipient, on the network of the claim. A tag can be appended: `<address>?dt=<tag>`.
    pub address: String,
    /// Destination tag (XRP) or memo (XLM) of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<TagText>,
    /// Type of the memo on XLM: `text`, `id` or `hash`. Without it digits are an id, and anything else a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<MemoType>,
}

/// Money that a payer can ask for, or asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct RefundClaim {
    /// Identifier of the claim: that of the deposit, or of the refund that the merchant made.
    pub claim_id: RefundId,
    /// The deposit that is given back. Missing for a refund that the merchant made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_id: Option<DepositId>,
    /// `OPEN`: the payer can ask for it. `ASKED`: the merchant decides. `APPROVED`: it will be sent. `SENT`: the network has its transaction.
    /// `CONFIRMED`: that is in a block. `REFUSED`: by the merchant. `FAILED`: the network refused it.
    pub status: Word<ClaimStatus>,
    /// Cryptocurrency of the refund.
    pub currency: CurrencyCode,
    /// Network of the refund.
    pub network: NetworkCode,
    /// Amount that the payer gets, after the fee as it is now.
    pub amount: AmountText,
    /// Fee of the chain that was taken off. `0` if the merchant pays it.
    pub fee: AmountText,
    /// Where the money came from, as `<address>?dt=<tag>` when there is a tag, while the payer is asked whether that is their own wallet
    /// and no exchange's. A claim with this address is sent without an approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<String>,
    /// Recipient, as `<address>?dt=<tag>` when there is a tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Type of the memo on XLM, if it is not the one that its text has without a type: a `text` of digits, or a `hash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<Word<MemoType>>,
    /// What the merchant says of a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Transaction of the refund.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
}
