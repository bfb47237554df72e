//! Whether a payout of a restored database may have been sent by the gateway that was lost.

use checkout_core::Network;

use super::state::PayoutState;
use super::{Payout, Purpose};

/// For how many seconds after a restore payouts are compared with the chain.
pub const COMPARED_FOR: u64 = 30 * 24 * 3600;

/// When the database was restored.
pub const RESTORED_AT: &str = "restored_at";

/// Why one is held on which an operator decided before the chain answered.
const NOT_ASKED: &str = "it was decided before the chain was asked";

/// The number of an account up to which all belong to known payouts of the restored database.
pub fn restored_sequence(network: Network, account: &str) -> String {
    format!("restored_sequence/{network}/{account}")
}

/// The highest number of a payout that was signed then, and not known to be sent. The lost gateway may have used the number for
/// another payout.
pub fn restored_signed(network: Network, account: &str) -> String {
    format!("restored_signed/{network}/{account}")
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hold {
    /// It was not in the backup, and nothing says that it was sent.
    Free,
    /// The chain was not asked yet.
    Unasked,
    /// An operator has to decide.
    Held { why: String },
    /// The chain does not show it.
    Cleared,
    /// An operator says that it was not sent.
    Released { why: String },
    /// An operator says that this transaction sent it.
    SentBy { transaction: String, why: String },
}

/// What an operator says of a payout that is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldDecision {
    /// It was not sent before.
    Release,
    /// This transaction sent it before.
    Sent(String),
}

impl Hold {
    /// Nothing keeps it from being signed.
    pub const fn is_free(&self) -> bool {
        matches!(self, Self::Free | Self::Cleared | Self::Released { .. })
    }
}

impl Payout {
    fn may_be_held(&self) -> bool {
        matches!(self.state, PayoutState::Waiting | PayoutState::Unaddressed)
    }

    /// The chain says that it may have been sent: that counts more than that it was not, and an operator's decision more than both.
    /// The first reason stays.
    pub fn suspected(self, why: &str) -> Option<Self> {
        let is_new = matches!(self.hold, Hold::Free | Hold::Unasked | Hold::Cleared);
        (is_new && self.may_be_held()).then(|| Self { hold: Hold::Held { why: why.to_owned() }, ..self })
    }

    /// The chain says that it was not sent.
    pub fn cleared(self) -> Option<Self> {
        (self.hold == Hold::Unasked).then_some(Self { hold: Hold::Cleared, ..self })
    }

    /// What it is held for may be known by now.
    pub fn asked_again(self) -> Option<Self> {
        let is_held = matches!(self.hold, Hold::Held { .. });
        (is_held && self.may_be_held()).then_some(Self { hold: Hold::Unasked, ..self })
    }

    /// Its own transaction may have been sent. A decision of before says nothing about what was signed since.
    pub fn doubted(self, why: &str) -> Option<Self> {
        let unsigned = self.unsigned()?;
        Some(Self { hold: Hold::Held { why: why.to_owned() }, ..unsigned })
    }

    /// An operator decides, once.
    pub fn decided(self, decision: &HoldDecision) -> Option<Self> {
        let why = match &self.hold {
            Hold::Unasked => NOT_ASKED.to_owned(),
            Hold::Held { why } => why.clone(),
            Hold::Free | Hold::Cleared | Hold::Released { .. } | Hold::SentBy { .. } => return None,
        };
        let hold = match decision {
            HoldDecision::Release => Hold::Released { why },
            HoldDecision::Sent(transaction) => Hold::SentBy { transaction: transaction.clone(), why },
        };
        self.may_be_held().then_some(Self { hold, ..self })
    }

    /// It was sent before, as an operator says.
    pub fn adopted(self, now: u64) -> Option<Self> {
        let Hold::SentBy { transaction, .. } = &self.hold else { return None };
        let state = PayoutState::Final { transaction_id: transaction.clone(), at: now };
        self.may_be_held().then_some(Self { state, ..self })
    }

