//! What this process remembers of the open payouts. Nothing that is stored depends on it.

use std::collections::BTreeMap;

use checkout_core::Network;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::chain::polling::Pace;
use checkout_domain::withdrawal::may_leave::Why;
use parking_lot::Mutex;
use prometheus::Registry;
use uuid::Uuid;

use super::Stepped;
use crate::metrics::{counted, gauge, gauges};

/// Seconds between two log messages about a payout that its network dropped and does not accept again. It is retried every second.
const SILENCE: u64 = 6 * 3600;

/// Seconds between two attempts to replace a transaction.
const REPLACED: u64 = 10;

/// Seconds between two looks at a refund.
const LOOKED: u64 = 60;

/// Seconds until a network that did not answer is asked again.
const UNANSWERED: u64 = 10;

#[derive(Debug, Default)]
pub struct Remembered(Mutex<BTreeMap<(Network, Uuid), Memory>>);

#[derive(Debug, Default)]
struct Memory {
    /// The last step that changed nothing.
    idle: Option<Idle>,
    /// The last log message about a transaction that its network dropped.
    stuck_said_at: Option<u64>,
    /// Since when the network cannot tell whether it has this transaction.
    unproven: Option<(String, u64)>,
    replaced_at: Option<u64>,
    /// The last look at a refund, and whether everything answered.
    looked: Option<(u64, bool)>,
    /// Why it did not leave when it was asked last.
    why: Option<Why>,
}

#[derive(Clone, Copy, Debug)]
struct Idle {
    at: u64,
    times: u32,
    is_waiting: bool,
}

impl Remembered {
    fn of<T>(&self, payout: &Payout, change: impl FnOnce(&mut Memory) -> T) -> T {
        change(self.0.lock().entry((payout.pair.network, payout.id)).or_default())
    }

    /// How many payouts of a network wait for money or for their turn.
    pub(super) fn waiting(&self, network: Network) -> u64 {
        let all = self.0.lock();
        let idle = all.iter().filter(|((on, _), _)| *on == network).filter_map(|(_, memory)| memory.idle);
        idle.filter(|idle| idle.is_waiting).count() as u64
    }

    /// Whether the next step of a payout is due: at once after a step that changed it, later after each in vain. The more of
    /// them are waiting, the less often each is tried, so that they leave requests for reading.
    pub(super) fn is_due(&self, payout: &Payout, now: u64, pace: Option<Pace>, waiting: u64) -> bool {
        let idle = self.of(payout, |memory| {
            if !payout.is_waiting() {
                // Another process sent it.
                memory.why = None;
            }
            memory.idle
        });
        let Some(pace) = pace else { return true };
        let Some(idle) = idle else { return true };
        let wait = match payout.state {
            PayoutState::Confirmed { .. } => pace.settled,
            PayoutState::Waiting if idle.is_waiting => {
                pace.after(idle.times.saturating_sub(1)) * (1 + waiting / 2)
            }
            _ => pace.after(idle.times.saturating_sub(1)),
        };
        is_past(idle.at, wait, now)
    }

    /// It waits before its network is asked anything.
    pub(super) fn waits(&self, payout: &Payout, why: Why) {
        self.of(payout, |memory| memory.why = Some(why));
    }

    pub(super) fn stepped(&self, payout: &Payout, now: u64, stepped: Stepped) {
        self.of(payout, |memory| {
            memory.why = stepped.err();
            let times = memory.idle.map_or(1, |idle| idle.times.saturating_add(1));
            // One that may not leave asks little of its network, and delays no other.
            let is_waiting = payout.is_waiting() && memory.why.is_none_or(asks_its_network);
            let idle = Idle { at: now, times, is_waiting };
            memory.idle = (stepped != Ok(true)).then_some(idle);
        });
    }

    /// The network dropped it and refuses it; returns true if that is to be logged.
    pub(super) fn refused(&self, payout: &Payout, now: u64) -> bool {
        self.of(payout, |memory| {
            let is_time = memory.stuck_said_at.is_none_or(|said| now >= said + SILENCE);
            if is_time {
                memory.stuck_said_at = Some(now);
            }
            is_time
        })
    }

    /// The network has it again.
    pub(super) fn moves(&self, payout: &Payout) {
        self.of(payout, |memory| memory.stuck_said_at = None);
    }

    /// Since when the network cannot tell whether it has this transaction.
    pub(super) fn unproven_since(&self, payout: &Payout, signed: &Signed, now: u64) -> u64 {
        self.of(payout, |memory| {
            let known = memory.unproven.take().filter(|(id, at)| *id == signed.transaction_id && *at <= now);
            memory.unproven.insert(known.unwrap_or_else(|| (signed.transaction_id.clone(), now))).1
        })
    }

