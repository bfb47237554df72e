//! `GET /api/v1/payments/{paymentId}`: the payment without a wrapper; also inside `paymentInfo`. Interface
//! sections 2.1 to 2.3.

use serde::{Deserialize, Serialize};

use super::metadata::Metadata;
use super::refunds::ListedRefund;
pub use super::refunds::RefundWait;
#[cfg(feature = "schema")]
use super::schema::Minutes;
use super::texts::{
    AmountText, BusinessId, ClientId, CurrencyCode, DepositId, DescriptionText, FiatCode, Locale,
    NetworkCode, PaymentId, Time, Url,
};
use super::words::{Word, words};

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
    /// Deposit `hold`: why a deposit is not credited until an operator decides.
    ///
    /// `CURRENCY`: the business does not take its currency. `NETWORK`: it is a wrapped form of the quoted currency on another network,
    /// which the business does not take. `AMOUNT`: it exceeds the ledger's maximum.
    DepositHold { Currency = "CURRENCY", Network = "NETWORK", Amount = "AMOUNT" }
}

impl DepositHold {
    /// The business does not take the coins, so the deposit is no part of the payment unless an operator releases it.
    pub fn is_foreign(self) -> bool {
        match self {
            Self::Currency | Self::Network => true,
            Self::Amount => false,
        }
    }
}

words! {
    /// `overpaymentPolicy` of a business or a payment.
    OverpaymentPolicy { ExcessRefund = "EXCESS_REFUND", Process = "PROCESS" }
}

words! {
    /// `refundAddress` of a business. `PAYER`: an automatic refund waits until the payer says that it came from their own wallet, or names
    /// another address. `SENDER`: it goes back where it came from at once, also to an exchange.
    RefundAddress { Payer = "PAYER", Sender = "SENDER" }
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

/// A payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// Identifier of the payment.
    pub payment_id: PaymentId,
    /// Your id of the payment, unique per business.
    pub client_payment_id: ClientId,
    /// Identifier of the business. Missing in answers to session tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub business_id: Option<BusinessId>,
    /// State of the payment.
    pub status: Word<PaymentStatus>,
    /// `ONE_TIME` payments expire; `REUSABLE` ones never do.
    #[serde(rename = "type")]
    pub kind: Word<PaymentType>,
    /// `FIXED`: the quoted amount pays until the payment expires. `FLOATING`: it pays for 30 minutes, and the rate at the time of
    /// the deposit applies.
    pub rate_type: Word<RateType>,
    /// `BLOCKCHAIN` for crypto payments.
    pub processor_type: String,
    /// Language of the checkout page.
    pub locale: Locale,
    /// Fiat currency of the price.
    pub display_currency: FiatCode,
    /// Cryptocurrency of the deposit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_currency: Option<CurrencyCode>,
    /// Network of the deposit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_network: Option<NetworkCode>,
    /// Price in the cryptocurrency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_deposit_amount: Option<AmountText>,
    /// Price in the display currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_display_amount: Option<AmountText>,
    /// Price in EUR.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_uniform_amount: Option<AmountText>,
    /// Sum of the deposits in the cryptocurrency.
    pub actual_deposit_amount: AmountText,
    /// Sum of the deposits in the display currency.
    pub actual_display_amount: AmountText,
    /// Sum of the deposits in EUR.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual_uniform_amount: Option<AmountText>,
    /// Minutes until the payment expires; 0 means 7 days. `REUSABLE` payments never expire.
    #[cfg_attr(feature = "schema", schemars(with = "Minutes"))]
    pub expiration_minutes: u32,
    /// Time of creation.
    pub payment_initiated_at: Time,
    /// Time at which the payer chose currency and network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_requested_at: Option<Time>,
    /// Address for the deposit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wallet_address: Option<String>,
    /// The deposits of the payment, the first one first. Of more than 100, the newest 100; the sums and the status are those of
    /// all.
    pub deposits: Vec<Deposit>,
    /// The earlier deposits, newest first. Present when there are more than 100 deposits: a path on this server with a query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposits_url: Option<String>,
    /// Where the payer returns to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<Url>,
    /// Handling of an excess: it is refunded (`EXCESS_REFUND`) or credited (`PROCESS`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overpayment_policy: Option<Word<OverpaymentPolicy>>,
    /// Whether a deposit to a paid `ONE_TIME` payment is refunded in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund_follow_up_deposits_for_one_time_payments: Option<bool>,
    /// Destination tag (XRP) or memo (XLM). A deposit without it cannot be matched to the payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destination_tag: Option<String>,
    /// When you cancelled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled_at: Option<Time>,
    /// When you accepted what had arrived as the price. Missing if one of these deposits does not stand any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_at: Option<Time>,
    /// Your description of the payment. Missing in answers to session tokens.
    #[serde(default, skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub description: Option<DescriptionText>,
    /// Your own facts about the payment. Missing in answers to session tokens.
    #[serde(default, skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
    /// The refunds that the merchant asked for, the first one first. Missing if there are none, and in answers to session tokens.
    #[serde(default, skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub refunds: Vec<ListedRefund>,
}

