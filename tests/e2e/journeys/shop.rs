use crate::support::asking::asks_for;
use crate::support::shop::Shop;
use crate::support::stage::journey;
use crate::support::wait::eventually;

#[test]
fn an_order_is_paid_inside_the_shops_page() {
    journey(async |stage| {
        let ready = stage.gateway.ready.clone();
        assert_ne!(ready.shop_url, ready.base_url, "two origins");
        let shop = Shop::order(stage.browser, &stage.gateway).await;
        let html = stage.browser.run("return document.documentElement.outerHTML", vec![]).await;
        assert!(
            !html.as_str().unwrap().contains(&ready.business_token),
            "the business token stays on the server"
        );

        let id = shop.payment(&stage.gateway).await.payment_id;
        let page = shop.enter().await;
        page.choose("BTC", "BTC").await;
        let payment = stage.gateway.payment(&id);
        asks_for(&page.until_screen("pay").await, &payment);
        assert_eq!(
            Some(page.copy("copy-address").await),
            payment.wallet_address,
            "copying works inside a frame"
        );
        shop.enter().await;
        let grown = "return innerHeight >= document.documentElement.scrollHeight";
        eventually("the frame has grown to its content", async || {
            stage.browser.run(grown, vec![]).await == true
        })
        .await;
        shop.leave().await;

        stage.gateway.pay(&payment);
        shop.page.until("shows the transfer", |page| page.value("shop-status") == Some("AWAITING")).await;
        stage.gateway.mine(&payment);
        let thanks = shop.page.until("is the thanks page", |page| page.parts.contains_key("thanks")).await;
        assert!(thanks.url.starts_with(&format!("{}/thanks?", ready.shop_url)), "{}", thanks.url);
        assert_eq!(thanks.value("thanks"), Some("DEPOSITED"));
        assert!(thanks.text.contains("it is paid"), "{}", thanks.text);
    });
}
