//! How far a payment, its deposits and its refunds are. Events are the difference between before and after a change: the same change
//! again has none.

use std::collections::{BTreeMap, BTreeSet};

use checkout_wire::PaymentStatus;
use checkout_wire::payment::RefundWait;
use uuid::Uuid;

use super::PaymentWithDeposits;
use super::deposit::Deposit;
use super::refund::Refund;
use super::refund_phase::{End, Phase, Step};
use crate::business::events::EventType;
use crate::chain::OutputState;
use crate::chain::screening::Screening;

/// How far a deposit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepositStage {
    /// Not seen, dropped, or refused.
    Gone,
    /// Not confirmed, not screened, or being valued.
    Seen,
    /// An operator decides.
    Held,
    Confirmed,
}

/// How far a refund is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundStage {
    /// It will be sent.
    Planned,
    Waiting(RefundWait),
    Sent,
    Confirmed,
    /// It pays nothing: refused, or not worth its fee.
    Failed,
    Cancelled,
}

/// Why a deposit does not count any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reversal {
    /// The chain does not have it any more.
    Vanished,
    /// It waits for another block.
    Reorganised,
    /// An operator refused it.
    Refused,
}

/// The subject of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    Payment,
    Deposit(Uuid, Option<Reversal>),
    Refund(Uuid),
    /// An automatic refund, as it was before it was dropped.
    Dropped(Box<Refund>),
}

/// A payment before a change.
#[derive(Clone, Debug)]
pub struct Stages {
    status: PaymentStatus,
    deposits: BTreeMap<Uuid, DepositStage>,
    refunds: BTreeMap<Uuid, RefundStage>,
    automatic: Vec<Refund>,
}

impl Stages {
    pub fn of(record: &PaymentWithDeposits) -> Self {
        let automatic = record.deposits.iter().filter_map(|deposit| record.refund(deposit.id));
        Self {
            status: record.payment.status,
            deposits: record.deposits.iter().map(|deposit| (deposit.id, deposit.stage())).collect(),
            refunds: refunds(record).collect(),
            automatic: automatic.cloned().collect(),
        }
    }

    /// The stage of a deposit that changed before the others.
    pub fn set_deposit(&mut self, deposit: Uuid, stage: DepositStage) {
        self.deposits.insert(deposit, stage);
    }

    /// The events since, in order.
    pub fn events(self, after: &PaymentWithDeposits) -> Vec<(EventType, Subject)> {
        let mut events = Vec::new();
        for deposit in &after.deposits {
            let before = self.deposits.get(&deposit.id).copied().unwrap_or(DepositStage::Gone);
            let event = deposit_event(before, deposit.stage());
            let reversal = (event == Some(EventType::DepositReversed)).then(|| reversal(deposit));
            events.extend(event.map(|event| (event, Subject::Deposit(deposit.id, reversal))));
        }
        if self.status != after.payment.status {
            events.push((EventType::PaymentStatus, Subject::Payment));
        }
        let mut known = BTreeSet::new();
        for (id, stage) in refunds(after) {
            known.insert(id);
            let now = refund_events(self.refunds.get(&id).copied(), stage);
            events.extend(now.into_iter().flatten().map(|event| (event, Subject::Refund(id))));
        }
        let dropped = self.automatic.into_iter().filter(|refund| !known.contains(&refund.id));
        let dropped = dropped.filter(|refund| refund.stage().is_some_and(|was| was != RefundStage::Failed));
        events.extend(dropped.map(|refund| (EventType::RefundCancelled, Subject::Dropped(Box::new(refund)))));
        events
    }
}

impl Deposit {
    pub fn stage(&self) -> DepositStage {
        if !self.stands() {
            DepositStage::Gone
        } else if self.screening.is_held() {
            DepositStage::Held
        } else if self.is_confirmed() && !self.being_valued {
            DepositStage::Confirmed
        } else {
            DepositStage::Seen
        }
    }
}

impl Refund {
    fn stage(&self) -> Option<RefundStage> {
        Some(match &self.phase {
            Phase::Dropped(_) => return None,
            Phase::NeedsAddress { .. } => RefundStage::Waiting(RefundWait::Address),
            // What is refused is blocked soon.
            Phase::AboveLimit(_) | Phase::Claimed(_) | Phase::Refused(_) => {
                RefundStage::Waiting(RefundWait::Approval)
            }
            Phase::Leaving(Step::Queued | Step::Signed, _) => RefundStage::Planned,
            Phase::Leaving(Step::Sent, _) => RefundStage::Sent,
            Phase::Leaving(Step::Confirmed, _) => RefundStage::Confirmed,
            Phase::Ended(End::Cancelled, _) => RefundStage::Cancelled,
            Phase::Ended(End::NotWorthItsFee | End::Failed | End::Blocked, _) => RefundStage::Failed,
        })
    }
}

