//! Payouts that their network dropped and does not accept again, for example because their inputs were spent.

use std::collections::BTreeMap;

use checkout_core::Network;
use parking_lot::Mutex;
use prometheus::Registry;
use uuid::Uuid;

use crate::metrics::gauge;

/// Interval of the log message about one payout, which is retried every second.
const SILENCE: u64 = 6 * 3600;

/// The payouts known to this process, with the UNIX second of the last log message.
#[derive(Debug, Default)]
pub struct Stuck(Mutex<BTreeMap<(Network, Uuid), u64>>);

impl Stuck {
    /// Records a refusal by the network; returns true if it is to be logged.
    pub fn refused(&self, payout: (Network, Uuid), now: u64) -> bool {
        let mut all = self.0.lock();
        let is_time = all.get(&payout).is_none_or(|said| now >= said + SILENCE);
        if is_time {
            all.insert(payout, now);
        }
        is_time
    }

    /// Records that the network has it again.
    pub fn moves(&self, payout: (Network, Uuid)) {
        self.0.lock().remove(&payout);
    }

    /// Counts only those of a network that are still tracked.
    pub fn keep(&self, network: Network, open: impl Fn(Uuid) -> bool) {
        self.0.lock().retain(|(on, payout), _| *on != network || open(*payout));
    }

    pub fn register(&self, registry: &Registry) {
        let help = "Payouts that their network forgot and refuses to accept again.";
        gauge(registry, "checkout_payouts_stuck", help, self.0.lock().len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stuck_payout_is_logged_once_and_then_rarely() {
        let stuck = Stuck::default();
        let (one, other) = ((Network::Eth, Uuid::from_u128(1)), (Network::Eth, Uuid::from_u128(2)));
        for (payout, now, is_said) in [
            (one, 100, true),
            (one, 101, false),
            (other, 101, true),
            (one, 100 + SILENCE - 1, false),
            (one, 100 + SILENCE, true),
            (one, 101 + SILENCE, false),
        ] {
            assert_eq!(stuck.refused(payout, now), is_said, "{payout:?} at {now}");
        }
        let check = |count: u64| {
            let registry = Registry::new();
            stuck.register(&registry);
            let text = crate::metrics::text(&registry);
            assert!(text.ends_with(&format!("\ncheckout_payouts_stuck {count}\n")), "{text}");
        };
        check(2);
        stuck.moves(one);
        check(1);
        assert!(stuck.refused(one, 102 + SILENCE), "it is stuck again");
        stuck.keep(Network::Eth, |payout| payout == one.1);
        check(1);
        stuck.keep(Network::Btc, |_| false);
        check(1);
        stuck.keep(Network::Eth, |_| false);
        check(0);
    }
}
