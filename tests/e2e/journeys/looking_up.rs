//! "Paid, but nothing happens?": a payer looks for a transfer, with the script and without.

use checkout_wire::{Payment, PaymentStatus};
use serde_json::{Value, json};

use crate::support::faulty::{Fault, Faulty};
use crate::support::gateway::order;
use crate::support::page::Page;
use crate::support::snapshot::Snapshot;
use crate::support::stage::{Stage, journey};
use crate::support::wait::eventually;

#[test]
fn a_payer_finds_out_what_became_of_a_transfer() {
    journey(async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "XRP", "XRP").await;
        page.until_screen("pay").await;
        page.click("lookup").await;
        page.until_screen("lookup").await;
        let address = payment.wallet_address.clone().expect("it was chosen");
        look_up(&page, &address, "no-id").await;
        look_up(&page, &"0A".repeat(32), "unknown").await;
        // Without its tag the transfer belongs to no payment.
        let astray = without_tag(stage, &payment);
        let told = look_up(&page, &astray, "no-tag").await;
        assert!(told.text.contains("Destination tag") && told.text.contains("12.5"), "{}", told.text);
        assert!(told.text.contains(&*payment.client_payment_id), "the reference: {}", told.text);
        assert!(told.text.contains("operator of this payment page has been notified"), "{}", told.text);
        page.click("back").await;
        page.until_screen("pay").await;

        let paid = stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        page.click("lookup").await;
        page.until_screen("lookup").await;
        look_up(&page, &paid, "waiting").await;
        stage.gateway.mine(&payment);
        eventually("the transfer counts", async || {
            stage.gateway.payment(&payment.payment_id).status == PaymentStatus::Deposited
        })
        .await;
        look_up(&page, &paid, "counted").await;
        page.click("back").await;
        page.until_screen("paid").await;
    });
}

#[test]
fn without_script_a_payer_finds_out_what_became_of_a_transfer() {
    journey(async |stage| {
        for expected in ["WebAssembly", "wasm", "status of 404"] {
            stage.browser.expect_in_console(expected);
        }
        let proxy = Faulty::before(&stage.gateway.ready.base_url, |line| line.contains(".wasm "));
        proxy.suffer(Fault::Status(404, ""));
        let created = stage.gateway.create(&order());
        let page = stage.page();
        page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
        page.choose("LTC", "LTC").await;
        page.until("has the link", |page| page.shown("lookup").is_some()).await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        page.click("lookup").await;
        page.until_screen("lookup").await;
        let told = look_up(&page, "4a5e…", "no-id").await;
        assert_eq!(told.shown("mistake").map(|mistake| &*mistake.text), Some("4a5e…"));
        let paid = stage.gateway.pay(&payment);
        look_up(&page, &paid, "waiting").await;
    });
}

async fn look_up(page: &Page<'_>, text: &str, code: &str) -> Snapshot {
    page.write("lookup-transaction", text).await;
    page.click("look-up").await;
    page.until("has the answer", |page| page.value("lookup-answer") == Some(code)).await
}

/// Returns the transaction id.
fn without_tag(stage: &Stage<'_>, payment: &Payment) -> String {
    let transfer =
        json!({"network": "XRP", "currency": "XRP", "address": payment.wallet_address, "amount": "12.5"});
    let sent: Value = stage.gateway.post("/sandbox/transfers", &transfer);
    let _: Value = stage.gateway.post("/sandbox/blocks", &json!({"network": "XRP", "count": 1}));
    sent["transactionId"].as_str().expect("an id").to_owned()
}
