//! Senders, the screening's answers and the operator's decisions, by the rules of `docs/money.md`.

use super::coins::COINS;
use super::model::{Deposit, Model, Place, Withdrawal};

/// The screening state of a deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No answer yet.
    Open,
    Passed,
    Flagged,
    /// Decided, but not applied yet.
    Releasing,
    Released,
    Refusing,
    Refused,
}

impl Verdict {
    /// The stored code.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Open => "PENDING",
            Self::Passed => "PASSED",
            Self::Flagged => "FLAGGED",
            Self::Releasing => "RELEASING",
            Self::Released => "RELEASED",
            Self::Refusing => "REFUSING",
            Self::Refused => "REFUSED",
        }
    }

    pub(super) fn is_cleared(self) -> bool {
        self == Self::Passed || self == Self::Released
    }

    /// Whether the money is held.
    pub(super) fn is_held(self) -> bool {
        !self.is_cleared() && self != Self::Open
    }

    /// A decision can be changed until the merchant is notified. A deposit that was not flagged cannot be decided.
    pub(super) fn decided(self, release: bool) -> Option<Self> {
        match (release, self) {
            (true, Self::Flagged | Self::Refusing | Self::Refused) => Some(Self::Releasing),
            (false, Self::Flagged | Self::Releasing) => Some(Self::Refusing),
            _ => None,
        }
    }
}

impl Withdrawal {
    pub(super) fn is_over(&self) -> bool {
        self.sent || self.blocked
    }
}

impl Model {
    /// The screening's current answer about a sender.
    pub(super) fn verdict(&self, coin: usize, person: usize) -> Verdict {
        if self.silent {
            Verdict::Open
        } else if self.flags.contains(&(coin, person)) {
            Verdict::Flagged
        } else {
            Verdict::Passed
        }
    }

    /// Returns every deposit as the indexes of payment and deposit.
    pub(super) fn all_deposits(&self) -> Vec<(usize, usize)> {
        let payments = self.payments.iter().enumerate();
        payments
            .flat_map(|(at, payment)| (0..payment.deposits.len()).map(move |deposit| (at, deposit)))
            .collect()
    }

    pub(super) fn deposit(&mut self, (payment, deposit): (usize, usize)) -> &mut Deposit {
        &mut self.payments[payment].deposits[deposit]
    }

    /// Advances one deposit as far as possible.
    pub(super) fn screen(&mut self, at: (usize, usize)) {
        let transfer = self.deposit(at).transfer;
        let next = match self.deposit(at).verdict {
            Verdict::Open => self.verdict(self.transfers[transfer].coin, self.transfers[transfer].from),
            Verdict::Releasing => Verdict::Released,
            Verdict::Refusing => Verdict::Refused,
            _ => return,
        };
        if next == Verdict::Open {
            return;
        }
        let event = self.payments[at.0].next_event();
        let deposit = self.deposit(at);
        deposit.verdict = next;
        deposit.confirmed = deposit.is_confirmed().then_some(event);
        self.counts.flagged += u64::from(next == Verdict::Flagged);
        self.counts.released += u64::from(next == Verdict::Released);
        self.counts.kept += u64::from(next == Verdict::Refused);
        self.plan_refunds(at.0);
    }

    /// Applies an operator's decision. Returns false if there is nothing to decide.
    pub(super) fn decide(&mut self, at: (usize, usize), release: bool) -> bool {
        let deposit = self.deposit(at);
        let (before, next) = (deposit.verdict, deposit.verdict.decided(release));
        deposit.verdict = next.unwrap_or(before);
        self.counts.too_late += u64::from(next.is_none());
        self.counts.minds_changed += u64::from(next.is_some() && before == Verdict::Refused);
        next.is_some()
    }

    /// Coins and people of pending or mined deposits, for messages.
    pub(super) fn describe(&self, (payment, deposit): (usize, usize)) -> String {
        let deposit = &self.payments[payment].deposits[deposit];
        let transfer = &self.transfers[deposit.transfer];
        let gone = if deposit.place == Place::Gone { ", gone" } else { "" };
        format!("{} from {}{gone}", transfer.id, COINS[transfer.coin].people[transfer.from])
    }
}
