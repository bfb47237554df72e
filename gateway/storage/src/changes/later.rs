//! Changes that a transaction has collected. Together they take a few statements, however many payments they are of.

use std::collections::{BTreeMap, BTreeSet};

use checkout_domain::callback::Callback;
use checkout_domain::ids::{BusinessId, PaymentId};
use checkout_domain::ledger::Entry;
use checkout_domain::ledger::settlement::Booked;
use checkout_domain::payment::Payment;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::ports::Stored;
use uuid::Uuid;

use crate::{Transaction, rows};

#[derive(Default)]
pub(crate) struct Later {
    /// With their payments and businesses.
    pub(crate) new_deposits: Vec<(PaymentId, BusinessId, Deposit)>,
    pub(crate) deposits: BTreeMap<Uuid, Deposit>,
    pub(crate) sums: BTreeMap<PaymentId, DepositSums>,
    pub(crate) payments: BTreeMap<PaymentId, Payment>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) booked: BTreeMap<Uuid, Booked>,
    pub(crate) callbacks: Vec<Callback>,
}

impl Later {
    pub(crate) fn is_empty(&self) -> bool {
        self.new_deposits.is_empty()
            && self.deposits.is_empty()
            && self.sums.is_empty()
            && self.payments.is_empty()
            && self.entries.is_empty()
            && self.booked.is_empty()
            && self.callbacks.is_empty()
    }

    /// Rows that others refer to come first; businesses are in the order of locks.
    pub(crate) async fn store(self, change: &mut Transaction) -> Stored<()> {
        let new = self.new_deposits.iter().map(|(payment, business, deposit)| (*payment, *business, deposit));
        rows::deposit::insert(change, &new.collect::<Vec<_>>()).await?;
        rows::deposit::update(change, &self.deposits.values().collect::<Vec<_>>()).await?;
        // After the deposits, whose changes remove them.
        let sums: Vec<_> = self.sums.iter().map(|(payment, sums)| (*payment, sums)).collect();
        rows::deposit_sums::put(change, &sums).await?;
        rows::payment::update(change, &self.payments.values().collect::<Vec<_>>()).await?;
        let mut entries: BTreeMap<BusinessId, Vec<Entry>> = BTreeMap::new();
        for entry in self.entries {
            entries.entry(entry.header.business).or_default().push(entry);
        }
        for entries in entries.into_values() {
            for some in distinct(&entries, |entry| entry.header.cause.clone()) {
                rows::ledger::post_all(change, some).await?;
            }
        }
        rows::settlement::put(change, &Vec::from_iter(self.booked)).await?;
        for some in
            distinct(&self.callbacks, |callback| (callback.kind.clone(), callback.subject, callback.sequence))
        {
            rows::callback::put(change, some).await?;
        }
        Ok(())
    }
}

/// Divides a list before each element whose key is in the part already. One statement stores a key once.
fn distinct<T, K: Ord>(all: &[T], key: impl Fn(&T) -> K) -> Vec<&[T]> {
    let (mut parts, mut start, mut keys) = (Vec::new(), 0, BTreeSet::new());
    for (at, one) in all.iter().enumerate() {
        if !keys.insert(key(one)) {
            parts.push(&all[start..at]);
            (start, keys) = (at, BTreeSet::from([key(one)]));
        }
    }
    parts.push(&all[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_once_in_a_part() {
        let check = |all: &[u32], expected: &[&[u32]]| {
            assert_eq!(distinct(all, |one| *one), expected);
        };
        check(&[], &[&[]]);
        check(&[1, 2, 3], &[&[1, 2, 3]]);
        check(&[1, 2, 1, 3], &[&[1, 2], &[1, 3]]);
        check(&[1, 1, 1], &[&[1], &[1], &[1]]);
        check(&[1, 2, 1, 2, 1], &[&[1, 2], &[1, 2], &[1]]);
    }
}
