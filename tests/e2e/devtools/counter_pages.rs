//! The page of a counter on a phone and a desktop, light and dark, and without a network.

use serde_json::json;

use crate::journeys::counter::{asks, counter, sales, says};
use crate::support::axe;
use crate::support::browser::{DESKTOP, PHONE, Scheme};
use crate::support::qr;
use crate::support::screenshot;
use crate::support::stage::{Stage, journey};

async fn look(stage: &Stage<'_>, shown: &str) {
    for viewport in [PHONE, DESKTOP] {
        for scheme in Scheme::BOTH {
            stage.browser.view(viewport).await;
            stage.browser.prefer(scheme).await;
            let device = if viewport.phone { "phone" } else { "desktop" };
            let name = format!("counter-{shown}-{device}-{}", scheme.word());
            axe::check(stage.browser, &name).await;
            screenshot::keep(stage.browser, &name).await;
            let is_wide = "return document.documentElement.scrollWidth > innerWidth";
            assert_eq!(stage.browser.run(is_wide, vec![]).await, json!(false), "{name}");
        }
    }
}

#[test]
fn every_state_of_a_counter_can_be_read() {
    journey(async |stage| {
        let counter = counter(stage, "Market stall");
        let page = stage.page();
        page.open(&counter.url).await;
        page.until("has its keys", |page| page.shown("key-1").is_some()).await;
        look(stage, "typing").await;
        stage.browser.goto("about:blank").await;
        asks(stage, &counter).await;
        stage.browser.view(PHONE).await;
        let sale = sales(stage, &counter).remove(0);
        let address = qr::scan(stage.browser, None).await.text;
        assert!(address.contains(&format!("/checkout/{}?sessionToken=", sale.payment_id)), "{address}");
        look(stage, "code").await;
        let chosen = stage.gateway.choose(&sale.payment_id, "LTC");
        stage.gateway.pay(&chosen);
        page.until("has seen it", |page| says(page, "state", "was seen")).await;
        look(stage, "seen").await;
        stage.gateway.mine(&chosen);
        page.until("has the check mark", |page| page.shown("check").is_some()).await;
        look(stage, "paid").await;
        page.click("next").await;
        page.click("key-5").await;
        page.click("charge").await;
        page.until("shows the code", |page| page.shown("code").is_some()).await;
        let left = stage.gateway.choose(&sales(stage, &counter)[0].payment_id, "LTC");
        page.click("cancel").await;
        page.until("has its keys", |page| page.shown("key-5").is_some()).await;
        stage.gateway.pay(&left);
        stage.gateway.mine(&left);
        page.until("tells it", |page| says(page, "earlier", "0.05")).await;
        look(stage, "earlier").await;
    });
}

#[test]
fn a_counter_without_a_network_says_so_and_catches_up() {
    journey(async |stage| {
        stage.browser.expect_in_console("net::ERR_INTERNET_DISCONNECTED");
        let counter = counter(stage, "Market stall");
        asks(stage, &counter).await;
        let page = stage.page();
        let sale = sales(stage, &counter).remove(0);
        let chosen = stage.gateway.choose(&sale.payment_id, "LTC");
        stage.browser.offline(true).await;
        stage.gateway.pay(&chosen);
        stage.gateway.mine(&chosen);
        let lost = page.until("says so", |page| says(page, "wrong", "No connection")).await;
        assert!(lost.shown("check").is_none(), "{}", lost.text);
        stage.browser.offline(false).await;
        let paid = page.until("has the check mark", |page| page.shown("check").is_some()).await;
        assert!(paid.shown("wrong").is_none(), "{}", paid.text);
    });
}
