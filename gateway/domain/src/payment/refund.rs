//! The refund of one deposit.

use checkout_core::Amount;
use checkout_wire::payment::{RefundReason, RefundStatus, RefundType, RefundWait};
use uuid::Uuid;

use crate::chain::payout::{Payout, Progress};
use crate::chain::refund_address::NoRefundAddress;
use crate::withdrawal::Withdrawal;

/// The stored refund of one deposit, in atoms of the deposit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub plan: Plan,
    /// The chain fee, which the payer pays: `gross` minus this is sent.
    pub fee: Amount,
    /// `None` while it waits, and if it is not worth its fee: then the merchant keeps it.
    pub payout: Option<Transfer>,
    /// Why no transaction is made for it. The money stays owed to the payer.
    pub waits: Option<Wait>,
    /// Where the payer wants it.
    pub asked: Option<AskedAddress>,
}

/// An address that the payer named on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedAddress {
    pub to: Given,
    pub at: u64,
    /// Why the merchant refused it; may be empty.
    pub refusal: Option<String>,
}

/// Why a refund waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The sender cannot be refunded.
    Address(NoRefundAddress),
    /// An operator: the payment had as many automatic refunds as it may have in a day.
    Approval,
    /// The merchant: the payer named an address.
    Claim,
}

impl Wait {
    const LIMIT: &str = "LIMIT";
    /// The payer named an address.
    pub const CLAIM: &str = "CLAIM";

    /// As stored, and as the payment shows it.
    pub fn word(self) -> RefundWait {
        match self {
            Self::Address(_) => RefundWait::Address,
            Self::Approval | Self::Claim => RefundWait::Approval,
        }
    }

    pub fn reason(self) -> &'static str {
        match self {
            Self::Address(why) => why.as_str(),
            Self::Approval => Self::LIMIT,
            Self::Claim => Self::CLAIM,
        }
    }

    pub fn known(word: &str, reason: &str) -> Option<Self> {
        match RefundWait::known(word)? {
            RefundWait::Address => NoRefundAddress::known(reason).map(Self::Address),
            RefundWait::Approval if reason == Self::CLAIM => Some(Self::Claim),
            RefundWait::Approval => Some(Self::Approval),
        }
    }
}

/// An operator's decision about a refund that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// `None`: to the sender.
    pub to: Option<Given>,
    pub at: u64,
    /// The amount before the fee that was approved; `None` if an address alone was named.
    pub gross: Option<Amount>,
}

impl Claim {
    /// What a refund waits for that is not what was approved: a decision about where it would go, with that address.
    pub fn again(&self) -> (Wait, Option<AskedAddress>) {
        match &self.to {
            None => (Wait::Approval, None),
            Some(to) => {
                let asked = AskedAddress { to: to.clone(), at: self.at, refusal: None };
                (Wait::Claim, Some(asked))
            }
        }
    }
}

/// An address that was given for a refund, in normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub address: String,
    pub tag: Option<String>,
}

impl Given {
    /// Where a withdrawal goes.
    pub fn of(withdrawal: &Withdrawal) -> Self {
        Self { address: withdrawal.to.clone(), tag: withdrawal.tag.clone() }
    }
}

/// The transaction of a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub id: Uuid,
    pub progress: Progress,
    pub transaction_id: Option<String>,
    pub confirmed_at: Option<u64>,
    pub planned_at: u64,
}

impl Transfer {
    /// The transaction of a new payout.
    pub fn of(payout: &Payout) -> Self {
        Self {
            id: payout.id,
            progress: payout.progress,
            transaction_id: None,
            confirmed_at: None,
            planned_at: payout.created_at,
        }
    }
}

/// The refunded part of a deposit, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    pub kind: RefundType,
    pub reason: RefundReason,
    /// Including the fee.
    pub gross: Amount,
}

impl Refund {
    /// It can no longer be cancelled.
    pub fn is_binding(&self) -> bool {
        self.payout.as_ref().is_some_and(|payout| payout.progress.is_binding())
    }

    /// It is not worth its fee: the merchant keeps the money.
    pub fn is_impossible(&self) -> bool {
        self.waits.is_none() && self.payout.as_ref().is_none_or(|payout| payout.progress == Progress::Failed)
    }

    /// The payer named an address, and the merchant decides or refused it.
    pub fn is_asked(&self) -> bool {
        matches!(self.waits, Some(Wait::Claim | Wait::Address(NoRefundAddress::ClaimRefused)))
    }

    /// The merchant refused the address that the payer named, and gives another one.
    pub fn is_refused(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.refusal.is_some())
    }

    /// The amount that the merchant does not keep.
    pub fn returned(&self) -> Amount {
        if self.is_impossible() { Amount::ZERO } else { self.plan.gross }
    }

    pub fn status(&self) -> RefundStatus {
        if self.payout.as_ref().is_some_and(|payout| payout.progress.is_confirmed()) {
            RefundStatus::Confirmed
        } else if self.is_impossible() {
            RefundStatus::NonRefundable
        } else {
            RefundStatus::Pending
        }
    }
}
