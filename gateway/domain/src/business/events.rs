//! The events that a business can have sent to its `eventUrl`, and its choice among them.

use std::fmt;
use std::str::FromStr;

/// A typed event. [`ALL`](Self::ALL) has its name, its title, and when it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventType {
    PaymentStatus,
    DepositSeen,
    DepositConfirmed,
    DepositFinal,
    DepositReversed,
    DepositHeld,
    RefundCreated,
    RefundWaiting,
    RefundAddressed,
    RefundApproved,
    RefundSent,
    RefundConfirmed,
    RefundFailed,
    RefundCancelled,
    WithdrawalCreated,
    WithdrawalSent,
    WithdrawalConfirmed,
    WithdrawalReplaced,
    WithdrawalFailed,
    WithdrawalReverted,
}

/// The row of an event.
#[derive(Clone, Copy, Debug)]
pub struct AboutEvent {
    /// In the body, in requests, and as stored.
    pub name: &'static str,
    pub title: &'static str,
    /// When it is sent.
    pub description: &'static str,
}

const fn about(name: &'static str, title: &'static str, description: &'static str) -> AboutEvent {
    AboutEvent { name, title, description }
}

impl EventType {
    pub const ALL: [(Self, AboutEvent); 20] = [
        (
            Self::PaymentStatus,
            about(
                "payment.status",
                "Payment status",
                "The `status` of a payment changed. Also back: a payment whose deposits left the chain, or that was opened again. A new payment is \
                 `NEW` without an event.",
            ),
        ),
        (
            Self::DepositSeen,
            about(
                "deposit.seen",
                "Deposit seen",
                "A transfer to a payment was seen, and is in no block that counts. One that is first seen in a block has `deposit.confirmed` alone.",
            ),
        ),
        (
            Self::DepositConfirmed,
            about(
                "deposit.confirmed",
                "Deposit confirmed",
                "A deposit is confirmed and credited. After a `deposit.reversed` it can be sent again.",
            ),
        ),
        (
            Self::DepositFinal,
            about(
                "deposit.final",
                "Deposit final",
                "A confirmed deposit is as deep in its chain as `[finality]` says: it does not leave any more, and what it credited can be withdrawn.",
            ),
        ),
        (
            Self::DepositReversed,
            about(
                "deposit.reversed",
                "Deposit reversed",
                "A deposit that was reported does not count any more. `reversedFor` is `VANISHED` (it was dropped or double-spent, also an instant deposit \
                 that was credited before a block included it), `REORGANISED` (its block left the chain, and it waits for another one) or `REFUSED` (an \
                 operator did not release it).",
            ),
        ),
        (
            Self::DepositHeld,
            about(
                "deposit.held",
                "Deposit held",
                "A deposit is held until an operator decides: `heldFor` says why. It is not credited. After a release, `deposit.confirmed` or \
                 `deposit.seen` follows.",
            ),
        ),
        (
            Self::RefundCreated,
            about(
                "refund.created",
                "Refund created",
                "A refund was planned, automatically or because you or the payer asked for it. Until `refund.sent` its fee can change.",
            ),
        ),
        (
            Self::RefundWaiting,
            about(
                "refund.waiting",
                "Refund waiting",
                "A refund waits for an address or for an approval: `waitingFor` and `waitingReason` say which. `CLAIM`: the payer named `claimedAddress`, \
                 and you approve or refuse it.",
            ),
        ),
        (
            Self::RefundAddressed,
            about("refund.addressed", "Refund addressed", "A refund that waited for an address has one."),
        ),
        (
            Self::RefundApproved,
            about("refund.approved", "Refund approved", "A refund that waited for an approval has it."),
        ),
        (
            Self::RefundSent,
            about(
                "refund.sent",
                "Refund sent",
                "The network has the transaction of a refund. Sent again if its block leaves the chain.",
            ),
        ),
        (
            Self::RefundConfirmed,
            about("refund.confirmed", "Refund confirmed", "The transaction of a refund is in a block."),
        ),
        (
            Self::RefundFailed,
            about(
                "refund.failed",
                "Refund failed",
                "A refund pays nothing: its `status` is `FAILED`, `BLOCKED` or `NON_REFUNDABLE`.",
            ),
        ),
        (
            Self::RefundCancelled,
            about(
                "refund.cancelled",
                "Refund cancelled",
                "A refund was taken back before it was sent: by you, or because its deposit is no longer in excess.",
            ),
        ),
        (
            Self::WithdrawalCreated,
            about("withdrawal.created", "Withdrawal created", "A withdrawal was charged to the balance."),
        ),
        (
            Self::WithdrawalSent,
            about(
                "withdrawal.sent",
                "Withdrawal sent",
                "The network has the transaction of a withdrawal: its `status` is `COMPLETED`. Sent again if its block leaves the chain.",
            ),
        ),
        (
            Self::WithdrawalConfirmed,
            about(
                "withdrawal.confirmed",
                "Withdrawal confirmed",
                "The transaction of a withdrawal is in a block.",
            ),
        ),
        (
            Self::WithdrawalReplaced,
            about(
                "withdrawal.replaced",
                "Withdrawal replaced",
                "Another transaction of a withdrawal is in a block than the one that was reported. The recipient is paid once.",
            ),
        ),
        (
            Self::WithdrawalFailed,
            about(
                "withdrawal.failed",
                "Withdrawal failed",
                "A withdrawal is not sent: its `status` is `FAILED` or `BLOCKED`. Nothing was charged.",
            ),
        ),
        (
            Self::WithdrawalReverted,
            about(
                "withdrawal.reverted",
                "Withdrawal reverted",
                "The transaction of a withdrawal is in a final block and moved nothing: its `status` is `FAILED`. What was charged is back on the balance.",
            ),
        ),
    ];

