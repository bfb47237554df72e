//! `POST /api/v1/withdrawals`. Interface sections 2.7 and 4.8.

use serde::{Deserialize, Serialize};

use super::texts::{
    AmountText, AssetCode, BusinessId, ClientId, CurrencyCode, FiatCode, NetworkCode, NumberOrText, TagText,
    Time, WithdrawalId,
};
use super::words::{Word, words};

words! {
    /// Withdrawal `status`, interface section 3.4.
    WithdrawalStatus { New = "NEW", Completed = "COMPLETED", Failed = "FAILED", Blocked = "BLOCKED" }
}

words! {
    /// `targetAmountPolicy`: what the target amount is in.
    TargetPolicy { Fiat = "FIAT", Crypto = "CRYPTO" }
}

words! {
    /// `withdrawalAccount`: which balance is charged.
    WithdrawalAccount { Fiat = "FIAT", Crypto = "CRYPTO" }
}

words! {
    /// Type of a memo on XLM.
    MemoType { Text = "text", Id = "id", Hash = "hash" }
}

/// A new withdrawal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreateWithdrawal {
    /// Identifier of the business. Required with an organisation key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub business_id: Option<BusinessId>,
    /// Your id of the withdrawal, unique per business.
    pub client_withdrawal_id: ClientId,
    /// Recipient. A tag can be appended: `<address>?dt=<tag>`.
    pub recipient_address: String,
    /// Cryptocurrency to withdraw.
    pub withdraw_currency: CurrencyCode,
    /// Fiat currency of the display amounts.
    pub display_currency: FiatCode,
    /// Currency of `targetAmount`: the display currency (`FIAT`) or the cryptocurrency (`CRYPTO`).
    pub target_amount_policy: TargetPolicy,
    /// Amount to withdraw, in the currency that `targetAmountPolicy` names.
    pub target_amount: NumberOrText,
    /// Balance to charge. The default is `CRYPTO`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawal_account: Option<WithdrawalAccount>,
    /// Destination tag (XRP) or memo (XLM). `0` means none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<TagText>,
    /// Type of the memo on XLM: `text`, `id` or `hash`. Without it digits are an id, and anything else a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<MemoType>,
    /// Network to send on. The default is `ETH`; the currency must exist on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkCode>,
}

/// A withdrawal. The `clientWithdrawalId` of the request is called `clientWithdrawId` here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Withdrawal {
    /// Identifier of the withdrawal.
    pub withdraw_id: WithdrawalId,
    /// Your id of the withdrawal: the `clientWithdrawalId` of the request.
    pub client_withdraw_id: ClientId,
    /// Recipient, as `<address>?dt=<tag>` when there is a tag.
    pub recipient_address: String,
    /// Type of the memo on XLM, if it is not the one that its text has without a type: a `text` of digits, or a `hash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memo_type: Option<Word<MemoType>>,
    /// Network of the withdrawal.
    pub network: NetworkCode,
    /// Kind of credential that initiated the withdrawal.
    pub initiated_by: String,
    /// `NEW` at first. The callback reports the outcome.
    pub status: WithdrawalStatus,
    /// Fiat currency of the display amounts.
    pub display_currency: FiatCode,
    /// Service fee in the display currency.
    pub display_service_fee: AmountText,
    /// Cryptocurrency to withdraw.
    pub withdraw_currency: CurrencyCode,
    /// Settlement currency of the business.
    pub settlement_currency: AssetCode,
    /// Amount to send, in the display currency.
    pub estimated_display_amount: AmountText,
    /// Amount to send, in the cryptocurrency.
    pub estimated_withdraw_amount: AmountText,
    /// Amount charged to the balance, in the settlement currency.
    pub settlement_deducted_amount: AmountText,
    /// Service fee in the settlement currency.
    pub settlement_service_fee: AmountText,
    /// Amount to send, in EUR.
    pub uniform_amount: AmountText,
    /// Always `EUR`.
    pub uniform_currency: FiatCode,
    /// Service fee in EUR.
    pub uniform_service_fee: AmountText,
    /// Time of creation.
    pub created_at: Time,
}
