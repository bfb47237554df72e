//! `GET /api/v1/ledger`: the entries of the ledger of a business, as a bare array.
//!
//! An extension: the interface has no such endpoint.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::page_query::PageQuery;
use super::texts::{
    AmountText, AssetCode, ClientId, DepositId, EntryId, PaymentId, SignedAmountText, Time, WithdrawalId,
};
use super::words::words;

words! {
    /// `event` of a ledger entry. `DEPOSIT`: a deposit was confirmed; again, if it is split anew. `DEPOSIT_REVERSED`: it left its
    /// chain, or is split anew. `REFUND`: a balance was charged for a refund that you asked for. `REFUND_RETURNED`: the money is back on it.
    /// `REFUND_SENT`: money went back to a payer. `REFUND_REVERSED`: its transaction moved nothing.
    /// `WITHDRAWAL`: a balance was charged. `WITHDRAWAL_RETURNED`: the money is back on it. `WITHDRAWAL_SENT`: it went to the chain.
    /// `WITHDRAWAL_REVERSED`: its transaction moved nothing.
    LedgerEvent {
        Deposit = "DEPOSIT", DepositReversed = "DEPOSIT_REVERSED", Refund = "REFUND", RefundReturned = "REFUND_RETURNED", RefundSent = "REFUND_SENT",
        RefundReversed = "REFUND_REVERSED", Withdrawal = "WITHDRAWAL", WithdrawalReturned = "WITHDRAWAL_RETURNED",
        WithdrawalSent = "WITHDRAWAL_SENT", WithdrawalReversed = "WITHDRAWAL_REVERSED",
    }
}

words! {
    /// `account` of a ledger line. `FIAT` and `CRYPTO`: the balances that can be withdrawn. `HELD`: deposits that an operator holds.
    /// `REFUNDS`, `WITHDRAWALS`: money on its way out. `FEES`: service fees. `COSTS`: chain fees charged. `CHAIN`: minus what came
    /// from the chains, plus what went to them. `EXCHANGE`: plus what was given in conversions, minus what was taken.
    LedgerAccount {
        Chain = "CHAIN", Exchange = "EXCHANGE", Fiat = "FIAT", Crypto = "CRYPTO", Fees = "FEES", Costs = "COSTS",
        Refunds = "REFUNDS", Withdrawals = "WITHDRAWALS", Held = "HELD",
    }
}

/// The query of the list. An entry is listed if all that is given fits.
#[cfg(feature = "schema")]
#[derive(Debug, schemars::JsonSchema)]
#[schemars(inline, rename_all = "camelCase")]
pub struct ListLedger {
    /// Identifier of the business. Required with an organisation key.
    #[schemars(with = "super::texts::BusinessId", skip_serializing_if = "Option::is_none")]
    pub business_id: Option<String>,
    /// Only entries of this payment.
    #[schemars(with = "PaymentId", skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<String>,
    /// Only entries booked at this time or later.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Only entries booked before this time.
    #[schemars(with = "Time", skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    #[schemars(flatten)]
    pub page: PageQuery<EntryId>,
}

/// A booking. Its lines add up to zero in each currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct LedgerEntry {
    /// Identifier of the entry.
    pub entry_id: EntryId,
    /// Time of the booking.
    pub booked_at: Time,
    /// The cause of the entry.
    pub event: LedgerEvent,
    /// The payment that the money belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<PaymentId>,
    /// Your id of that payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_payment_id: Option<ClientId>,
    /// The deposit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit_id: Option<DepositId>,
    /// The withdrawal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawal_id: Option<WithdrawalId>,
    /// Your id of that withdrawal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_withdrawal_id: Option<ClientId>,
    /// The changes of balances.
    pub lines: Vec<LedgerLine>,
}

/// A change of one account in one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema::never_null))]
#[serde(rename_all = "camelCase")]
pub struct LedgerLine {
    /// The account that changes.
    pub account: LedgerAccount,
    /// Currency of the amount.
    pub currency: AssetCode,
    /// Change of the balance of this account in this currency.
    pub amount: SignedAmountText,
    /// EUR per whole coin, by which the entry was booked: for a deposit when it was first seen, else at the time of the booking. An entry
    /// that takes another one back has its rate. Missing if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniform_rate: Option<AmountText>,
    /// The amount in EUR at that rate, rounded toward zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniform_amount: Option<SignedAmountText>,
}
