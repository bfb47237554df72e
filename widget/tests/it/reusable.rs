//! REUSABLE payments: no end of the time to pay, and any number of payments.

use checkout_widget::event::Act;
use checkout_widget::page_url::PageUrl;
use checkout_widget::present;
use checkout_wire::PaymentType;
use checkout_wire::payment::{Deposit, DepositStatus, Payment, PaymentStatus};

use crate::payments::{deposit, paid, pending, view, with};
use crate::player::{Player, page_url};

#[test]
fn a_reusable_payment_has_no_countdown() {
    let reusable = Payment { kind: PaymentType::Reusable.into(), ..pending() };
    let mut player = Player::open(reusable);
    player.offset += 100 * 86_400_000;
    player.watch(Payment { kind: PaymentType::Reusable.into(), ..pending() });
    assert_eq!((player.screen(), player.page.shared.seconds_left()), ("pay", None));
    assert_eq!(player.model().header.and_then(|header| header.countdown), None);
}

#[test]
fn a_reusable_payment_can_be_paid_again() {
    let reusable = |deposits: usize| {
        let one = |number: usize| Deposit {
            id: number.to_string().into(),
            ..deposit("0.00412345", "BTC", DepositStatus::Confirmed)
        };
        let paid = with(pending(), PaymentStatus::Deposited, (0..deposits).map(one).collect());
        Payment { kind: PaymentType::Reusable.into(), ..paid }
    };
    let again = |player: &Player| match player.model().body {
        present::Body::Done(done) => done.again.map(|again| again.link.href),
        other => panic!("not paid: {other:?}"),
    };
    assert_eq!(again(&Player::open(paid())), None, "ONE_TIME");
    let href = again(&Player::open(reusable(1))).unwrap();
    assert!(href.ends_with("&again=1"), "{href}");
    let (_, query) = href.split_once('?').unwrap();
    let url = PageUrl { query: format!("?{query}"), ..page_url() };
    let mut player = Player::open_view(url.clone(), view(reusable(1)));
    assert_eq!(player.screen(), "pay");
    let present::Body::Pay(pay) = player.model().body else { panic!("pay") };
    assert_eq!((pay.amount.part, pay.amount.value.as_str()), ("amount", "0.00412345"), "all of it");
    assert!(pay.change_currency.is_some());
    player.act(Act::ChangeCurrency);
    assert_eq!(player.screen(), "choose");
    player.watch(reusable(1));
    assert_eq!(player.screen(), "choose");
    let mut player = Player::open_view(url.clone(), view(reusable(1)));
    player.watch(reusable(2));
    assert_eq!(player.screen(), "paid");
    assert!(again(&player).unwrap().ends_with("&again=2"));
    assert_eq!(Player::open_view(url, view(paid())).screen(), "paid", "ONE_TIME");
}
