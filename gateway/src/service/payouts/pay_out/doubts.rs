//! Transactions of which their network cannot tell whether it has them.

use std::collections::BTreeMap;

use checkout_core::Network;
use checkout_domain::chain::payout::{Payout, Signed};
use parking_lot::Mutex;
use uuid::Uuid;

/// Since which UNIX second this process hears so of a payout's transaction.
#[derive(Debug, Default)]
pub struct Doubts(Mutex<BTreeMap<(Network, Uuid), (String, u64)>>);

impl Doubts {
    pub(super) fn since(&self, payout: &Payout, signed: &Signed, now: u64) -> u64 {
        let mut all = self.0.lock();
        let new = || (signed.transaction_id.clone(), now);
        let doubt = all.entry((payout.pair.network, payout.id)).or_insert_with(new);
        if doubt.0 != signed.transaction_id || doubt.1 > now {
            *doubt = new();
        }
        doubt.1
    }

    pub(super) fn keep(&self, network: Network, open: impl Fn(Uuid) -> bool) {
        let mut all = self.0.lock();
        all.retain(|(on, payout), _| *on != network || open(*payout));
    }
}
