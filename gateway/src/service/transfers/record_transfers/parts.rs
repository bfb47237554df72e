//! Divides a batch of transfers into parts, each of which is stored in one change.

use checkout_domain::chain::Transfer;
use checkout_domain::ports::Owner;

/// Most transfers of one change. Others who write wait for it.
const MOST: usize = 30;

/// By payment; those of one payment stay in order. Transfers without a payment are left out. The reports of one that moved are of one
/// change, so that nobody sees it without its confirmations in between.
pub(super) fn of(transfers: Vec<Transfer>, owners: &[Option<Owner>]) -> Vec<Vec<Transfer>> {
    let owned = transfers.into_iter().zip(owners);
    let mut owned: Vec<_> =
        owned.filter_map(|(transfer, owner)| Some(((*owner)?.payment, transfer))).collect();
    owned.sort_by_key(|(payment, _)| *payment);
    let mut parts: Vec<Vec<Transfer>> = Vec::new();
    for (_, transfer) in owned {
        match parts.last_mut() {
            Some(part) if part.len() < MOST || has_report(part, &transfer) => part.push(transfer),
            _ => parts.push(vec![transfer]),
        }
    }
    parts
}

fn has_report(part: &[Transfer], transfer: &Transfer) -> bool {
    part.iter().any(|earlier| earlier.output == transfer.output)
}