    /// Whether it is time to replace its transaction. Then it counts as replaced now.
    pub(super) fn is_to_replace(&self, payout: &Payout, now: u64) -> bool {
        self.of(payout, |memory| {
            let is_time = memory.replaced_at.is_none_or(|at| is_past(at, REPLACED, now));
            if is_time {
                memory.replaced_at = Some(now);
            }
            is_time
        })
    }

    /// Whether everything answered at the last look at a refund; `None` if it is time to look.
    pub(super) fn last_look(&self, refund: &Payout, now: u64) -> Option<bool> {
        let (at, answered) = self.of(refund, |memory| memory.looked)?;
        let pause = if answered { LOOKED } else { UNANSWERED };
        (!is_past(at, pause, now)).then_some(answered)
    }

    pub(super) fn looked(&self, refund: &Payout, now: u64, answered: bool) {
        self.of(refund, |memory| memory.looked = Some((now, answered)));
    }

    /// What was seen of a refund holds no more.
    pub(super) fn look_again(&self, refund: &Payout) {
        self.of(refund, |memory| memory.looked = None);
    }

    /// Forgets the payouts of a network that are not open any more.
    pub(super) fn keep(&self, network: Network, open: impl Fn(Uuid) -> bool) {
        self.0.lock().retain(|(on, payout), _| *on != network || open(*payout));
    }

    pub fn register(&self, registry: &Registry) {
        let stuck = self.0.lock().values().filter(|memory| memory.stuck_said_at.is_some()).count();
        let help = "Payouts that their network forgot and refuses to accept again.";
        gauge(registry, "checkout_payouts_stuck", help, stuck as u64);
        let waiting = gauges("checkout_payouts_waiting", "Payouts that may not leave, by the reason.", "why");
        let all = self.0.lock();
        let count = |why| all.values().filter(|memory| memory.why == Some(why)).count() as u64;
        counted(registry, waiting, Why::ALL.map(|why| (why.as_str(), count(why))));
    }
}

/// Whether the network was asked before this was known.
const fn asks_its_network(why: Why) -> bool {
    matches!(
        why,
        Why::Held
            | Why::NotFinal
            | Why::Overdrawn
            | Why::Unanswered
            | Why::FeeUnknown
            | Why::Fee
            | Why::Unsigned
    )
}

/// A clock that was set back delays nothing.
fn is_past(at: u64, wait: u64, now: u64) -> bool {
    now < at || now >= at.saturating_add(wait)
}

#[cfg(test)]
mod tests {
    use checkout_core::{Currency, pair};

    use super::*;

    fn payout(number: u128) -> Payout {
        let pair = pair::find(Currency::Eth, Network::Eth).unwrap();
        Payout { id: Uuid::from_u128(number), ..Payout::unaddressed(pair) }
    }

    #[test]
    fn a_stuck_payout_is_logged_once_and_then_rarely() {
        let all = Remembered::default();
        let (one, other) = (payout(1), payout(2));
        for (payout, now, is_said) in [
            (&one, 100, true),
            (&one, 101, false),
            (&other, 101, true),
            (&one, 100 + SILENCE - 1, false),
            (&one, 100 + SILENCE, true),
            (&one, 101 + SILENCE, false),
        ] {
            assert_eq!(all.refused(payout, now), is_said, "{} at {now}", payout.id);
        }
        let check = |count: u64| {
            let registry = Registry::new();
            all.register(&registry);
            let text = crate::metrics::text(&registry);
            assert!(text.contains(&format!("\ncheckout_payouts_stuck {count}\n")), "{text}");
        };
        check(2);
        all.moves(&other);
        check(1);
        assert!(all.refused(&other, 102 + SILENCE), "it is stuck again");
        all.keep(Network::Eth, |payout| payout == one.id);
        check(1);
        all.keep(Network::Btc, |_| false);
        check(1);
        all.keep(Network::Eth, |_| false);
        check(0);
    }

    /// The hour begins anew with each transaction, and with a clock that was set back.
    #[test]
    fn since_when_a_transaction_is_unproven() {
        let (all, payout) = (Remembered::default(), payout(1));
        let signed = |id: &str| Signed { transaction_id: id.to_owned(), bytes: Vec::new(), sequence: None };
        for (id, now, since) in
            [("a", 5, 5), ("a", 9, 5), ("b", 10, 10), ("a", 11, 11), ("a", 12, 11), ("a", 3, 3)]
        {
            assert_eq!(all.unproven_since(&payout, &signed(id), now), since, "{id} at {now}");
        }
    }
}
