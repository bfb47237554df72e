//! Divides a batch of transfers into parts, each of which is stored in one change.

use crate::domain::chain::Transfer;
use crate::ports::Owner;

/// The most work of one change, in transfers. Others who write wait for it.
const MOST: usize = 30;

/// The work for a payment, in transfers to it.
const PAYMENT: usize = 4;

/// By payment; those of one payment stay in order. Transfers without a payment are left out.
pub(super) fn of(transfers: Vec<Transfer>, owners: &[Option<Owner>]) -> Vec<Vec<Transfer>> {
    let owned = transfers.into_iter().zip(owners);
    let mut owned: Vec<_> =
        owned.filter_map(|(transfer, owner)| Some(((*owner)?.payment, transfer))).collect();
    owned.sort_by_key(|(payment, _)| *payment);
    let mut parts: Vec<Vec<Transfer>> = Vec::new();
    let (mut work, mut last) = (MOST, None);
    for (payment, transfer) in owned {
        work += if last == Some(payment) { 1 } else { 1 + PAYMENT };
        if work > MOST || parts.is_empty() {
            parts.push(Vec::new());
            work = 1 + PAYMENT;
        }
        parts.last_mut().expect("there is one").push(transfer);
        last = Some(payment);
    }
    parts
}
