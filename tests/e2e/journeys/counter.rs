//! Somebody types an amount at a counter, and the buyer pays it.

use checkout_wire::Payment;
use fantoccini::key::Key;
use serde::Deserialize;
use serde_json::json;

use crate::support::keys;
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
    pub(crate) counter_id: String,
    pub(crate) url: String,
}

pub(crate) fn counter(stage: &Stage<'_>, title: &str) -> CreatedCounter {
    counter_in(stage, title, "EUR", "500")
}

fn counter_in(stage: &Stage<'_>, title: &str, currency: &str, max: &str) -> CreatedCounter {
    let counter = json!({"title": title, "displayCurrency": currency, "maxAmount": max});
    stage.gateway.post("/api/v1/counters", &counter)
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
        assert_eq!(stage.browser.run("return window.tones", vec![]).await, json!(0), "nothing is paid yet");
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

#[test]
fn a_sale_that_was_cancelled_elsewhere_is_told() {
    journey(async |stage| {
        let counter = counter(stage, "Market stall");
        asks(stage, &counter).await;
        let sale = sales(stage, &counter).remove(0);
        let _: Payment =
            stage.gateway.post(&format!("/api/v1/payments/{}/cancel", sale.payment_id), &json!({}));
        let told = stage.page().until("is over", |page| page.shown("next").is_some()).await;
        assert!(says(&told, "state", "was cancelled"), "{}", told.text);
    });
}

/// The next sale, once by a key that has the focus and once by two presses.
#[test]
fn enter_asks_and_two_presses_ask_once() {
    journey(async |stage| {
        let counter = counter(stage, "Market stall");
        let (page, browser) = (stage.page(), stage.browser);
        page.open(&counter.url).await;
        page.click("key-5").await;
        page.click("key-00").await;
        keys::press(browser, Key::Enter).await;
        let code = page.until("shows the code", |page| page.shown("code").is_some()).await;
        assert!(says(&code, "asked", "5.00"), "{}", code.text);
        page.click("cancel").await;
        page.click("key-7").await;
        let _ = browser
            .run("const ask = document.querySelector('[data-part=charge]'); ask.click(); ask.click()", vec![])
            .await;
        page.until("shows the code", |page| page.shown("code").is_some()).await;
        browser.reload().await;
        page.until("shows the code", |page| page.shown("code").is_some()).await;
        assert_eq!(sales(stage, &counter).len(), 2);
    });
}

#[test]
fn a_currency_without_cents_is_typed_whole() {
    journey(async |stage| {
        let counter = counter_in(stage, "Market stall", "JPY", "20000");
        let page = stage.page();
        page.open(&counter.url).await;
        for key in ["key-1", "key-2", "key-5", "key-0"] {
            page.click(key).await;
        }
        let ready = page.until("has the amount", |page| says(page, "amount", "1,250")).await;
        assert!(says(&ready, "charge", "1,250") && says(&ready, "hint", "20,000"), "{}", ready.text);
        page.click("charge").await;
        page.until("asks for it", |page| says(page, "asked", "1,250") && page.shown("code").is_some()).await;
    });
}

#[test]
fn two_tabs_have_a_sale_each() {
    journey(async |stage| {
        let counter = counter(stage, "Market stall");
        asks(stage, &counter).await;
        let (page, browser) = (stage.page(), stage.browser);
        let first = browser.client.window().await.expect("a tab is open");
        browser.tab(&counter.url).await;
        page.until("has its keys", |page| page.shown("key-7").is_some()).await;
        page.click("key-7").await;
        page.click("charge").await;
        page.until("has its own sale", |page| says(page, "asked", "0.07") && page.shown("code").is_some())
            .await;
        browser.switch(&first).await;
        page.reload().await;
        let again = page.until("has its sale again", |page| page.shown("code").is_some()).await;
        assert!(says(&again, "asked", "12.50"), "{}", again.text);
    });
}

#[test]
fn what_is_paid_after_it_was_left_is_told() {
    journey(async |stage| {
        let counter = counter(stage, "Market stall");
        asks(stage, &counter).await;
        let page = stage.page();
        // The buyer has the address already, and the cancelled amount pays.
        let cancelled = stage.gateway.choose(&sales(stage, &counter)[0].payment_id, "LTC");
        page.click("cancel").await;
        page.until("has its keys", |page| page.shown("key-5").is_some()).await;
        page.click("key-5").await;
        page.click("charge").await;
        page.until("shows the code", |page| page.shown("code").is_some()).await;
        stage.gateway.pay(&cancelled);
        stage.gateway.mine(&cancelled);
        let told = page.until("tells the first one", |page| page.shown("earlier").is_some()).await;
        assert!(says(&told, "earlier", "12.50") && says(&told, "asked", "0.05"), "{}", told.text);
        assert!(told.shown("code").is_some() && told.shown("check").is_none(), "{}", told.text);
        let left = stage.gateway.choose(&sales(stage, &counter)[0].payment_id, "LTC");
        let (part, rest) = share(&left, 1, 2);
        stage.gateway.transfer(&left, &part);
        page.click("next").await;
        page.until("has its keys", |page| page.shown("key-5").is_some()).await;
        stage.gateway.transfer(&left, &rest);
        stage.gateway.mine(&left);
        page.until("tells both", |page| says(page, "earlier", "12.50") && says(page, "earlier", "0.05"))
            .await;
        page.reload().await;
        page.until("tells both", |page| says(page, "earlier", "12.50") && says(page, "earlier", "0.05"))
            .await;
        page.click("dismiss").await;
        page.click("dismiss").await;
        page.until("tells none", |page| page.shown("earlier").is_none()).await;
        page.reload().await;
        let empty = page.until("has its keys", |page| page.shown("key-5").is_some()).await;
        assert!(empty.shown("earlier").is_none(), "{}", empty.text);
    });
}
