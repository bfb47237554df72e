//! `POST /api/v1/withdrawals`. Interface sections 2.7 and 4.8.

use alloc::string::String;

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::schema::{Amount, Asset, ClientId, Crypto, Fiat, Network, NumberOrText, Tag, Time, Uuid};
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
    #[cfg_attr(feature = "schema", schemars(with = "Option<Uuid>"))]
    pub business_id: Option<String>,
    /// Your id of the withdrawal, unique per business.
    #[cfg_attr(feature = "schema", schemars(with = "ClientId"))]
    pub client_withdrawal_id: String,
    /// Recipient. A tag can be appended: `<address>?dt=<tag>`.
    pub recipient_address: String,
    /// Cryptocurrency to withdraw.
    #[cfg_attr(feature = "schema", schemars(with = "Crypto"))]
    pub withdraw_currency: String,
    /// Fiat currency of the display amounts.
    #[cfg_attr(feature = "schema", schemars(with = "Fiat"))]
    pub display_currency: String,
    /// Currency of `targetAmount`: the display currency (`FIAT`) or the cryptocurrency (`CRYPTO`).
    pub target_amount_policy: TargetPolicy,
    /// Amount to withdraw, in the currency that `targetAmountPolicy` names.
    #[cfg_attr(feature = "schema", schemars(with = "NumberOrText"))]
    pub target_amount: String,
    /// Balance to charge. The default is `CRYPTO`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawal_account: Option<WithdrawalAccount>,
    /// Destination tag (XRP) or memo (XLM). `0` means none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Tag>"))]
    pub destination_tag: Option<String>,
    /// Network to send on. The default is `ETH`; the currency must exist on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Network>"))]
    pub network: Option<String>,
}

/// A withdrawal. The `clientWithdrawalId` of the request is called `clientWithdrawId` here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Withdrawal {
    /// Identifier of the withdrawal.
    #[cfg_attr(feature = "schema", schemars(with = "Uuid"))]
    pub withdraw_id: String,
    /// Your id of the withdrawal: the `clientWithdrawalId` of the request.
    #[cfg_attr(feature = "schema", schemars(with = "ClientId"))]
    pub client_withdraw_id: String,
    /// Recipient, as `<address>?dt=<tag>` when there is a tag.
    pub recipient_address: String,
    /// Network of the withdrawal.
    #[cfg_attr(feature = "schema", schemars(with = "Network"))]
    pub network: String,
    /// Kind of credential that initiated the withdrawal.
    pub initiated_by: String,
    /// `NEW` at first. The callback reports the outcome.
    pub status: WithdrawalStatus,
    /// Fiat currency of the display amounts.
    #[cfg_attr(feature = "schema", schemars(with = "Fiat"))]
    pub display_currency: String,
    /// Service fee in the display currency.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub display_service_fee: String,
    /// Cryptocurrency to withdraw.
    #[cfg_attr(feature = "schema", schemars(with = "Crypto"))]
    pub withdraw_currency: String,
    /// Settlement currency of the business.
    #[cfg_attr(feature = "schema", schemars(with = "Asset"))]
    pub settlement_currency: String,
    /// Amount to send, in the display currency.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub estimated_display_amount: String,
    /// Amount to send, in the cryptocurrency.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub estimated_withdraw_amount: String,
    /// Amount charged to the balance, in the settlement currency.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub settlement_deducted_amount: String,
    /// Service fee in the settlement currency.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub settlement_service_fee: String,
    /// Amount to send, in EUR.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub uniform_amount: String,
    /// Always `EUR`.
    #[cfg_attr(feature = "schema", schemars(with = "Fiat"))]
    pub uniform_currency: String,
    /// Service fee in EUR.
    #[cfg_attr(feature = "schema", schemars(with = "Amount"))]
    pub uniform_service_fee: String,
    /// Time of creation.
    #[cfg_attr(feature = "schema", schemars(with = "Time"))]
    pub created_at: u64,
}
