//! A payer closes the dialog of the checkout and shops on.

use std::time::Duration;

use checkout_wire::create_payment::CreatePayment;
use serde_json::json;
use tokio::time::sleep;

use crate::support::frame;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::{Stage, journey};
use crate::support::wait::eventually;

const FRAME: &str = "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')";
const COMPLETE: &str = "return window.complete";
/// Longer than the page waits before it redirects.
const WAIT: Duration = Duration::from_secs(8);

const CLOSE: &str = "document.querySelector('crypto-checkout').close()";
const REMAIN: &str =
    "document.querySelector('crypto-checkout').shadowRoot.querySelector('[part=remain]').click()";

/// A merchant's page with the checkout in a dialog, and what the payer does before the payment is complete, or during the wait.
async fn shops_on(stage: &mut Stage<'_>, before: &str, after: &str) {
    let browser = stage.browser;
    let (listener, origin) = Merchant::reserve();
    stage.gateway.become_business(&["--origin", &origin]);
    let order = CreatePayment { redirect_url: Some(format!("{origin}/thanks").into()), ..order() };
    let created = stage.gateway.create(&order);
    let payment = stage.gateway.choose(&created.payment_info.payment_id, "BTC");
    let page = format!(
        "<!doctype html><title>Shop</title><h1>Teapots</h1><script type=module src='{}/embed.js'></script>\
         <crypto-checkout mode=modal payment-url='{}'></crypto-checkout>\
         <script>window.complete = false; addEventListener('checkout:complete', () => window.complete = true)</script>",
        stage.gateway.ready.base_url,
        created.payment_url.replace('&', "&amp;")
    );
    let merchant = Merchant::open_at(listener, &page);
    browser.goto(&merchant.origin).await;
    frame::enter(browser, FRAME).await;
    stage.page().until_screen("pay").await;
    browser.top().await;
    browser.run(before, vec![]).await;
    stage.gateway.pay(&payment);
    stage.gateway.mine(&payment);
    eventually("the page hears of it", async || browser.run(COMPLETE, vec![]).await == json!(true)).await;
    browser.run(after, vec![]).await;
    sleep(WAIT).await;
    assert_eq!(browser.run("return document.title", vec![]).await, json!("Shop"));
    assert!(!merchant.visits().contains(&"/thanks".to_owned()), "{:?}", merchant.visits());
}

#[test]
fn a_payer_who_closed_the_dialog_before_is_not_redirected() {
    journey(async |stage| shops_on(stage, CLOSE, "").await);
}

#[test]
fn a_payer_who_closes_the_dialog_in_time_is_not_redirected() {
    journey(async |stage| shops_on(stage, "", CLOSE).await);
}

#[test]
fn a_payer_who_stays_is_not_redirected() {
    journey(async |stage| shops_on(stage, "", REMAIN).await);
}
