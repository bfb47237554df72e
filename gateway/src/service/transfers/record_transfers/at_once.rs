//! What a payment gets while its chain is read: a reorganisation can take all of it. A block can have more than one change takes.

use std::collections::BTreeMap;

use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::OutputState;
use checkout_domain::payment::coverage::plus;
use checkout_domain::payment::deposit::Deposit;

/// The deposits that are confirmed now and were not before the chain was read, by coin.
#[derive(Clone, Default)]
pub(super) struct AtOnce(BTreeMap<(Currency, Network), Amount>);

impl AtOnce {
    pub(super) fn of(&self, key: (Currency, Network)) -> Amount {
        self.0.get(&key).copied().unwrap_or_default()
    }

    /// Follows a new deposit, or a change of one.
    pub(super) fn follow(&mut self, before: Option<&Deposit>, after: &Deposit) {
        let is_there = |deposit: &Deposit| deposit.state == OutputState::Confirmed && deposit.stands();
        let sum = self.0.entry(after.key()).or_default();
        match (before.is_some_and(is_there), is_there(after)) {
            (false, true) => *sum = plus(*sum, after.amount),
            (true, false) => *sum = sum.saturating_sub(after.amount),
            (false, false) | (true, true) => {}
        }
    }
}
