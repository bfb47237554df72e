//! The kit in front of our own gateway: it finds the extensions, and uses them.

use std::net::TcpListener;

use serde_json::json;

use crate::support::gateway::order;
use crate::support::kit::KitFiles;
use crate::support::merchant::Merchant;
use crate::support::sandbox::share;
use crate::support::stage::{Stage, journey};

/// The address of the kit, of which the gateway's business knows.
fn kit(stage: &mut Stage<'_>) -> KitFiles {
    let (listener, origin): (TcpListener, String) = Merchant::reserve();
    stage.gateway.become_business(&["--origin", &origin]);
    KitFiles::serve(listener, &json!({"api": stage.gateway.ready.base_url}))
}

#[test]
fn estimates_rate_and_claims_come_from_the_gateway() {
    journey(async |stage| {
        let kit = kit(stage);
        let created = stage.gateway.create(&order());
        let (page, query) = created.payment_url.split_once('?').expect("a query");
        let id = page.rsplit('/').next().expect("an id");
        stage.page().open(&format!("{}/pay/?paymentId={id}&{query}", kit.origin)).await;
        let page = stage.page();
        let choose = page.until_screen("choose").await;
        assert!(choose.text.contains("Pay Kettle & Co"), "{}", choose.text);
        assert!(choose.text.contains('≈'), "estimates: {}", choose.text);
        page.choose("USDC", "BSC").await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        let pay = page.until("offers the look-up", |page| page.shown("lookup").is_some()).await;
        assert!(pay.text.contains("1\u{a0}USDC ="), "the rate: {}", pay.text);
        let (too_much, _) = share(&payment, 3, 2);
        stage.gateway.transfer(&payment, &too_much);
        stage.gateway.mine(&payment);
        let overpaid = page.until_screen("overpaid").await;
        assert_eq!(overpaid.value("claim"), Some("OPEN"), "{}", overpaid.text);
        // The gateway draws the form, at its own address.
        page.click("get-back").await;
        let base = stage.gateway.ready.base_url.clone();
        page.until("is the gateway's form", |page| page.is("claim") && page.url.starts_with(&base)).await;
    });
}
