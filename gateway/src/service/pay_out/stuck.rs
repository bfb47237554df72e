//! Payouts that their network forgot and does not take again, such as when its inputs were spent otherwise meanwhile.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use prometheus::Registry;
use uuid::Uuid;

use crate::metrics::gauge;

/// How long nothing more is said of one: it is tried every second.
const SILENCE: u64 = 6 * 3600;

/// Those that this process knows of, with the UNIX second at which it last said so.
#[derive(Debug, Default)]
pub struct Stuck(Mutex<BTreeMap<Uuid, u64>>);

impl Stuck {
    /// The network refused it again; true when it is time to say so.
    pub fn refused(&self, payout: Uuid, now: u64) -> bool {
        let mut all = self.all();
        let is_time = all.get(&payout).is_none_or(|said| now >= said + SILENCE);
        if is_time {
            all.insert(payout, now);
        }
        is_time
    }

    /// The network knows it, or took it again.
    pub fn moves(&self, payout: Uuid) {
        self.all().remove(&payout);
    }

    /// Only those that are still looked after count.
    pub fn keep(&self, open: impl Fn(Uuid) -> bool) {
        self.all().retain(|payout, _| open(*payout));
    }

    pub fn register(&self, registry: &Registry) {
        let help = "Payouts that their network forgot and refuses to accept again.";
        gauge(registry, "checkout_payouts_stuck", help, self.all().len() as u64);
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<Uuid, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_once_and_then_rarely() {
        let stuck = Stuck::default();
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        for (payout, now, is_said) in [
            (one, 100, true),
            (one, 101, false),
            (other, 101, true),
            (one, 100 + SILENCE - 1, false),
            (one, 100 + SILENCE, true),
            (one, 101 + SILENCE, false),
        ] {
            assert_eq!(stuck.refused(payout, now), is_said, "{payout} at {now}");
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
        assert!(stuck.refused(one, 102 + SILENCE), "it is stuck once more");
        stuck.keep(|payout| payout == one);
        check(1);
        stuck.keep(|_| false);
        check(0);
    }
}
