//! `GET /api/v1/payments/{paymentId}`: the payment itself, not wrapped; also inside `paymentInfo`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::words::words;

words! {
    /// Payment `status`, interface section 3.1.
    PaymentStatus {
        New = "NEW",
        Pending = "PENDING",
        Awaiting = "AWAITING",
        Expired = "EXPIRED",
        Deposited = "DEPOSITED",
        Overpaid = "OVERPAID",
    }
}

words! {
    /// Payment `type`.
    PaymentType { OneTime = "ONE_TIME", Reusable = "REUSABLE" }
}

words! {
    /// Payment `rateType`.
    RateType { Fixed = "FIXED", Floating = "FLOATING" }
}

words! {
    /// Deposit `status`.
    DepositStatus { Unconfirmed = "UNCONFIRMED", Confirmed = "CONFIRMED" }
}

words! {
    /// `overpaymentPolicy` of a business or a payment.
    OverpaymentPolicy { ExcessRefund = "EXCESS_REFUND", Process = "PROCESS" }
}

words! {
    /// Refund `type`.
    RefundType { Partial = "PARTIAL", Full = "FULL" }
}

words! {
    /// Refund `status`.
    RefundStatus { Pending = "PENDING", Confirmed = "CONFIRMED", NonRefundable = "NON_REFUNDABLE" }
}

words! {
    /// Refund `reason`.
    RefundReason { Overpayment = "OVERPAYMENT", FollowUpDeposit = "FOLLOW_UP_DEPOSIT" }
}

/// Interface section 2.1. Amounts are decimal texts, times are UNIX seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    pub payment_id: String,
    pub client_payment_id: String,
    pub business_id: String,
    pub status: PaymentStatus,
    #[serde(rename = "type")]
    pub kind: PaymentType,
    pub rate_type: RateType,
    pub processor_type: String,
    pub locale: String,
    pub display_currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_currency: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_network: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_deposit_amount: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_display_amount: Option<String>,
    /// In EUR.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_uniform_amount: Option<String>,
    pub actual_deposit_amount: String,
    pub actual_display_amount: String,
    /// In EUR.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual_uniform_amount: Option<String>,
    pub expiration_minutes: u32,
    pub payment_initiated_at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_requested_at: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wallet_address: Option<String>,
    pub deposits: Vec<Deposit>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overpayment_policy: Option<OverpaymentPolicy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_follow_up_deposits_for_one_time_payments: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
}

/// Interface section 2.2.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Deposit {
    pub id: String,
    pub deposit_amount: String,
    pub deposit_currency: String,
    pub deposit_received_at: u64,
    pub display_amount: String,
    pub display_currency: String,
    pub status: DepositStatus,
    pub from_address: String,
    pub to_address: String,
    pub transaction_id: String,
    pub on_chain_fee: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund: Option<Refund>,
}

/// Interface section 2.3.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    #[serde(rename = "type")]
    pub kind: RefundType,
    pub status: RefundStatus,
    pub reason: RefundReason,
    pub amount: String,
    pub fee: String,
    pub display_currency: String,
    pub display_amount: String,
    pub display_fee: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<u64>,
}
