//! The states of a payout, and the steps between them. A step that is not possible from a state is `None`.

use checkout_core::Amount;

use super::{Payout, Signed};

crate::words! {
    /// The word for a state. Each step is stored before the next one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Progress {
        Unaddressed = "UNADDRESSED",
        Waiting = "WAITING",
        Signed = "SIGNED",
        Sent = "SENT",
        Confirmed = "CONFIRMED",
        Final = "FINAL",
        Cancelled = "CANCELLED",
        Failed = "FAILED",
        Reverted = "REVERTED",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PayoutState {
    /// Reserved, without an address.
    Unaddressed,
    /// Reserved; no transaction yet.
    Waiting,
    /// The signed bytes are stored; they may be on the chain.
    Signed(Versions),
    /// The network accepted one of them. `shown`: what the merchant was told.
    Sent { versions: Versions, shown: Signed },
    /// In a block that can still leave the chain; then it is `Sent` again.
    Confirmed { versions: Versions, by: Signed, at: u64 },
    /// In a final block.
    Final { transaction_id: String, at: u64 },
    /// Cancelled before it was signed.
    Cancelled,
    /// It never was on a chain and never will be.
    Failed,
    /// A final block has it, and it moved nothing.
    Reverted,
}

/// The transactions that were signed for a payout. The chain takes one of them at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    pub first: Signed,
    /// In the order in which they were signed.
    pub later: Vec<Signed>,
    /// Since when the newest waits for a block.
    pub pending_since: u64,
    /// Since when its fee is at the configured maximum.
    pub capped_at: Option<u64>,
}

impl Versions {
    pub fn newest(&self) -> &Signed {
        self.later.last().unwrap_or(&self.first)
    }

    /// In the order in which they were signed.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = &Signed> {
        std::iter::once(&self.first).chain(&self.later)
    }
}

impl PayoutState {
    pub const fn word(&self) -> Progress {
        match self {
            Self::Unaddressed => Progress::Unaddressed,
            Self::Waiting => Progress::Waiting,
            Self::Signed(_) => Progress::Signed,
            Self::Sent { .. } => Progress::Sent,
            Self::Confirmed { .. } => Progress::Confirmed,
            Self::Final { .. } => Progress::Final,
            Self::Cancelled => Progress::Cancelled,
            Self::Failed => Progress::Failed,
            Self::Reverted => Progress::Reverted,
        }
    }

    pub const fn versions(&self) -> Option<&Versions> {
        match self {
            Self::Signed(versions) | Self::Sent { versions, .. } | Self::Confirmed { versions, .. } => {
                Some(versions)
            }
            Self::Unaddressed
            | Self::Waiting
            | Self::Final { .. }
            | Self::Cancelled
            | Self::Failed
            | Self::Reverted => None,
        }
    }
}

impl Payout {
    pub fn is_waiting(&self) -> bool {
        self.state == PayoutState::Waiting
    }

    fn into(self, state: PayoutState) -> Self {
        Self { state, ..self }
    }

    /// It gets its address, and can be signed.
    pub fn addressed(self, to: String, tag: Option<String>) -> Option<Self> {
        let is_free = self.state == PayoutState::Unaddressed && self.hold.is_free();
        is_free.then_some(Self { to, tag, state: PayoutState::Waiting, ..self })
    }

    pub fn with_amount(self, amount: Amount) -> Option<Self> {
        self.is_waiting().then_some(Self { amount, ..self })
    }

    pub fn signed(self, first: Signed, now: u64) -> Option<Self> {
        let versions = Versions { first, later: Vec::new(), pending_since: now, capped_at: None };
        (self.is_waiting() && self.hold.is_free()).then(|| self.into(PayoutState::Signed(versions)))
    }

    /// It waits again, because its transaction can never be included.
    pub fn unsigned(self) -> Option<Self> {
        matches!(self.state, PayoutState::Signed(_)).then(|| self.into(PayoutState::Waiting))
    }

    /// The network has one of its transactions.
    pub fn sent(self, shown: &Signed) -> Option<Self> {
        let PayoutState::Signed(versions) = self.state.clone() else { return None };
        Some(self.into(PayoutState::Sent { versions, shown: shown.clone() }))
    }

