//! At a floating rate an amount pays for half an hour. The page asks for an amount of now before it is wrong.

use checkout_widget::effect::Call;
use checkout_widget::event::{Body, What};
use checkout_widget::present;
use checkout_wire::PaymentType;
use checkout_wire::payment::{Payment, RateType};

use crate::payments::{START, partial, pending};
use crate::player::{Player, chosen};

/// Of a window of a week.
fn floating(of: Payment) -> Payment {
    Payment { rate_type: RateType::Floating.into(), expiration_minutes: 0, ..of }
}

/// The next poll, at this second after the payment was created.
fn next_call(player: &mut Player, at: u64) -> Call {
    player.wait((START + at) * 1_000 - player.offset - player.now);
    player.call().expect("it polls").clone()
}

/// Rows: the payment, seconds after its quote, and whether an amount of now is asked for.
#[test]
fn an_amount_is_renewed_when_it_no_longer_pays() {
    let quoted = |of: Payment| Payment { payment_requested_at: Some(START.into()), ..of };
    let rows = [
        (floating(pending()), 1_799, false),
        (floating(pending()), 1_801, true),
        (floating(pending()), 86_400, true),
        (Payment { expiration_minutes: 0, ..pending() }, 86_400, false),
        (floating(partial()), 86_400, false),
        (Payment { kind: PaymentType::Reusable.into(), ..floating(pending()) }, 86_400, false),
    ];
    for (number, (payment, at, renews)) in rows.into_iter().enumerate() {
        let mut player = Player::open(quoted(payment));
        let call = next_call(&mut player, at);
        assert_eq!(call.method, if renews { "PATCH" } else { "GET" }, "row {number}");
        if renews {
            assert_eq!(call.body.as_deref(), Some(r#"{"depositCurrency":"BTC","network":"BTC"}"#));
        }
    }
}

#[test]
fn the_new_amount_takes_the_place_of_the_old_one() {
    let mut player = Player::open(floating(pending()));
    next_call(&mut player, 3_600);
    let now = Payment {
        payment_requested_at: Some((START + 3_600).into()),
        expected_deposit_amount: Some("0.00512345".into()),
        ..floating(pending())
    };
    player.answer(200, chosen(now));
    let present::Body::Pay(pay) = player.model().body else { panic!("pay") };
    assert_eq!(pay.amount.value, "0.00512345");
    assert_eq!(player.wait_for_call().method, "GET");
    player.answer(304, Body::Empty);
    assert_eq!(next_call(&mut player, 5_401).method, "PATCH");
}

/// The page stays as it is, says nothing, keeps polling, and asks again a minute later.
#[test]
fn an_amount_that_cannot_be_renewed_does_not_stop_the_polls() {
    for status in [409, 429, 500, 503] {
        let mut player = Player::open(floating(pending()));
        assert_eq!(next_call(&mut player, 3_600).method, "PATCH");
        let before = player.page.shared.announcement;
        player.answer(status, Body::Empty);
        assert_eq!((player.screen(), player.page.shared.announcement), ("pay", before), "{status}");
        assert_eq!(player.wait_for_call().method, "GET", "{status}");
        player.see(floating(pending()));
        assert_eq!(next_call(&mut player, 3_661).method, "PATCH", "{status}");
    }
}

/// A page in the background asks for nothing; when it is seen again, it does.
#[test]
fn a_hidden_page_renews_when_it_is_seen() {
    let mut player = Player::open(floating(pending()));
    player.play(What::Hidden);
    assert_eq!(next_call(&mut player, 3_600).method, "GET");
    player.watch(floating(pending()));
    player.now += 5_000;
    player.play(What::Returned);
    assert_eq!(player.call().expect("it polls").method, "PATCH");
}
