//! Divides a batch of transfers into parts, each of which is stored in one change.

use std::collections::VecDeque;
use std::time::Duration;

use checkout_domain::chain::Transfer;
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::Owner;

/// The transfers of a change, whatever they cost, and of the largest one.
const LEAST: usize = 30;
const MOST: usize = 500;

/// After a change that takes longer the next one is smaller, after one that takes half of it larger: where there is one writer, all who
/// write wait for it, otherwise those who have to do with its payments.
fn longest(has_one_writer: bool) -> Duration {
    Duration::from_millis(if has_one_writer { 40 } else { 1_000 })
}

/// How many transfers the next change has. Others who write wait for it.
pub(super) struct Pace(usize);

impl Default for Pace {
    fn default() -> Self {
        Self(LEAST)
    }
}

impl Pace {
    /// Adapts the size to how long the last change took.
    pub(super) fn follow(&mut self, transfers: usize, took: Duration, has_one_writer: bool) {
        let longest = longest(has_one_writer);
        if took > longest {
            self.0 = (self.0 / 2).max(LEAST);
        } else if took < longest / 2 && transfers >= self.0 {
            self.0 = (self.0 * 2).min(MOST);
        }
    }
}

/// Transfers that are not stored yet.
pub(super) struct Parts(VecDeque<Transfer>);

impl Parts {
    /// By payment; those of one payment stay in order. Transfers without a payment are left out.
    pub(super) fn of(transfers: Vec<Transfer>, owners: &[Option<Owner>]) -> Self {
        let owned = transfers.into_iter().zip(owners);
        let mut owned: Vec<(PaymentId, Transfer)> =
            owned.filter_map(|(transfer, owner)| Some(((*owner)?.payment, transfer))).collect();
        owned.sort_by_key(|(payment, _)| *payment);
        Self(owned.into_iter().map(|(_, transfer)| transfer).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the transfers of the next change. It has all reports of a transfer that moved: between two of them its confirmations
    /// would be missing.
    pub(super) fn take(&mut self, pace: &Pace) -> Vec<Transfer> {
        let mut part: Vec<Transfer> = self.0.drain(..pace.0.min(self.0.len())).collect();
        let is_of = |part: &[Transfer], next: &Transfer| part.iter().any(|known| known.output == next.output);
        while let Some(next) = self.0.pop_front_if(|next| is_of(&part, next)) {
            part.push(next);
        }
        part
    }
}
