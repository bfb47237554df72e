//! A callback: what a merchant is told, and how far the telling got.

pub mod deposit_received;
pub mod number;
pub mod schedule;
pub mod signature;
pub mod withdrawal_ended;

use uuid::Uuid;

/// What a callback tells of. Together with the subject's id it is told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Deposit,
    Withdrawal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// To be sent, for the first time or again.
    Pending,
    /// What it tells is not true at the moment: the deposit left the chain before anybody was told.
    Held,
    /// The merchant took it.
    Delivered,
    /// Every attempt failed, or the merchant wants no more of it.
    Failed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    /// The `webhook-id`, the same on every attempt.
    pub id: Uuid,
    pub business: Uuid,
    pub kind: Kind,
    /// The deposit or the withdrawal.
    pub subject: Uuid,
    /// The very bytes of every attempt.
    pub body: String,
    pub created_at: u64,
    pub state: State,
    /// Attempts that were begun.
    pub attempts: u32,
    /// Attempts that failed since it was first due or sent again by hand: the place in the schedule.
    pub failures: u32,
    /// When the next attempt is due; while an attempt is going on, when it is given up for lost.
    pub due_at: Option<u64>,
}

/// One attempt, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub number: u32,
    pub started_at: u64,
    pub url: Option<String>,
    /// `None` while it goes on, and for ever when the process died in it.
    pub ended: Option<Ended>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    pub millis: u64,
    pub outcome: Outcome,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The endpoint answered with this HTTP status.
    Answered { status: u16 },
    /// No answer; a sentence says why.
    Unanswered { reason: String },
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Deposit, Self::Withdrawal];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deposit => "DEPOSIT",
            Self::Withdrawal => "WITHDRAWAL",
        }
    }

    pub fn known(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl State {
    pub const ALL: [Self; 4] = [Self::Pending, Self::Held, Self::Delivered, Self::Failed];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Held => "HELD",
            Self::Delivered => "DELIVERED",
            Self::Failed => "FAILED",
        }
    }

    pub fn known(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

impl Outcome {
    /// 2xx and nothing else.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Answered { status: 200..=299 })
    }
}
