//! The gateway's word on deposits: which are no part of the payment, and what is still due.

use checkout_widget::present::Body;
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::payment::{Deposit, DepositHold, DepositStatus, Payment, PaymentStatus};

use crate::payments::{deposit, pending, view, with};
use crate::player::{Player, page_url};

/// A token that the business does not take.
fn held(payment: Payment) -> Payment {
    let token = Deposit {
        hold: Some(DepositHold::Currency.into()),
        ..deposit("200", "USDT", DepositStatus::Unconfirmed)
    };
    let status = payment.status.clone();
    with(payment, status, vec![token])
}

#[test]
fn a_held_coin_is_told_and_the_payment_goes_on() {
    let mut player = Player::open(held(pending()));
    assert_eq!(player.screen(), "pay");
    let Body::Pay(pay) = player.model().body else { panic!("no payment") };
    assert_eq!(pay.amount.value, "0.00412345");
    let news = pay.news.unwrap_or_default();
    assert!(news.contains("200\u{a0}USDT arrived") && news.contains("does not accept this coin"), "{news}");
    assert!(pay.change_currency.is_some(), "the payer can still choose");

    player.watch(Payment { status: PaymentStatus::Expired.into(), ..held(pending()) });
    let Body::Expired(expired) = player.model().body else { panic!("no end") };
    assert!(expired.text.starts_with("200\u{a0}USDT arrived"), "{}", expired.text);
    assert!(expired.renew.is_some(), "a new quote is offered");
}

/// The business takes this coin elsewhere: its network says what is different.
#[test]
fn a_held_coin_of_another_network_is_told_with_it() {
    let check = |hold: DepositHold, expected: &str| {
        let token = Deposit { hold: Some(hold.into()), ..deposit("200", "USDT", DepositStatus::Unconfirmed) };
        let mut view = view(with(pending(), PaymentStatus::Pending, vec![token]));
        view.transfers[0].network = "POLYGON".into();
        let player = Player::open_view(page_url(), view);
        let Body::Pay(pay) = player.model().body else { panic!("no payment") };
        let news = pay.news.unwrap_or_default();
        assert!(news.starts_with(expected) && news.contains("does not accept this coin"), "{news}");
    };
    check(DepositHold::Network, "200\u{a0}USDT · Polygon (ERC-20) arrived");
    check(DepositHold::Currency, "200\u{a0}USDT arrived");
}

/// Nobody who paid what was shown is asked for more.
#[test]
fn the_gateway_says_what_is_due() {
    let arrived = |amount: &str| {
        let one = deposit(amount, "BTC", DepositStatus::Unconfirmed);
        view(with(pending(), PaymentStatus::Awaiting, vec![one]))
    };
    let check = |amount: &str, due: Option<&str>, screen: &str, asked: Option<&str>| {
        let view = CheckoutView { remaining_amount: due.map(Into::into), ..arrived(amount) };
        let player = Player::open_view(page_url(), view);
        assert_eq!(player.screen(), screen, "{amount} {due:?}");
        let value = match player.model().body {
            Body::Pay(pay) => Some(pay.amount.value),
            _ => None,
        };
        assert_eq!(value.as_deref(), asked, "{amount} {due:?}");
    };
    // An earlier quote of the pair was smaller, or the rest is within the tolerance.
    check("0.004", Some("0"), "seen", None);
    check("0.00412344", Some("0"), "seen", None);
    // Half of a smaller quote.
    check("0.002", Some("0.00206173"), "partial", Some("0.00206173"));
    check("0.002", None, "partial", Some("0.00212345"));
    check("0.00412345", None, "seen", None);
}

/// Only who has sent everything may leave.
#[test]
fn a_missing_rest_is_asked_for_and_an_unknown_one_keeps_the_payer() {
    let arrived = |amount: &str, currency: &str, due: Option<&str>| {
        let one = deposit(amount, currency, DepositStatus::Unconfirmed);
        let payment = with(pending(), PaymentStatus::Awaiting, vec![one]);
        Player::open_view(page_url(), CheckoutView { remaining_amount: due.map(Into::into), ..view(payment) })
    };
    let asks = |amount: &str, currency: &str, due: Option<&str>, rest: &str, arrived_text: &str| {
        let Body::Pay(pay) = arrived(amount, currency, due).model().body else {
            panic!("{amount} {currency}")
        };
        let text = pay.arrived.expect("a part").text;
        assert_eq!(pay.amount.value, rest, "{amount} {currency}");
        assert!(text.starts_with(arrived_text), "{text}");
    };
    asks("0.002061725", "BTC", None, "0.00206173", "0.00206172\u{a0}BTC of 0.00412345\u{a0}BTC");
    asks("0.00100000000000000000", "BTC", None, "0.00312345", "0.001\u{a0}BTC");
    // In an earlier choice; the gateway knows what it is worth.
    asks("2", "LTC", Some("0.00206173"), "0.00206173", "0.00206172\u{a0}BTC of 0.00412345\u{a0}BTC");

    let keeps = |amount: &str, currency: &str, due: Option<&str>, keeps: bool| {
        let Body::Seen(seen) = arrived(amount, currency, due).model().body else {
            panic!("{amount} {currency}")
        };
        assert_eq!(
            !seen.hint.contains("You can close this page"),
            keeps,
            "{amount} {currency}: {}",
            seen.hint
        );
    };
    keeps("0.00412345", "BTC", None, false);
    keeps("0.004123450000", "BTC", None, false);
    keeps("2", "LTC", Some("0"), false);
    keeps("2", "LTC", None, true);
    keeps("4.12345e-3", "BTC", None, true);
}

/// It has arrived, and there is no rate: neither is anything asked for, nor is it said to wait for its network.
#[test]
fn a_transfer_that_is_being_valued_has_arrived() {
    let check = |status, is_valued: bool, has_arrived: bool| {
        let being_valued = (!is_valued).then_some(true);
        let deposit = Deposit { being_valued, ..deposit("0.00412345", "BTC", status) };
        let player =
            Player::open_view(page_url(), view(with(pending(), PaymentStatus::Awaiting, vec![deposit])));
        let Body::Seen(seen) = player.model().body else { panic!("seen") };
        assert_eq!(seen.text.contains("is being valued"), has_arrived, "{}", seen.text);
        assert_eq!(seen.hint.contains("has a value"), has_arrived, "{}", seen.hint);
        assert_eq!(seen.steps.each_ref().map(|step| step.done), [true, has_arrived, has_arrived]);
    };
    check(DepositStatus::Confirmed, false, true);
    check(DepositStatus::Unconfirmed, false, false);
    check(DepositStatus::Unconfirmed, true, false);
}