    pub fn about(self) -> &'static AboutEvent {
        const MISSING: AboutEvent = about("", "", "");
        Self::ALL.iter().find(|(event, _)| *event == self).map_or(&MISSING, |(_, about)| about)
    }

    pub fn name(self) -> &'static str {
        self.about().name
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, about)| about.name == name).map(|(event, _)| *event)
    }

    /// The resource in its body.
    pub fn group(self) -> EventGroup {
        match self {
            Self::PaymentStatus => EventGroup::Payment,
            Self::DepositSeen
            | Self::DepositConfirmed
            | Self::DepositFinal
            | Self::DepositReversed
            | Self::DepositHeld => EventGroup::Deposit,
            Self::RefundCreated
            | Self::RefundWaiting
            | Self::RefundAddressed
            | Self::RefundApproved
            | Self::RefundSent
            | Self::RefundConfirmed
            | Self::RefundFailed
            | Self::RefundCancelled => EventGroup::Refund,
            Self::WithdrawalCreated
            | Self::WithdrawalSent
            | Self::WithdrawalConfirmed
            | Self::WithdrawalReplaced
            | Self::WithdrawalFailed
            | Self::WithdrawalReverted => EventGroup::Withdrawal,
        }
    }
}

crate::words! {
    /// The events with the same resource in their bodies.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum EventGroup {
        Payment = "payment.*",
        Deposit = "deposit.*",
        Refund = "refund.*",
        Withdrawal = "withdrawal.*",
    }
}

/// Some of the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventChoice {
    All,
    Group(EventGroup),
    One(EventType),
}

impl EventChoice {
    const EVERY: &str = "*";

    pub fn has(self, event: EventType) -> bool {
        match self {
            Self::All => true,
            Self::Group(group) => event.group() == group,
            Self::One(one) => event == one,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::All => Self::EVERY,
            Self::Group(group) => group.as_str(),
            Self::One(event) => event.name(),
        }
    }

    /// Every name that can be chosen.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let groups = EventGroup::ALL.into_iter().map(EventGroup::as_str);
        let events = EventType::ALL.iter().map(|(_, about)| about.name);
        std::iter::once(Self::EVERY).chain(groups).chain(events)
    }
}

impl fmt::Display for EventChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no such event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEvent;

impl UnknownEvent {
    pub const CODE: &str = "unknown_value";
}

impl fmt::Display for UnknownEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = EventChoice::names().collect();
        write!(f, "an unknown event; there are {}", names.join(", "))
    }
}

impl FromStr for EventChoice {
    type Err = UnknownEvent;

    fn from_str(text: &str) -> Result<Self, UnknownEvent> {
        if text == Self::EVERY {
            return Ok(Self::All);
        }
        let group = EventGroup::known(text).map(Self::Group);
        group.or_else(|| EventType::named(text).map(Self::One)).ok_or(UnknownEvent)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_event_has_a_name_in_its_group() {
        let mut names = BTreeSet::new();
        for (event, about) in EventType::ALL {
            assert!(names.insert(about.name), "{event:?}");
            assert_eq!((EventType::named(about.name), event.name()), (Some(event), about.name));
            let (group, _) = about.name.split_once('.').expect("a name has a group");
            assert_eq!(event.group().as_str(), format!("{group}.*"));
        }
        for name in EventChoice::names() {
            assert_eq!(name.parse().map(EventChoice::name), Ok(name));
        }
    }

    #[test]
    fn a_choice_has_its_events() {
        let check = |choice: &str, expected: usize| {
            let choice: EventChoice = choice.parse().expect("a known choice");
            let chosen = EventType::ALL.iter().filter(|(event, _)| choice.has(*event));
            assert_eq!(chosen.count(), expected, "{choice}");
        };
        check("*", 20);
        check("payment.*", 1);
        check("deposit.*", 5);
        check("refund.*", 8);
        check("withdrawal.*", 6);
        check("deposit.reversed", 1);
        for unknown in ["", "deposit", "deposit.", "deposit.gone", "Deposit.Seen", "*.*", "depositReceived"] {
            assert_eq!(unknown.parse::<EventChoice>(), Err(UnknownEvent), "{unknown:?}");
        }
    }
}
