//! The redirect to the merchant.

use checkout_widget::effect::Effect;
use checkout_widget::event::{Act, Body, What};
use checkout_widget::page_url::PageUrl;
use checkout_widget::present::{self, Return};
use checkout_wire::payment::{Payment, RefundStatus};

use crate::payments::{expired, overpaid, paid, pending, returning, seen, view};
use crate::player::{Player, page_url};

fn way_back(player: &Player) -> Return {
    match player.model().body {
        present::Body::Done(done) => done.way_back,
        present::Body::Expired(expired) => expired.way_back,
        present::Body::Seen(seen) => seen.way_back,
        other => panic!("no link back: {other:?}"),
    }
}

/// Waits up to ten seconds; returns each redirect with its URL and its time.
fn leaves(player: &mut Player) -> Vec<(u64, String)> {
    let mut left = Vec::new();
    let start = player.now;
    while player.now < start + 10_000 {
        player.wait(player.wake().min(500));
        for effect in &player.effects {
            if let Effect::Leave(url) = effect {
                left.push((player.now - start, url.clone()));
            }
        }
        if player.page.shared.connection.in_flight.is_some() {
            player.answer(304, Body::Empty);
        }
    }
    left
}

#[test]
fn the_page_redirects_once_after_five_seconds() {
    for payment in [paid(), overpaid(Some(RefundStatus::Pending))] {
        let mut player = Player::open(returning(payment));
        let shown = way_back(&player);
        assert_eq!(shown.leaving.as_deref(), Some("You return in 5 seconds"));
        assert_eq!(shown.link.expect("a link to return sooner").href, "https://shop.example/thanks");
        let left = leaves(&mut player);
        assert_eq!(left.len(), 1, "{left:?}");
        assert!((5_000..=5_500).contains(&left[0].0), "{left:?}");
        // Restored from the browser's cache.
        player.play(What::Returned);
        assert_eq!(leaves(&mut player), []);
        assert!(way_back(&player).link.is_some() && way_back(&player).leaving.is_none());
    }
}

#[test]
fn the_payer_can_cancel_the_redirect() {
    let mut player = Player::open(returning(paid()));
    player.act(Act::Stay);
    assert_eq!(leaves(&mut player), []);
    assert!(way_back(&player).link.is_some() && way_back(&player).stay.is_none());
}

#[test]
fn a_hidden_page_does_not_redirect() {
    let mut player = Player::open(returning(seen()));
    player.play(What::Hidden);
    player.watch(returning(paid()));
    assert_eq!(leaves(&mut player), []);
    player.play(What::Returned);
    assert_eq!(leaves(&mut player).len(), 1);
}

#[test]
fn a_reorganised_payment_cancels_the_redirect() {
    let mut player = Player::open(returning(paid()));
    player.wait_for_call_within(4_000);
    player.see(returning(pending()));
    assert_eq!((leaves(&mut player), player.screen()), (vec![], "pay"));
}

#[test]
fn a_removed_redirect_url_cancels_the_redirect() {
    let mut player = Player::open(returning(paid()));
    player.watch(paid());
    assert_eq!((leaves(&mut player), way_back(&player)), (vec![], Return::default()));
}

#[test]
fn an_incomplete_payment_does_not_redirect() {
    for payment in [pending(), seen(), expired()] {
        assert_eq!(leaves(&mut Player::open(returning(payment))), []);
    }
    for payment in [seen(), expired()] {
        assert!(way_back(&Player::open(returning(payment))).link.is_some(), "but there is a link");
    }
}

/// The hint of the screen `seen`: an instant deposit was reported to the merchant before its block.
#[test]
fn a_reported_transfer_is_not_announced_for_later() {
    for (credited, expected) in [
        ("0", "is told as soon as the transfer is confirmed"),
        ("0.001", "is told as soon as the transfer is confirmed"),
        ("0.00412345", "can already see the transfer"),
    ] {
        let payment = Payment { actual_deposit_amount: credited.into(), ..seen() };
        let present::Body::Seen(shown) = Player::open(payment).model().body else { panic!("not seen") };
        assert!(shown.hint.ends_with(&format!("{expected}.")), "{credited}: {}", shown.hint);
    }
}

#[test]
fn redirects_use_only_safe_urls() {
    let check = |url: &str, secure, expected: bool| {
        let payment = Payment { redirect_url: Some(url.into()), ..paid() };
        let mut player = Player::open_view(PageUrl { secure, ..page_url() }, view(payment));
        assert_eq!(way_back(&player).link.is_some(), expected, "{url}");
        assert_eq!(leaves(&mut player).len(), usize::from(expected), "{url}");
    };
    check("https://shop.example/thanks", true, true);
    check("http://127.0.0.1:8081/thanks", false, true);
    check("http://shop.example/thanks", true, false);
    check("javascript:alert(1)", false, false);
    check("/relative", false, false);
}

impl Player {
    /// Makes the next poll happen before the redirect.
    fn wait_for_call_within(&mut self, millis: u64) {
        self.now += millis;
        self.play(What::Returned);
        assert!(self.page.shared.connection.in_flight.is_some());
    }
}
