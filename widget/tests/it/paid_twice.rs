//! A transfer after the order was paid.

use checkout_widget::effect::Effect;
use checkout_widget::event::Body;
use checkout_widget::host::HostEvent;
use checkout_widget::present::{self, Done};
use checkout_widget::words;
use checkout_wire::checkout_view::CheckoutView;
use checkout_wire::payment::{
    Deposit, DepositStatus, Payment, Refund, RefundReason, RefundStatus, RefundType,
};

use crate::embedding::{framed, hello};
use crate::payments::{START, deposit, paid, returning, view};
use crate::player::{Player, page_url};

/// A second full transfer, an hour after the order was paid.
fn second(status: DepositStatus, refund: Option<RefundStatus>) -> Deposit {
    let refund = refund.map(|status| Refund {
        kind: RefundType::Full.into(),
        transaction_id: (status == RefundStatus::Confirmed).then(|| "cd".repeat(32)),
        confirmed_at: None,
        status: status.into(),
        reason: RefundReason::FollowUpDeposit.into(),
        amount: "0.00411345".into(),
        fee: "0.00001".into(),
        display_currency: "EUR".into(),
        display_amount: "248.40".into(),
        display_fee: "0.60".into(),
        waiting_for: None,
        waiting_reason: None,
    });
    let received = START + 3_600;
    Deposit {
        id: "e".into(),
        deposit_received_at: received.into(),
        refund,
        ..deposit("0.00412345", "BTC", status)
    }
}

fn twice(second: Deposit, refunds: bool) -> CheckoutView {
    let mut payment = Payment {
        actual_deposit_amount: "0.0082469".into(),
        actual_display_amount: "498.00".into(),
        refund_follow_up_deposits_for_one_time_payments: Some(refunds),
        ..returning(paid())
    };
    payment.deposits.push(second);
    let mut view = view(payment);
    view.transfers[1].follow_up = true;
    view
}

fn done(player: &Player) -> Done {
    match player.model().body {
        present::Body::Done(done) => done,
        other => panic!("no receipt: {other:?}"),
    }
}

#[test]
fn paying_twice_is_not_called_success() {
    let player = Player::open_view(page_url(), twice(second(DepositStatus::Confirmed, None), true));
    assert_eq!(player.screen(), "paid-twice");
    let done = done(&player);
    assert_eq!(done.title, "This order was already paid");
    assert!(
        done.text.contains("0.00412345\u{a0}BTC. After that, 0.00412345\u{a0}BTC more arrived"),
        "{}",
        done.text
    );
    assert!(done.text.contains(&format!("(@{})", START + 3_600)), "{}", done.text);
    let all = format!("{done:?}");
    assert!(!all.contains("0.0082469") && !all.contains("498.00"), "no sum of both: {all}");
    assert_eq!(done.deposits.len(), 2);
}

#[test]
fn the_payer_reads_what_becomes_of_the_second_transfer() {
    use DepositStatus::{Confirmed, Unconfirmed};

    let check = |second: Deposit, refunds: bool, expected: &str| {
        let player = Player::open_view(page_url(), twice(second, refunds));
        let done = done(&player);
        let all = format!("{:?} {:?}", done.twice_note, done.deposits).replace("\\u{a0}", "\u{a0}");
        assert!(all.contains(expected), "{expected}: {all}");
    };
    check(
        second(Unconfirmed, None),
        true,
        "0.00412345\u{a0}BTC will be sent back as soon as the transfer is confirmed",
    );
    check(
        second(Unconfirmed, None),
        false,
        "not sent back by itself. Contact Kettle & Leaf and give the reference order-1",
    );
    check(second(Confirmed, None), false, "not sent back by itself");
    for (status, expected) in [
        (RefundStatus::Pending, "0.00411345\u{a0}BTC will be sent back to the address"),
        (RefundStatus::Confirmed, "0.00411345\u{a0}BTC has been sent back to the address"),
        (RefundStatus::NonRefundable, "This transfer cannot be sent back"),
    ] {
        check(second(Confirmed, Some(status)), true, expected);
    }
}

/// The redirect runs already when the second transfer is seen.
#[test]
fn a_payer_who_paid_twice_is_not_redirected() {
    let mut player = Player::open(returning(paid()));
    player.wait(2_000);
    player.play(checkout_widget::event::What::Returned);
    let version = player.version + 1;
    let view = twice(second(DepositStatus::Unconfirmed, None), true);
    player.answer(200, Body::View(Box::new(CheckoutView { version, ..view })));
    assert_eq!(player.screen(), "paid-twice");
    assert_eq!(player.model().announcement, "This order was already paid");
    for _ in 0..60 {
        player.wait(player.wake().min(1_000));
        assert!(!player.effects.iter().any(|effect| matches!(effect, Effect::Leave(_))));
        if player.page.shared.connection.in_flight.is_some() {
            player.answer(304, Body::Empty);
        }
    }
    let way_back = done(&player).way_back;
    assert!(way_back.link.is_some() && way_back.leaving.is_none(), "{way_back:?}");
}

#[test]
fn an_embedding_page_gets_no_url_to_redirect_to() {
    let mut player = Player::open_view(framed(), twice(second(DepositStatus::Confirmed, None), true));
    player.play(checkout_widget::event::What::Message(hello()));
    let told = player.told();
    let urls: Vec<_> = told
        .iter()
        .filter_map(|event| match event {
            HostEvent::Complete { redirect_url, .. } => Some(redirect_url),
            _ => None,
        })
        .collect();
    assert_eq!(urls, [&None]);
}

#[test]
fn every_language_names_both_amounts_the_time_and_the_reference() {
    for (tag, _) in words::LANGUAGES {
        let translation = words::find(&[Some(tag)]);
        let player = Player::open_view(page_url(), twice(second(DepositStatus::Confirmed, None), false));
        let present::Body::Done(done) = player.model_in(translation).body else {
            panic!("{tag}: no receipt")
        };
        let amount = format!("0{}00412345\u{a0}BTC", translation.words.page.decimal_sign);
        assert_eq!(done.text.matches(&amount).count(), 2, "{tag}: {}", done.text);
        let note = done.twice_note.unwrap_or_default();
        assert!(note.contains("order-1") && note.contains("Kettle & Leaf"), "{tag}: {note}");
    }
}
