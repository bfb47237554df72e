use checkout_wire::PaymentStatus;
use serde_json::json;

use crate::support::shop::Shop;
use crate::support::stage::journey;

#[test]
fn the_shop_hears_of_every_step_once() {
    journey(async |stage| {
        let shop = Shop::order_with_ears(stage.browser, &stage.gateway).await;
        let id = shop.payment(&stage.gateway).await.payment_id;
        let page = shop.enter().await;
        page.choose("BTC", "BTC").await;
        let payment = stage.gateway.payment(&id);
        shop.leave().await;

        stage.gateway.pay(&payment);
        shop.page.until("knows of it", |page| page.value("shop-status") == Some("AWAITING")).await;
        stage.gateway.mine(&payment);
        shop.page.until("is the thanks page", |page| page.parts.contains_key("thanks")).await;

        let heard = shop.heard().await;
        let kinds: Vec<&str> = heard.iter().map(|event| event.kind.as_str()).collect();
        assert_eq!(kinds.first(), Some(&"checkout:ready"), "{kinds:?}");
        assert_eq!(kinds.iter().filter(|kind| **kind == "checkout:complete").count(), 1, "{kinds:?}");
        let told: Vec<&str> = heard
            .iter()
            .filter(|event| event.kind == "checkout:status")
            .filter_map(|event| event.detail["status"].as_str())
            .collect();
        assert!(told.ends_with(&["PENDING", "AWAITING", "DEPOSITED"]), "{told:?}");
        let complete = heard.iter().find(|event| event.kind == "checkout:complete").unwrap();
        assert_eq!(complete.detail["paymentId"], json!(payment.payment_id));
        assert_eq!(complete.detail["status"], json!(PaymentStatus::Deposited.as_str()));
        let said = format!("{heard:?} {:?}", shop.messages().await);
        assert!(!said.contains("sessionToken"), "the session token is in no message: {said}");
    });
}
