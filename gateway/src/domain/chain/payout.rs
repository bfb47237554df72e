//! Money that we send: the common part of refunds and withdrawals.

use checkout_core::{Amount, Pair};
use uuid::Uuid;

/// Why it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Refund,
    Withdrawal,
}

/// How far it got. Each step is stored before the next one is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Reserved; no transaction yet.
    Waiting,
    /// The signed bytes are stored; they may be on the chain.
    Signed,
    /// The network took it.
    Sent,
    /// It is in a block, which can still leave the chain; then it is `Sent` again.
    Confirmed,
    /// It is in a block that stays.
    Final,
    /// Taken back before it was signed.
    Cancelled,
    /// It never was on a chain and never will be.
    Failed,
}

impl Progress {
    pub const WORDS: [(Self, &str); 7] = [
        (Self::Waiting, "WAITING"),
        (Self::Signed, "SIGNED"),
        (Self::Sent, "SENT"),
        (Self::Confirmed, "CONFIRMED"),
        (Self::Final, "FINAL"),
        (Self::Cancelled, "CANCELLED"),
        (Self::Failed, "FAILED"),
    ];

    pub fn as_str(self) -> &'static str {
        Self::WORDS.iter().find(|(progress, _)| *progress == self).map_or("", |(_, word)| word)
    }

    pub fn known(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(progress, _)| *progress)
    }

    /// From the signature on it cannot be called back.
    pub fn is_binding(self) -> bool {
        matches!(self, Self::Signed | Self::Sent) || self.is_confirmed()
    }

    pub fn is_confirmed(self) -> bool {
        matches!(self, Self::Confirmed | Self::Final)
    }
}

#[derive(Clone, Debug)]
pub struct Payout {
    pub id: Uuid,
    pub business: Uuid,
    pub purpose: Purpose,
    pub pair: &'static Pair,
    pub amount: Amount,
    /// In the normal form.
    pub to: String,
    pub tag: Option<String>,
    pub progress: Progress,
    pub signed: Option<Signed>,
    pub created_at: u64,
}

/// A transaction that can be broadcast any number of times and moves money once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    pub transaction_id: String,
    pub bytes: Vec<u8>,
    /// Its number, on chains where an account numbers its transactions.
    pub sequence: Option<Sequence>,
}

/// Of two transactions with one number the chain takes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The account that sends, in normal form.
    pub account: String,
    pub number: u64,
}
