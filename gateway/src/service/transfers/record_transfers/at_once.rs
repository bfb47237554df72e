//! What a payment gets while its chain is read: a reorganisation can take all of it. A block can have more than one change takes.

use std::collections::{BTreeMap, BTreeSet};

use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::OutputState;
use checkout_domain::payment::coverage::plus;
use checkout_domain::payment::deposit::Deposit;
use uuid::Uuid;

/// The deposits that the chain reported as confirmed since it began to be read, by coin. A chain reports what is new: also what is
/// stored already, by another process or before a crash.
#[derive(Clone, Default)]
pub(super) struct AtOnce {
    sums: BTreeMap<(Currency, Network), Amount>,
    counted: BTreeSet<Uuid>,
}

impl AtOnce {
    pub(super) fn of(&self, key: (Currency, Network)) -> Amount {
        self.sums.get(&key).copied().unwrap_or_default()
    }

    /// Follows the report of a deposit.
    pub(super) fn follow(&mut self, deposit: &Deposit) {
        let sum = self.sums.entry(deposit.key()).or_default();
        if deposit.state == OutputState::Confirmed && deposit.stands() {
            if self.counted.insert(deposit.id) {
                *sum = plus(*sum, deposit.amount);
            }
        } else if self.counted.remove(&deposit.id) {
            *sum = sum.saturating_sub(deposit.amount);
        }
    }
}
