//! A payment with more transfers than the page lists.

use checkout_widget::present::{self, Done};
use checkout_wire::PaymentStatus;
use checkout_wire::payment::{
    Deposit, DepositStatus, Payment, Refund, RefundReason, RefundStatus, RefundType,
};

use crate::payments::{deposit, paid, pending, with};
use crate::player::Player;

fn refund() -> Refund {
    Refund {
        kind: RefundType::Full.into(),
        transaction_id: None,
        confirmed_at: None,
        status: RefundStatus::Pending.into(),
        reason: RefundReason::Overpayment.into(),
        amount: "0.0003".into(),
        fee: "0.00001".into(),
        display_currency: "EUR".into(),
        display_amount: "17.00".into(),
        display_fee: "0.60".into(),
        waiting_for: None,
        waiting_reason: None,
    }
}

/// As many transfers of 0.0005 BTC, numbered from 1; the first one is refunded or not.
fn receipt(count: usize, refunded: bool) -> Done {
    let transfer = |number: usize| Deposit {
        id: format!("d{number}").into(),
        transaction_id: format!("{number:064}"),
        refund: (refunded && number == 1).then(refund),
        ..deposit("0.0005", "BTC", DepositStatus::Confirmed)
    };
    let payment = with(pending(), PaymentStatus::Deposited, (1..=count).map(transfer).collect());
    let player = Player::open(Payment { actual_display_amount: "420.00".into(), ..payment });
    match player.model().body {
        present::Body::Done(done) => done,
        other => panic!("no receipt: {other:?}"),
    }
}

#[test]
fn the_last_ten_are_listed_and_all_are_in_the_sum() {
    let check = |count: usize, refunded: bool, listed: &[usize], sum: &str| {
        let receipt = receipt(count, refunded);
        let numbers: Vec<usize> =
            receipt.deposits.iter().map(|line| line.transaction.parse().unwrap()).collect();
        assert_eq!(numbers, listed, "{count} transfers");
        assert!(receipt.rows[0].value.replace("\u{a0}", " ").contains(sum), "{:?}", receipt.rows[0]);
    };
    check(2, false, &[1, 2], "0.001 BTC");
    check(10, false, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "0.005 BTC");
    check(14, false, &[5, 6, 7, 8, 9, 10, 11, 12, 13, 14], "0.007 BTC");
    // A refund is told whatever came after it.
    check(14, true, &[1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], "0.007 BTC");
}

#[test]
fn a_single_transfer_needs_no_list() {
    assert!(receipt(1, false).deposits.is_empty());
    assert_eq!(Player::open(paid()).screen(), "paid");
}
