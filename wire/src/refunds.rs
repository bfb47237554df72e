//! `POST /api/v1/payments/{paymentId}/refunds`, `GET /api/v1/refunds`, and the decisions about one of them.
//!
//! An extension: the interface has automatic refunds alone.

use serde::{Deserialize, Serialize};

use super::create_withdrawal::{MemoType, WithdrawalAccount};
#[cfg(feature = "schema")]
use super::page_query::PageQuery;
#[cfg(feature = "schema")]
use super::texts::BusinessId;
use super::texts::{
    AmountText, AssetCode, ClientId, CurrencyCode, DepositId, FiatCode, NetworkCode, NumberOrText, PaymentId,
    RefundId, TagText, Time, Url,
};
use super::words::{Word, words};

words! {
    /// Refund `waitingFor`.
    RefundWait { Address = "ADDRESS", Approval = "APPROVAL" }
}

words! {
    /// `status` of a refund in the list.
    RefundState {
        Pending = "PENDING",
        Confirmed = "CONFIRMED",
        NonRefundable = "NON_REFUNDABLE",
        Failed = "FAILED",
        Blocked = "BLOCKED",
        Cancelled = "CANCELLED",
    }
}

words! {
    /// `reason` of a refund in the list.
    RefundCause {
        Overpayment = "OVERPAYMENT",
        FollowUpDeposit = "FOLLOW_UP_DEPOSIT",
        Merchant = "MERCHANT",
        Claim = "CLAIM",
    }
}

words! {
    /// `feePaidBy`.
    FeePayer { Payer = "PAYER", Merchant = "MERCHANT" }
}

/// A new refund. Without `amount` and `displayAmount` it is the rest: what the payment received and was not given back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreateRefund {
    /// Your id of the refund, unique per business.
    pub client_refund_id: ClientId,
    /// Amount that the payer gets, in the cryptocurrency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<NumberOrText>,
    /// The same by its value in the display currency of the payment, at the rate of now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_amount: Option<NumberOrText>,
    /// Cryptocurrency to refund. Required if the payment received several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<CurrencyCode>,
    /// Network to refund on. Required if the payment received the currency on several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkCode>,
    /// Recipient. A tag can be appended: `<address>?dt=<tag>`. Without it the refund waits for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Destination tag (XRP) or memo (XLM) of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<TagText>,
    /// Type of the memo on XLM: `text`, `id` or `hash`. Without it digits are an id, and anything else a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<MemoType>,
    /// Balance to charge. The default is the first that suffices: `CRYPTO` in the currency of the refund, `CRYPTO` in the
    /// settlement currency, `FIAT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawal_account: Option<WithdrawalAccount>,
}

/// The address of a refund that waits for one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AddressRefund {
    /// Recipient. A tag can be appended: `<address>?dt=<tag>`.
    pub address: String,
    /// Destination tag (XRP) or memo (XLM) of the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<TagText>,
    /// Type of the memo on XLM: `text`, `id` or `hash`. Without it digits are an id, and anything else a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<MemoType>,
}

/// Why the merchant refuses what a payer asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RefuseRefund {
    /// The reason, which the payer reads on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = 200)))]
    pub reason: Option<String>,
}

/// The query of the list. A refund is listed if all that is given fits.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListRefunds {
    /// Identifier of the business. Required with an organisation key.
    #[schemars(with = "BusinessId", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    /// Only refunds of this payment.
    #[schemars(with = "PaymentId", skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<String>,
    /// Only the refund with this id of yours.
    #[schemars(with = "String", skip_serializing_if = "Option::is_none")]
    pub client_refund_id: Option<String>,
    /// Only refunds in this state.
    #[schemars(with = "RefundState", skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Only refunds that wait for this.
    #[schemars(with = "RefundWait", skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<String>,
    /// Only refunds of this cryptocurrency.
    #[schemars(with = "CurrencyCode", skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Only refunds on this network.
    #[schemars(with = "NetworkCode", skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// Only refunds created at this time or later.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Only refunds created before this time.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    #[schemars(flatten)]
    pub page: PageQuery<RefundId>,
}

/// Money that goes back to a payer: automatically, or because the merchant asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct ListedRefund {
    /// Identifier of the refund. An automatic refund has that of its deposit.
    pub refund_id: RefundId,
    /// Your id of the refund. Missing for automatic refunds and claims.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_refund_id: Option<ClientId>,
    /// Identifier of the payment.
    pub payment_id: PaymentId,
    /// Your id of the payment.
    pub client_payment_id: ClientId,
    /// The deposit that an automatic refund or a claim gives back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deposit_id: Option<DepositId>,
    /// `OVERPAYMENT` and `FOLLOW_UP_DEPOSIT` are automatic, `MERCHANT` was asked for by you, `CLAIM` by the payer.
    pub reason: RefundCause,
    /// `PENDING` until its transaction is in a block, then `CONFIRMED`. `NON_REFUNDABLE`: not worth its fee. `FAILED`: the network refuses
    /// it. `BLOCKED`: the screening or an operator refused it. `CANCELLED`: the merchant took it back before it was sent.
    pub status: RefundState,
    /// Cryptocurrency of the refund.
    pub currency: CurrencyCode,
    /// Network of the refund.
    pub network: NetworkCode,
    /// Amount that the payer gets, in the cryptocurrency.
    pub amount: AmountText,
    /// Fee of the chain, in the cryptocurrency.
    pub fee: AmountText,
    /// Who pays the fee. The payer pays that of an automatic refund and of a claim: `amount` is what is left. The merchant pays that of a refund
    /// that the merchant asked for, in addition to `amount`.
    pub fee_paid_by: FeePayer,
    /// Fiat currency of the display amounts: that of the payment.
    pub display_currency: FiatCode,
    /// Value of the amount in the display currency. Of an automatic refund at the rate of its deposit, of another at the rate of its
    /// creation.
    pub display_amount: AmountText,
    /// The same of the fee.
    pub display_fee: AmountText,
    /// The balance that was charged. Missing for automatic refunds, which are kept from their deposit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawal_account: Option<WithdrawalAccount>,
    /// Currency of that balance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settlement_currency: Option<AssetCode>,
    /// The amount charged to it, fee included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settlement_deducted_amount: Option<AmountText>,
    /// Recipient, as `<address>?dt=<tag>` when there is a tag. Missing while there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Type of the memo of `address` or `claimedAddress` on XLM, if it is not the one that its text has without a type: a `text` of digits, or a `hash`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<Word<MemoType>>,
    /// Transaction of the refund, once it is signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// Time at which the refund was confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<Time>,
    /// Set while it cannot be sent: it waits for an address or an approval. The money stays reserved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<RefundWait>,
    /// Why it waits: `NOT_GIVEN` (the merchant named no address), `LIMIT` (above a limit of the business), `CLAIM` (the payer named
    /// `claimedAddress`), or a reason of an automatic refund, such as `UNCONFIRMED_SENDER`, `CONTRACT` or `TAG_REQUIRED`. Without `waitingFor`
    /// why it was not sent when that was tried last, as of a withdrawal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_reason: Option<String>,
    /// The address that the payer named on the page, as `<address>?dt=<tag>` when there is a tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed_address: Option<String>,
    /// When the payer did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed_at: Option<Time>,
    /// Where the payer names the address: the page of the payment. Whoever has this link can ask for the money. In the answer to the
    /// request for a refund without an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_url: Option<Url>,
    /// Time of creation. Of an automatic refund that of its deposit.
    pub created_at: Time,
}
