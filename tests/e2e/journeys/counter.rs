//! Somebody types an amount at a counter, and the buyer pays it.

use checkout_wire::Payment;
use serde::Deserialize;
use serde_json::json;

use crate::support::sandbox::share;
use crate::support::snapshot::Snapshot;
use crate::support::stage::{Stage, journey};

const PAST_THE_END: u64 = 30 * 60 + 1;

/// Counts the tones that the page plays.
const LISTEN: &str = "window.tones = 0; const { start } = OscillatorNode.prototype; \
    OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); }";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreatedCounter {
    counter_id: String,
    pub(crate) url: String,
}

pub(crate) fn counter(stage: &Stage<'_>, title: &str) -> CreatedCounter {
    stage
        .gateway
        .post("/api/v1/counters", &json!({"title": title, "displayCurrency": "EUR", "maxAmount": "500"}))
}

/// Types 12.50, and asks for it.
pub(crate) async fn asks(stage: &Stage<'_>, counter: &CreatedCounter) {
    let page = stage.page();
    page.open(&counter.url).await;
    page.until("has its keys", |page| page.shown("key-1").is_some()).await;
    for key in ["key-1", "key-2", "key-9", "key-erase", "key-5", "key-0"] {
        page.click(key).await;
    }
    page.until("has the amount", |page| says(page, "amount", "12.50")).await;
    page.click("charge").await;
    page.until("shows the code", |page| page.shown("code").is_some()).await;
}

/// The payments of a counter, the newest first.
pub(crate) fn sales(stage: &Stage<'_>, counter: &CreatedCounter) -> Vec<Payment> {
    let id = &counter.counter_id;
    stage.gateway.get(&format!("/api/v1/payments?metadata=counter:{id}"))
}

pub(crate) fn says(page: &Snapshot, part: &str, text: &str) -> bool {
    page.shown(part).is_some_and(|shown| shown.text.contains(text))
}

#[test]
fn an_amount_is_typed_and_paid_and_the_next_one_follows() {
    journey(async |stage| {
        let counter = counter(stage, "Market stall");
        asks(stage, &counter).await;
        let page = stage.page();
        let [sale] = &sales(stage, &counter)[..] else { panic!("one sale") };
        let _ = stage.browser.run(LISTEN, vec![]).await;
        let chosen = stage.gateway.choose(&sale.payment_id, "LTC");
        stage.gateway.pay(&chosen);
        let seen = page.until("has seen it", |page| says(page, "state", "was seen")).await;
        assert!(seen.shown("check").is_none() && seen.shown("code").is_none(), "{}", seen.text);
        stage.gateway.mine(&chosen);
        let paid = page.until("has the check mark", |page| page.shown("check").is_some()).await;
        assert!(says(&paid, "state", "Paid") && says(&paid, "asked", "12.50"), "{}", paid.text);
        assert_eq!(stage.browser.run("return window.tones", vec![]).await, json!(2));
        page.click("next").await;
        page.until("is empty", |page| says(page, "amount", "0.00")).await;
        page.reload().await;
        page.until("stays empty", |page| says(page, "amount", "0.00")).await;
        let secret = counter.url.split_once('#').expect("a link with its secret").1;
        assert!(!stage.gateway.log().contains(secret), "the secret is in the log");
    });
}

#[test]
fn a_reload_in_the_middle_finds_the_sale_again() {
    journey(async |stage| {
        let counter = counter(stage, "Market stall");
        asks(stage, &counter).await;
        let page = stage.page();
        page.reload().await;
        let again = page.until("has the code again", |page| page.shown("code").is_some()).await;
        assert!(says(&again, "asked", "12.50"), "{}", again.text);
        let [sale] = &sales(stage, &counter)[..] else { panic!("one sale") };
        let chosen = stage.gateway.choose(&sale.payment_id, "LTC");
        stage.gateway.pay(&chosen);
        stage.gateway.mine(&chosen);
        page.until("has the check mark", |page| page.shown("check").is_some()).await;
        // A sale that is cancelled is over for the buyer, too.
        page.click("next").await;
        page.until("has its keys", |page| page.shown("key-5").is_some()).await;
        page.click("key-5").await;
        page.click("charge").await;
        page.until("shows the code", |page| page.shown("code").is_some()).await;
        page.click("cancel").await;
        page.until("has its keys", |page| page.shown("key-5").is_some()).await;
        let cancelled = &sales(stage, &counter)[0];
        assert!(cancelled.cancelled_at.is_some());
    });
}

#[test]
fn a_part_and_the_end_of_the_time_are_told() {
    journey(async |stage| {
        let counter = counter(stage, "Market stall");
        asks(stage, &counter).await;
        let page = stage.page();
        let sale = sales(stage, &counter).remove(0);
        let chosen = stage.gateway.choose(&sale.payment_id, "LTC");
        let (part, rest) = share(&chosen, 1, 2);
        stage.gateway.transfer(&chosen, &part);
        stage.gateway.mine(&chosen);
        let part = page.until("tells the part", |page| says(page, "state", "6.2")).await;
        assert!(part.shown("code").is_some() && part.shown("cancel").is_none(), "{}", part.text);
        stage.gateway.advance_clock(PAST_THE_END);
        let expired = page.until("tells the end", |page| says(page, "state", "The time is up")).await;
        assert!(says(&expired, "state", "6.2") && expired.shown("check").is_none(), "{}", expired.text);
        // What comes late pays.
        stage.gateway.transfer(&chosen, &rest);
        stage.gateway.mine(&chosen);
        page.until("has the check mark", |page| page.shown("check").is_some()).await;
    });
}

#[test]
fn a_counter_that_is_withdrawn_says_so() {
    journey(async |stage| {
        stage.browser.expect_in_console("status of 401");
        let counter = counter(stage, "Market stall");
        asks(stage, &counter).await;
        let page = stage.page();
        let id = &counter.counter_id;
        let _: serde_json::Value = stage.gateway.post(&format!("/api/v1/counters/{id}/withdraw"), &json!({}));
        let ended = page.until("says so", |page| says(page, "wrong", "withdrawn")).await;
        assert!(ended.shown("key-1").is_none() && ended.shown("code").is_none(), "{}", ended.text);
    });
}
