//! Compares a payment screen with the API.

use checkout_wire::Payment;

use super::sandbox::expected;
use super::snapshot::Snapshot;

/// Amount, address, tag and status on the screen are those of the API.
pub(crate) fn asks_for(page: &Snapshot, payment: &Payment) {
    let amount = expected(payment);
    assert_eq!(page.value("amount"), Some(amount.as_str()), "the amount, for machines");
    let drawn = page.packed("amount").unwrap_or_default();
    assert!(drawn.replace(',', "").contains(&amount), "the amount, for people: {drawn:?} is not {amount}");
    assert_eq!(page.packed("address"), payment.wallet_address, "the address");
    let tag = page.shown("tag").map(|tag| tag.text.split_whitespace().collect::<String>());
    match &payment.destination_tag {
        Some(expected) => {
            assert!(tag.as_deref().is_some_and(|tag| tag.contains(expected)), "the tag {expected}: {tag:?}");
        }
        None => assert_eq!(tag, None, "no tag"),
    }
    assert_eq!(page.value("status").or(page.fact("status")), Some(payment.status.as_str()), "the status");
}
