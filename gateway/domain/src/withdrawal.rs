//! A stored withdrawal.

pub mod approved;
pub mod filter;
pub mod looser;
pub mod may_leave;
pub mod rules;
pub mod whitelist;

use checkout_core::{Amount, Decimal, Pair};
use checkout_wire::create_withdrawal::{TargetPolicy, WithdrawalAccount, WithdrawalStatus};
use uuid::Uuid;

use crate::access::actor::Actor;
use crate::chain::payout::Purpose;
use crate::chain::screening::AddressOwner;
use crate::ids::{BusinessId, PaymentId};
use crate::ledger::Account;
use crate::ledger::cause::Cause;
use crate::ledger::money::Money;
use crate::rates::fiat::Fiat;
use crate::withdrawal::approved::Approved;
use crate::withdrawal::may_leave::Why;
use crate::withdrawal::rules::Approval;

/// The kind of those who act for all businesses.
pub const ORGANISATION_KEY: &str = "ORGANISATION_KEY";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    pub id: Uuid,
    pub business: BusinessId,
    /// What it refunds; `None` for a withdrawal of the merchant.
    pub refunds: Option<Refunded>,
    pub client_withdrawal_id: String,
    pub pair: &'static Pair,
    /// As the merchant wrote it, with `?dt=<tag>` if it has a tag.
    pub recipient: String,
    /// In normal form.
    pub to: String,
    pub tag: Option<String>,
    pub policy: TargetPolicy,
    pub account: WithdrawalAccount,
    /// The kind of credential, `BUSINESS_TOKEN` or `ORGANISATION_KEY`; `PAYER` for what a payer asked for.
    pub initiated_by: String,
    /// Who named its recipient; `None` if the payer asked for it, or a version before this field did.
    pub initiator: Option<Actor>,
    pub status: WithdrawalStatus,
    /// The amount that the recipient receives.
    pub amount: Amount,
    /// The chain fee, charged in addition to `amount`.
    pub fee: Amount,
    pub display_currency: Fiat,
    pub display_amount: Decimal,
    pub display_fee: Decimal,
    pub display_service_fee: Decimal,
    /// The total charged to the balance: amount, chain fee and service fee, in the balance's currency.
    pub deducted: Money,
    pub service_fee: Money,
    /// In EUR.
    pub uniform_amount: Decimal,
    pub uniform_service_fee: Decimal,
    /// Known once the address is screened.
    pub owner: Option<AddressOwner>,
    pub screened_at: Option<u64>,
    /// Known once the transaction is signed.
    pub transaction_id: Option<String>,
    pub created_at: u64,
    /// An operator's decision about it; `None` if it needs none.
    pub approval: Option<Approval>,
    /// What was approved.
    pub approved: Option<Approved>,
    /// What its network asks, while it waits because that is more than `fee`.
    pub asked_fee: Option<Amount>,
    /// Why it did not leave when that was tried last, but for its approval.
    pub why: Option<Why>,
}

/// What a charge refunds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refunded {
    pub payment: PaymentId,
    /// The payment was not paid: the deposits before the refund no longer pay the price.
    pub of_unpaid: bool,
    /// The deposit of which the payer asked for something; `None` if the merchant made the refund.
    pub claim_of: Option<Uuid>,
    /// The sequence number at which the last deposit before it was first seen. `None` if a version before this field stored it.
    pub after: Option<u32>,
}

/// Seconds after which what the screening said of an address is out of date.
pub const SCREENED_FOR: u64 = 86_400;

impl Withdrawal {
    /// Whether what is known of its recipient is of today.
    pub fn is_screened(&self, now: u64) -> bool {
        self.screened_at.is_some_and(|at| now < at.saturating_add(SCREENED_FOR))
    }

    /// The payment that it refunds.
    pub fn payment(&self) -> Option<PaymentId> {
        self.refunds.map(|refunded| refunded.payment)
    }

    pub fn is_of_unpaid(&self) -> bool {
        self.refunds.is_some_and(|refunded| refunded.of_unpaid)
    }

    pub fn claim_of(&self) -> Option<Uuid> {
        self.refunds.and_then(|refunded| refunded.claim_of)
    }

    /// What the payment gives back with it. The payer pays the fee of what the payer asked for, otherwise the merchant does.
    pub fn gross(&self) -> Amount {
        let fee = if self.claim_of().is_some() { self.fee } else { Amount::ZERO };
        self.amount.checked_add(fee).unwrap_or(self.amount)
    }

    /// Whether an operator has to approve it.
    pub fn waits(&self) -> bool {
        self.approval == Some(Approval::Waiting) && self.status == WithdrawalStatus::New
    }

    /// Whether this actor asked for it, or may have: what an organisation key or an operator asked for before that was stored. `maker`:
    /// who made the token with which it was asked for.
    pub fn is_of(&self, actor: &Actor, maker: Option<&Actor>) -> bool {
        match &self.initiator {
            Some(initiator) => initiator.is_same(actor, maker),
            None => self.initiated_by == ORGANISATION_KEY && *actor != Actor::CommandLine,
        }
    }

    /// Why it is not sent, once that was tried.
    pub fn waits_because(&self) -> Option<Why> {
        match self.approval {
            _ if self.status != WithdrawalStatus::New => None,
            _ if self.why == Some(Why::Held) => self.why,
            Some(Approval::Rejected) => Some(Why::Rejected),
            Some(Approval::Waiting) => Some(Why::Unapproved),
            Some(Approval::Approved) | None => self.why,
        }
    }

    /// Whether it waits until its network asks no more than its fee.
    pub fn waits_for_fee(&self) -> bool {
        self.asked_fee.is_some() && self.status == WithdrawalStatus::New
    }

    /// The cause of the ledger entry that charged the balance.
    pub fn cause(&self) -> Cause {
        if self.refunds.is_some() { Cause::MerchantRefund(self.id) } else { Cause::Withdrawal(self.id) }
    }

    /// The cause of the ledger entry that booked it to the chain.
    pub fn sent_cause(&self) -> Cause {
        if self.refunds.is_some() {
            Cause::SentMerchantRefund(self.id)
        } else {
            Cause::SentWithdrawal(self.id)
        }
    }

    /// The balance that is charged.
    pub fn balance(&self) -> Account {
        match self.account {
            WithdrawalAccount::Fiat => Account::Fiat,
            WithdrawalAccount::Crypto => Account::Crypto,
        }
    }

    /// Where the money is until it is sent.
    pub fn reserved(&self) -> Account {
        if self.refunds.is_some() { Account::Refunds } else { Account::Withdrawals }
    }

    pub fn purpose(&self) -> Purpose {
        if self.refunds.is_some() { Purpose::MerchantRefund } else { Purpose::Withdrawal }
    }
}
