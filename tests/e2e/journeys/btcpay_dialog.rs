//! The dialog of a shop whose plugin is one for BTCPay Server: its script, its calls, and the messages that it waits for.

use serde_json::{Value, json};

use crate::support::frame;
use crate::support::merchant::Merchant;
use crate::support::stage::{Stage, journey};
use crate::support::wait::eventually;

const FRAME: &str = "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')";
const HEARD: &str = "return heard";

/// A shop's page with the dialog of an invoice; `heard` has what its script was told.
async fn shop(stage: &mut Stage<'_>) -> (Merchant, Value) {
    let (listener, origin) = Merchant::reserve();
    stage.gateway.become_business(&["--origin", &origin, "--greenfield"]);
    let stores: Value = stage.gateway.get("/api/v1/stores");
    let path = format!("/api/v1/stores/{}/invoices", stores[0]["id"].as_str().expect("a store"));
    let body = json!({"amount": "25.00", "currency": "EUR", "metadata": {"orderId": "97"}});
    let invoice: Value = stage.gateway.post(&path, &body);
    let page = format!(
        "<!doctype html><title>Shop</title><script src='{}/modal/btcpay.js'></script>
         <script>window.heard = [];
           btcpay.onModalWillEnter(() => heard.push('enter'));
           btcpay.onModalWillLeave(() => heard.push('leave'));
           btcpay.onModalReceiveMessage(({{ data }}) => heard.push(data.status ?? data));
           btcpay.showInvoice('{}');
         </script>",
        stage.gateway.ready.base_url,
        invoice["id"].as_str().expect("an id")
    );
    let merchant = Merchant::open_at(listener, &page);
    stage.browser.goto(&merchant.origin).await;
    (merchant, invoice)
}

async fn until_heard(stage: &Stage<'_>, expected: &[&str]) {
    let what = format!("the shop hears {expected:?}");
    eventually(&what, async || stage.browser.run(HEARD, vec![]).await == json!(expected)).await;
}

#[test]
fn an_order_is_paid_in_the_dialog() {
    journey(async |stage| {
        let (_merchant, invoice) = shop(stage).await;
        frame::enter(stage.browser, FRAME).await;
        stage.page().choose("BTC", "BTC").await;
        stage.browser.top().await;
        until_heard(stage, &["enter", "loaded"]).await;
        let id = &invoice["id"].as_str().expect("an id")[..36];
        let payment = stage.gateway.payment(id);
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        until_heard(stage, &["enter", "loaded", "settled"]).await;
        stage.browser.run("document.querySelector('crypto-checkout').close()", vec![]).await;
        until_heard(stage, &["enter", "loaded", "settled", "leave", "close"]).await;
    });
}

#[test]
fn an_order_that_expires_in_the_dialog_is_said_to_the_shop() {
    journey(async |stage| {
        let (_merchant, _) = shop(stage).await;
        until_heard(stage, &["enter", "loaded"]).await;
        stage.gateway.advance_clock(24 * 3_600);
        until_heard(stage, &["enter", "loaded", "expired"]).await;
    });
}
