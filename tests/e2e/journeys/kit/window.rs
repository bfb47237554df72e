//! The window of a payment, from `expirationMinutes` and `paymentInitiatedAt`.

use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::support::asking::asks_for;
use crate::support::kit::before_each_server;

fn now() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().expect("the clock is right").as_secs()
}

#[test]
fn the_countdown_follows_the_servers_time() {
    before_each_server(&async |stage| {
        let started = now() - 60;
        stage
            .open_and_choose(json!({"expirationMinutes": 15, "paymentInitiatedAt": started}), "BTC", "BTC")
            .await;
        let page = stage.page();
        let mut last = i64::MAX;
        for _ in 0..40 {
            let shown = page.until("counts down", |page| page.countdown().is_some()).await;
            let (shown, left) = (shown.countdown().expect("it does"), started + 15 * 60 - now());
            assert!(shown.abs_diff(left.cast_signed()) <= 2, "{shown} of {left}");
            assert!(shown <= last, "it never goes back: {last}, then {shown}");
            last = shown;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
}

#[test]
fn an_expired_payment_gets_a_new_quote_in_one_action() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let order = json!({"expirationMinutes": 15});
        let payment = stage.open_and_choose(order, "BTC", "BTC").await;
        // The server does not say so: the page knows the end by itself.
        let before = now() - 15 * 60 - 1;
        let facts = json!({"paymentInitiatedAt": before, "paymentRequestedAt": before});
        stage.server.set(&payment.payment_id, &facts);
        page.until_screen("expired").await;
        page.click("new-quote").await;
        let again = page.until_screen("pay").await;
        asks_for(&again, &stage.server.payment(&payment.payment_id));
        assert!(
            again.countdown().is_some_and(|left| left > 14 * 60),
            "a new window: {:?}",
            again.countdown()
        );
        stage.pay(&payment, "DEPOSITED", "CONFIRMED");
        page.until_screen("paid").await;
    });
}

#[test]
fn a_payment_that_expired_before_the_choice_offers_the_choice() {
    before_each_server(&async |stage| {
        let page = stage.page();
        stage.open(json!({"expirationMinutes": 15, "paymentInitiatedAt": now() - 15 * 60 - 1})).await;
        let expired = page.until_screen("expired").await;
        assert!(!expired.text.contains("rate"), "there was none: {}", expired.text);
        page.click("new-quote").await;
        page.choose("BTC", "BTC").await;
    });
}

#[test]
fn zero_minutes_are_seven_days() {
    before_each_server(&async |stage| {
        stage.open_and_choose(json!({"expirationMinutes": 0}), "BTC", "BTC").await;
        let left = stage.page().until("counts down", |page| page.countdown().is_some()).await.countdown();
        assert!(left.is_some_and(|left| (7 * 86_400 - 60..=7 * 86_400).contains(&left)), "{left:?}");
    });
}
