//! `POST /api/v1/withdrawals`

use alloc::string::String;

use serde::{Deserialize, Serialize};

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

/// The request, as a merchant's back end writes it. Interface section 4.8.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreateWithdrawal {
    /// Needed unless a business token is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    pub client_withdrawal_id: String,
    /// May carry its tag: `<address>?dt=<tag>`.
    pub recipient_address: String,
    pub withdraw_currency: String,
    pub display_currency: String,
    pub target_amount_policy: TargetPolicy,
    pub target_amount: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawal_account: Option<WithdrawalAccount>,
    /// `0` stands for no tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
    /// `ETH` when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
}

/// Interface section 2.7: 201, or 200 when the same request was answered before. The request's
/// `clientWithdrawalId` comes back as `clientWithdrawId`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Withdrawal {
    pub withdraw_id: String,
    pub client_withdraw_id: String,
    /// With `?dt=<tag>` where there is a tag.
    pub recipient_address: String,
    pub network: String,
    pub initiated_by: String,
    pub status: WithdrawalStatus,
    pub display_currency: String,
    pub display_service_fee: String,
    pub withdraw_currency: String,
    pub settlement_currency: String,
    pub estimated_display_amount: String,
    pub estimated_withdraw_amount: String,
    pub settlement_deducted_amount: String,
    pub settlement_service_fee: String,
    pub uniform_amount: String,
    pub uniform_currency: String,
    pub uniform_service_fee: String,
    pub created_at: u64,
}
