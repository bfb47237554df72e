//! Money that came twice: the payer asks for it, with the script and without, and the merchant approves.

use serde_json::{Value, json};

use crate::support::faulty::{Fault, Faulty};
use crate::support::gateway::order;
use crate::support::page::Page;
use crate::support::snapshot::Snapshot;
use crate::support::stage::{Stage, journey};

const ADDRESS: &str = "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9";
const OTHER: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

#[test]
fn a_payer_gets_back_what_came_twice() {
    journey(async |stage| {
        let page = stage.page();
        let id = paid_twice(stage, &stage.gateway.ready.base_url).await;
        page.until("offers it", |page| page.shown("get-back").is_some()).await;
        page.click("get-back").await;
        page.until_screen("claim").await;
        // A mistake is told at once, and nothing goes on.
        page.write("claim-to", OTHER).await;
        // A part of it is another mistake.
        let is_told = |page: &Snapshot| {
            page.shown("claim-feedback").is_some_and(|told| told.text.contains("not an address on Litecoin"))
        };
        page.until("says which network it is not", is_told).await;
        page.click("claim-next").await;
        page.until("is the answer to the form", |page| page.url.contains("/claim?")).await;
        page.write("claim-to", ADDRESS).await;
        told(&page, "valid").await;
        page.click("claim-next").await;
        asks_and_is_paid(stage, &page, &id).await;
    });
}

#[test]
fn without_script_the_payer_gets_back_what_came_twice() {
    journey(async |stage| {
        for expected in ["WebAssembly", "wasm", "status of 404"] {
            stage.browser.expect_in_console(expected);
        }
        let proxy = Faulty::before(&stage.gateway.ready.base_url, |line| line.contains(".wasm "));
        proxy.suffer(Fault::Status(404, ""));
        let page = stage.page();
        let id = paid_twice(stage, &proxy.origin).await;
        page.until("offers it", |page| page.shown("get-back").is_some()).await;
        page.click("get-back").await;
        page.until_screen("claim").await;
        page.write("claim-to", OTHER).await;
        page.click("claim-next").await;
        let wrong = told(&page, "wrong").await;
        assert!(wrong.text.contains("not an address on Litecoin"), "{}", wrong.text);
        page.write("claim-to", ADDRESS).await;
        page.click("claim-next").await;
        asks_and_is_paid(stage, &page, &id).await;
    });
}

/// Returns the payment's id.
async fn paid_twice(stage: &Stage<'_>, origin: &str) -> String {
    let created = stage.gateway.create(&order());
    let page = stage.page();
    page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, origin)).await;
    page.choose("LTC", "LTC").await;
    let payment = stage.gateway.payment(&created.payment_info.payment_id);
    for _ in 0..2 {
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
    }
    page.reload().await;
    page.until_screen("paid-twice").await;
    payment.payment_id.to_string()
}

async fn told(page: &Page<'_>, value: &str) -> Snapshot {
    page.until("says what it thinks of the address", |page| page.value("claim-feedback") == Some(value)).await
}

async fn asks_and_is_paid(stage: &Stage<'_>, page: &Page<'_>, id: &str) {
    let review = page.until_screen("claim-review").await;
    assert!(review.text.contains(ADDRESS) && review.text.contains("Litecoin"), "{}", review.text);
    page.click("claim-ask").await;
    let asked = page.until("is asked for", |page| page.value("claim") == Some("ASKED")).await;
    assert!(asked.text.contains(ADDRESS), "{}", asked.text);
    page.reload().await;
    page.until("is asked for after a reload", |page| page.value("claim") == Some("ASKED")).await;
    let refunds: Vec<Value> = stage.gateway.get(&format!("/api/v1/refunds?paymentId={id}"));
    assert_eq!(refunds[0]["claimedAddress"], ADDRESS);
    let refund = refunds[0]["refundId"].as_str().expect("an id");
    let seen = json!({"address": ADDRESS, "amount": refunds[0]["amount"]});
    let _: Value = stage.gateway.post(&format!("/api/v1/refunds/{refund}/approve"), &seen);
    page.until("is sent", |page| page.value("claim") == Some("SENT")).await;
    stage.gateway.mine(&stage.gateway.payment(id));
    let done = page.until("is confirmed", |page| page.value("claim") == Some("CONFIRMED")).await;
    assert!(done.text.contains("sent back to you"), "{}", done.text);
}