fn refunds(record: &PaymentWithDeposits) -> impl Iterator<Item = (Uuid, RefundStage)> {
    record.refunds().filter_map(|refund| Some((refund.id, refund.stage()?)))
}

fn deposit_event(before: DepositStage, after: DepositStage) -> Option<EventType> {
    use DepositStage::{Confirmed, Gone, Held, Seen};
    match (before, after) {
        (Gone, Gone) | (Seen, Seen) | (Held, Held) | (Confirmed, Confirmed) => None,
        (_, Held) => Some(EventType::DepositHeld),
        (_, Confirmed) => Some(EventType::DepositConfirmed),
        (Gone | Held, Seen) => Some(EventType::DepositSeen),
        (Confirmed, Seen) | (_, Gone) => Some(EventType::DepositReversed),
    }
}

fn reversal(after: &Deposit) -> Reversal {
    match (after.screening, after.state) {
        (_, OutputState::Vanished) => Reversal::Vanished,
        (Screening::Refused, _) => Reversal::Refused,
        (_, OutputState::Unconfirmed | OutputState::Included | OutputState::Confirmed) => {
            Reversal::Reorganised
        }
    }
}

/// One event, or that it was created and another one.
fn refund_events(before: Option<RefundStage>, after: RefundStage) -> [Option<EventType>; 2] {
    use RefundStage::{Cancelled, Confirmed, Failed, Planned, Sent, Waiting};
    let event = match after {
        Planned => None,
        Waiting(_) => Some(EventType::RefundWaiting),
        Sent => Some(EventType::RefundSent),
        Confirmed => Some(EventType::RefundConfirmed),
        Failed => Some(EventType::RefundFailed),
        Cancelled => Some(EventType::RefundCancelled),
    };
    match (before, after) {
        (Some(before), after) if before == after => [None, None],
        (Some(Waiting(RefundWait::Approval)), Planned) => [Some(EventType::RefundApproved), None],
        (Some(Waiting(RefundWait::Address)), Planned) => [Some(EventType::RefundAddressed), None],
        // One that failed is planned anew when another deposit is in excess.
        (None | Some(Failed | Cancelled), _) => [Some(EventType::RefundCreated), event],
        (Some(_), _) => [event, None],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DepositStage::{Confirmed, Gone, Held, Seen};

    #[test]
    fn deposits() {
        let check = |before, expected: [(DepositStage, &str); 4]| {
            for (after, expected) in expected {
                let have = deposit_event(before, after).map_or("", EventType::name);
                assert_eq!(have, expected, "{before:?} {after:?}");
            }
        };
        let confirmed = (Confirmed, "deposit.confirmed");
        let gone = (Gone, "deposit.reversed");
        let held = (Held, "deposit.held");
        check(Gone, [(Gone, ""), (Seen, "deposit.seen"), held, confirmed]);
        check(Seen, [gone, (Seen, ""), held, confirmed]);
        check(Held, [gone, (Seen, "deposit.seen"), (Held, ""), confirmed]);
        check(Confirmed, [gone, (Seen, "deposit.reversed"), held, (Confirmed, "")]);
    }

    #[test]
    fn refunds() {
        use RefundStage::{Cancelled, Confirmed, Failed, Planned, Sent, Waiting};
        let check = |before: Option<RefundStage>, after, expected: &[&str]| {
            let have: Vec<_> =
                refund_events(before, after).into_iter().flatten().map(EventType::name).collect();
            assert_eq!(have, expected, "{before:?} {after:?}");
        };
        let (address, approval) = (Waiting(RefundWait::Address), Waiting(RefundWait::Approval));
        check(None, Planned, &["refund.created"]);
        check(None, address, &["refund.created", "refund.waiting"]);
        check(None, Failed, &["refund.created", "refund.failed"]);
        check(Some(address), address, &[]);
        check(Some(address), approval, &["refund.waiting"]);
        check(Some(address), Planned, &["refund.addressed"]);
        check(Some(approval), Planned, &["refund.approved"]);
        check(Some(approval), Failed, &["refund.failed"]);
        check(Some(Planned), Sent, &["refund.sent"]);
        check(Some(Sent), Planned, &[]);
        check(Some(Sent), Confirmed, &["refund.confirmed"]);
        check(Some(Confirmed), Sent, &["refund.sent"]);
        check(Some(Sent), address, &["refund.waiting"]);
        check(Some(Confirmed), Failed, &["refund.failed"]);
        check(Some(Failed), Planned, &["refund.created"]);
        check(Some(Planned), Cancelled, &["refund.cancelled"]);
    }
}
