//! Too much was paid: one press of the payer sends it back where it came from, with the script and without.

use crate::support::faulty::{Fault, Faulty};
use crate::support::gateway::order;
use crate::support::sandbox::share;
use crate::support::stage::{Stage, journey};

#[test]
fn a_payer_says_that_it_came_from_their_own_wallet() {
    journey(async |stage| {
        stage.gateway.become_business(&["--overpayment", "EXCESS_REFUND"]);
        let origin = stage.gateway.ready.base_url.clone();
        presses(stage, &origin).await;
    });
}

#[test]
fn without_script_a_payer_says_that_it_came_from_their_own_wallet() {
    journey(async |stage| {
        for expected in ["WebAssembly", "wasm", "status of 404"] {
            stage.browser.expect_in_console(expected);
        }
        stage.gateway.become_business(&["--overpayment", "EXCESS_REFUND"]);
        let proxy = Faulty::before(&stage.gateway.ready.base_url, |line| line.contains(".wasm "));
        proxy.suffer(Fault::Status(404, ""));
        presses(stage, &proxy.origin).await;
    });
}

async fn presses(stage: &Stage<'_>, origin: &str) {
    let created = stage.gateway.create(&order());
    let page = stage.page();
    page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, origin)).await;
    page.choose("LTC", "LTC").await;
    let payment = stage.gateway.payment(&created.payment_info.payment_id);
    stage.gateway.transfer(&payment, &share(&payment, 3, 2).0);
    stage.gateway.mine(&payment);
    page.reload().await;
    let overpaid = page.until_screen("overpaid").await;
    assert_eq!(overpaid.value("claim"), Some("OPEN"), "nothing is sent without the payer: {}", overpaid.text);
    page.click("get-back").await;
    let asked = page.until_screen("claim").await;
    let sender = stage.gateway.payment(&payment.payment_id).deposits[0].from_address.clone();
    assert!(asked.text.contains("Is it your own wallet, not an exchange?"), "{}", asked.text);
    let tail = sender.get(sender.len() - 8..).expect("an address");
    assert!(asked.text.contains(tail), "{sender}: {}", asked.text);
    page.click("claim-own").await;
    let sent = page.until("is sent", |page| page.value("claim") == Some("SENT")).await;
    assert!(sent.text.contains(tail), "{}", sent.text);
    stage.gateway.mine(&payment);
    let done = page.until("is confirmed", |page| page.value("claim") == Some("CONFIRMED")).await;
    assert!(done.text.contains("sent back to you"), "{}", done.text);
}