/// A transfer to the address of a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct Deposit {
    /// Identifier of the deposit.
    pub id: DepositId,
    /// Amount in the cryptocurrency.
    pub deposit_amount: AmountText,
    /// Cryptocurrency of the deposit.
    pub deposit_currency: CurrencyCode,
    /// Time at which the transfer was first seen.
    pub deposit_received_at: Time,
    /// Value in the display currency when it was received. `0` while it is being valued.
    pub display_amount: AmountText,
    /// Fiat currency of the display amount.
    pub display_currency: FiatCode,
    /// `true` while there is no rate: the deposit is neither credited nor reported, and the payment does not expire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub being_valued: Option<bool>,
    /// `UNCONFIRMED` until the transfer has the confirmations that it needs, then `CONFIRMED`.
    pub status: Word<DepositStatus>,
    /// Blocks that confirm it, its own included, at most `requiredConfirmations`. Missing when one is enough, and of a deposit that is
    /// held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmations: Option<u64>,
    /// How many it needs to become `CONFIRMED`, by its network and its amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_confirmations: Option<u64>,
    /// Address of the sender.
    pub from_address: String,
    /// Address of the payment.
    pub to_address: String,
    /// Transaction on the chain.
    pub transaction_id: String,
    /// Network fee that the sender paid, in the main coin of the chain.
    pub on_chain_fee: AmountText,
    /// Why the deposit is held. A held deposit is not credited until an operator releases it. One in a currency that the
    /// business does not take changes neither the status nor the choices of the payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<Word<DepositHold>>,
    /// Refund of an overpayment or of a follow-up deposit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refund: Option<Refund>,
}

/// The part of a deposit that is paid back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    /// `PARTIAL`: the excess. `FULL`: the whole follow-up deposit.
    #[serde(rename = "type")]
    pub kind: Word<RefundType>,
    /// `PENDING` until the deposit and the refund are confirmed. `NON_REFUNDABLE` when it is not worth its fee.
    pub status: Word<RefundStatus>,
    /// Why it is refunded.
    pub reason: Word<RefundReason>,
    /// Amount in the cryptocurrency.
    pub amount: AmountText,
    /// On-chain fee in the cryptocurrency.
    pub fee: AmountText,
    /// Fiat currency of the display amounts.
    pub display_currency: FiatCode,
    /// Amount in the display currency.
    pub display_amount: AmountText,
    /// On-chain fee in the display currency.
    pub display_fee: AmountText,
    /// Transaction of the refund.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction_id: Option<String>,
    /// Time at which the refund was confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_at: Option<Time>,
    /// Present while nothing is sent, because nobody knows an address that reaches the payer (`ADDRESS`) or the payment had its
    /// automatic refunds of the day (`APPROVAL`). The money stays owed to the payer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_for: Option<Word<RefundWait>>,
    /// Why it waits, such as `UNCONFIRMED_SENDER`, `CONTRACT` or `TAG_REQUIRED`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_reason: Option<String>,
}