    fn with_versions(self, change: impl FnOnce(Versions) -> Option<Versions>) -> Option<Self> {
        let state = match self.state.clone() {
            PayoutState::Signed(versions) => PayoutState::Signed(change(versions)?),
            PayoutState::Sent { versions, shown } => PayoutState::Sent { versions: change(versions)?, shown },
            PayoutState::Unaddressed
            | PayoutState::Waiting
            | PayoutState::Confirmed { .. }
            | PayoutState::Final { .. }
            | PayoutState::Cancelled
            | PayoutState::Failed
            | PayoutState::Reverted => return None,
        };
        Some(self.into(state))
    }

    /// A transaction with a higher fee replaces the newest.
    pub fn replaced(self, replacement: Signed, now: u64) -> Option<Self> {
        self.with_versions(|Versions { first, mut later, .. }| {
            later.push(replacement);
            Some(Versions { first, later, pending_since: now, capped_at: None })
        })
    }

    /// The fee of the newest is at its maximum.
    pub fn capped(self, now: u64) -> Option<Self> {
        self.with_versions(|versions| {
            let is_news = versions.capped_at.is_none();
            is_news.then_some(Versions { capped_at: Some(now), ..versions })
        })
    }

    /// A block has one of its transactions; after a reorganisation it can be another one.
    pub fn confirmed(self, by: &Signed, at: u64) -> Option<Self> {
        let versions = match self.state.clone() {
            PayoutState::Sent { versions, .. } => versions,
            PayoutState::Confirmed { versions, by: known, .. } if known != *by => versions,
            _ => return None,
        };
        Some(self.into(PayoutState::Confirmed { versions, by: by.clone(), at }))
    }

    /// Its block left the chain.
    pub fn unconfirmed(self, now: u64) -> Option<Self> {
        let PayoutState::Confirmed { versions, by: shown, .. } = self.state.clone() else { return None };
        let versions = Versions { pending_since: now, capped_at: None, ..versions };
        Some(self.into(PayoutState::Sent { versions, shown }))
    }

    pub fn settled(self) -> Option<Self> {
        let PayoutState::Confirmed { by, at, .. } = &self.state else { return None };
        let state = PayoutState::Final { transaction_id: by.transaction_id.clone(), at: *at };
        Some(self.into(state))
    }

    /// Nobody wants it any more.
    pub fn cancelled(self) -> Option<Self> {
        let is_unsigned = matches!(self.state, PayoutState::Waiting | PayoutState::Unaddressed);
        (is_unsigned && self.may_end()).then(|| self.into(PayoutState::Cancelled))
    }

    /// It can never be sent.
    pub fn failed(self) -> Option<Self> {
        match self.state {
            PayoutState::Waiting if self.may_end() => Some(self.into(PayoutState::Failed)),
            PayoutState::Signed(_) => Some(self.into(PayoutState::Failed)),
            _ => None,
        }
    }

