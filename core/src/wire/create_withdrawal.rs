//! `POST /api/v1/withdrawals`. Interface sections 2.7 and 4.8.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::texts::{
    AmountText, AssetCode, BusinessId, ClientId, CurrencyCode, FiatCode, NetworkCode, NumberOrText, TagText,
    Time, WithdrawalId,
};
use super::words::words;

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
