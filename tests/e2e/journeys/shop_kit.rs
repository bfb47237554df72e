//! The same order on the shop's own page: the checkout as static files, beside the hosted one.

use crate::support::asking::asks_for;
use crate::support::places;
use crate::support::shop::Shop;
use crate::support::stage::journey;

#[test]
fn an_order_is_paid_on_the_shops_own_page() {
    places::kit();
    journey(async |stage| {
        let ready = stage.gateway.ready.clone();
        let shop = Shop::order(stage.browser, &stage.gateway).await;
        let page = shop.page;
        let id = shop.payment(&stage.gateway).await.payment_id;
        page.pick("form", "kit").await;
        page.until("explains the shop's own page", |page| page.text.contains("static files")).await;
        page.click_on("a.buy").await;
        let choose = page.until_screen("choose").await;
        assert!(choose.url.starts_with(&format!("{}/pay/?", ready.shop_url)), "{}", choose.url);
        assert!(choose.text.contains("Kettle & Co") && choose.text.contains("KC-"), "{}", choose.text);
        assert!(choose.text.contains('≈'), "the gateway's estimates: {}", choose.text);
        page.choose("BTC", "BTC").await;
        let payment = stage.gateway.payment(&id);
        asks_for(&page.until_screen("pay").await, &payment);
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        let thanks = page.until("is the thanks page", |page| page.parts.contains_key("thanks")).await;
        assert!(thanks.url.starts_with(&format!("{}/thanks?", ready.shop_url)), "{}", thanks.url);
        assert_eq!(thanks.value("thanks"), Some("DEPOSITED"));
    });
}