    /// A final block has it, and nothing moved.
    pub fn reverted(self) -> Option<Self> {
        matches!(self.state, PayoutState::Sent { .. }).then(|| self.into(PayoutState::Reverted))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::chain::payout::fixture::payout;
    use crate::chain::payout::hold::Hold;

    fn version(number: u8) -> Signed {
        Signed { transaction_id: format!("version-{number}"), bytes: vec![number], sequence: None }
    }

    fn in_state(word: Progress) -> Payout {
        let versions =
            Versions { first: version(1), later: vec![version(2)], pending_since: 5, capped_at: None };
        let state = match word {
            Progress::Unaddressed => PayoutState::Unaddressed,
            Progress::Waiting => PayoutState::Waiting,
            Progress::Signed => PayoutState::Signed(versions),
            Progress::Sent => PayoutState::Sent { versions, shown: version(1) },
            Progress::Confirmed => PayoutState::Confirmed { versions, by: version(2), at: 6 },
            Progress::Final => PayoutState::Final { transaction_id: "version-2".to_owned(), at: 6 },
            Progress::Cancelled => PayoutState::Cancelled,
            Progress::Failed => PayoutState::Failed,
            Progress::Reverted => PayoutState::Reverted,
        };
        Payout { state, ..payout() }
    }

    /// From which states a step is possible, and to which it goes.
    #[test]
    fn steps() {
        use Progress::{Cancelled, Confirmed, Failed, Final, Reverted, Sent, Signed, Unaddressed, Waiting};
        let check = |name: &str,
                     step: &dyn Fn(Payout) -> Option<Payout>,
                     expected: &[(Progress, Progress)]| {
            for from in Progress::ALL {
                let before = in_state(from);
                let after = step(before.clone());
                let expected = expected.iter().find(|(known, _)| *known == from).map(|(_, to)| *to);
                assert_eq!(after.as_ref().map(|after| after.state.word()), expected, "{name} from {from:?}");
                let is_other = after.is_some_and(|after| {
                    (after.id, after.business, after.revision, after.hold)
                        != (before.id, before.business, before.revision, before.hold)
                });
                assert!(!is_other, "{name} from {from:?}");
            }
        };
        check("address", &|payout| payout.addressed("there".to_owned(), None), &[(Unaddressed, Waiting)]);
        check("amount", &|payout| payout.with_amount(Amount::ZERO), &[(Waiting, Waiting)]);
        check("sign", &|payout| payout.signed(version(1), 7), &[(Waiting, Signed)]);
        check("unsign", &Payout::unsigned, &[(Signed, Waiting)]);
        check("send", &|payout| payout.sent(&version(2)), &[(Signed, Sent)]);
        check("replace", &|payout| payout.replaced(version(3), 7), &[(Signed, Signed), (Sent, Sent)]);
        check("cap", &|payout| payout.capped(7), &[(Signed, Signed), (Sent, Sent)]);
        check("confirm", &|payout| payout.confirmed(&version(2), 7), &[(Sent, Confirmed)]);
        let other = |payout: Payout| payout.confirmed(&version(1), 7);
        check("confirm another", &other, &[(Sent, Confirmed), (Confirmed, Confirmed)]);
        check("unconfirm", &|payout| payout.unconfirmed(7), &[(Confirmed, Sent)]);
        check("settle", &Payout::settled, &[(Confirmed, Final)]);
        check("cancel", &Payout::cancelled, &[(Unaddressed, Cancelled), (Waiting, Cancelled)]);
        check("fail", &Payout::failed, &[(Waiting, Failed), (Signed, Failed)]);
        check("revert", &Payout::reverted, &[(Sent, Reverted)]);
    }

    #[test]
    fn what_a_replacement_changes() {
        let capped = in_state(Progress::Sent).capped(7).unwrap();
        assert_eq!(capped.state.versions().unwrap().capped_at, Some(7));
        assert_eq!(capped.clone().capped(8), None, "it is known");
        let replaced = capped.replaced(version(3), 9).unwrap();
        let expected = Versions {
            first: version(1),
            later: vec![version(2), version(3)],
            pending_since: 9,
            capped_at: None,
        };
        assert_eq!(replaced.state, PayoutState::Sent { versions: expected, shown: version(1) });
    }

    /// The merchant was told of the transaction that confirmed.
    #[test]
    fn a_reorganisation_keeps_what_was_shown() {
        let sent = in_state(Progress::Confirmed).unconfirmed(9).unwrap();
        let versions =
            Versions { first: version(1), later: vec![version(2)], pending_since: 9, capped_at: None };
        assert_eq!(sent.state, PayoutState::Sent { versions, shown: version(2) });
        let settled = in_state(Progress::Confirmed).settled().unwrap();
        assert_eq!(settled.state, PayoutState::Final { transaction_id: "version-2".to_owned(), at: 6 });
    }

    #[test]
    fn what_is_held_is_neither_signed_nor_ended() {
        let why = || "it may have been sent".to_owned();
        let held = [
            Hold::Unasked,
            Hold::Held { why: why() },
            Hold::SentBy { transaction: "first".to_owned(), why: why() },
        ];
        for hold in held {
            let payout = Payout { hold, id: Uuid::from_u128(3), ..in_state(Progress::Waiting) };
            assert_eq!(payout.clone().signed(version(1), 7), None, "{:?}", payout.hold);
            assert_eq!(payout.clone().cancelled(), None, "{:?}", payout.hold);
            assert_eq!(payout.clone().failed(), None, "{:?}", payout.hold);
            let unaddressed = Payout { state: PayoutState::Unaddressed, ..payout };
            assert_eq!(
                unaddressed.clone().addressed("there".to_owned(), None),
                None,
                "{:?}",
                unaddressed.hold
            );
        }
    }
}