    /// Whether it can end unsent. One that may have been sent waits for an operator, so that its money does not go out twice; a
    /// refund of which nothing is known yet is planned again, and compared then.
    pub(super) fn may_end(&self) -> bool {
        self.hold.is_free() || self.hold == Hold::Unasked && self.purpose == Purpose::Refund
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::payout::Signed;
    use crate::chain::payout::fixture::payout;

    const WHY: &str = "the same amount was sent to the same address before";

    fn all() -> [Hold; 6] {
        let why = || WHY.to_owned();
        [
            Hold::Free,
            Hold::Unasked,
            Hold::Held { why: why() },
            Hold::Cleared,
            Hold::Released { why: why() },
            Hold::SentBy { transaction: "first".to_owned(), why: why() },
        ]
    }

    /// The chain's answer clears only what is not held by another answer. That it may have been sent counts more than that it was not,
    /// an operator's decision more than both.
    #[test]
    fn which_answer_counts() {
        let check = |name: &str, step: &dyn Fn(Payout) -> Option<Payout>, expected: [Option<Hold>; 6]| {
            for (hold, expected) in all().into_iter().zip(expected) {
                let after = step(Payout { hold: hold.clone(), ..payout() });
                assert_eq!(after.map(|after| after.hold), expected, "{name} after {hold:?}");
            }
        };
        let held = |why: &str| Some(Hold::Held { why: why.to_owned() });
        let released = |why: &str| Some(Hold::Released { why: why.to_owned() });
        let sent = |why: &str| Some(Hold::SentBy { transaction: "T".to_owned(), why: why.to_owned() });
        let other = "another reason";
        check(
            "suspect",
            &|payout| payout.suspected(other),
            [held(other), held(other), None, held(other), None, None],
        );
        check("clear", &Payout::cleared, [None, Some(Hold::Cleared), None, None, None, None]);
        check("ask again", &Payout::asked_again, [None, None, Some(Hold::Unasked), None, None, None]);
        let release = |payout: Payout| payout.decided(&HoldDecision::Release);
        check("release", &release, [None, released(NOT_ASKED), released(WHY), None, None, None]);
        let sent_by = |payout: Payout| payout.decided(&HoldDecision::Sent("T".to_owned()));
        check("sent", &sent_by, [None, sent(NOT_ASKED), sent(WHY), None, None, None]);
    }

    /// A release is about what was sent before. It is no answer for a transaction that was signed later, which may have paid.
    #[test]
    fn held_after_a_release() {
        let first = Signed { transaction_id: "first".to_owned(), bytes: vec![1], sequence: None };
        let released = payout().suspected(WHY).unwrap().decided(&HoldDecision::Release).unwrap();
        let signed = released.signed(first, 7).unwrap();
        assert_eq!(signed.clone().suspected("it is signed"), None);
        let doubted = signed.doubted("its transaction first may have been sent").unwrap();
        let why = "its transaction first may have been sent".to_owned();
        assert_eq!((doubted.state, doubted.hold), (PayoutState::Waiting, Hold::Held { why }));
    }

    /// One that may have been sent ends by an operator's word alone. A refund of which nothing is known yet is planned again, and
    /// compared then.
    #[test]
    fn what_can_end() {
        let (refunds, others) =
            ([true, true, false, true, true, false], [true, false, false, true, true, false]);
        for ((hold, refund), withdrawal) in all().into_iter().zip(refunds).zip(others) {
            for (purpose, expected) in [
                (Purpose::Refund, refund),
                (Purpose::Withdrawal, withdrawal),
                (Purpose::MerchantRefund, withdrawal),
            ] {
                let payout = Payout { hold: hold.clone(), purpose, ..payout() };
                let name = format!("{purpose:?}, {hold:?}");
                assert_eq!(payout.clone().cancelled().is_some(), expected, "{name}");
                assert_eq!(payout.clone().failed().is_some(), expected, "{name}");
                let adopted = payout.adopted(9).map(|payout| payout.state);
                let sent = PayoutState::Final { transaction_id: "first".to_owned(), at: 9 };
                assert_eq!(adopted, matches!(hold, Hold::SentBy { .. }).then_some(sent), "{name}");
            }
        }
    }
}
