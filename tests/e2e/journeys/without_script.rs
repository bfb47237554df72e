//! A payment from the first page to the receipt, rendered only by the server.

use checkout_core::wire::create_payment::CreatePayment;

use crate::support::asking::asks_for;
use crate::support::gateway::order;
use crate::support::qr;
use crate::support::stage::{Stage, journey};

#[test]
fn a_payment_works_without_scripts() {
    journey(async |stage| {
        stage.browser.script(false).await;
        pays(stage).await;
    });
}

#[test]
fn a_payment_works_without_webassembly() {
    journey(async |stage| {
        stage.browser.expect_in_console("WebAssembly");
        stage.browser.before_every_page("delete globalThis.WebAssembly").await;
        pays(stage).await;
    });
}

async fn pays(stage: &Stage<'_>) {
    let page = stage.page();
    let order = CreatePayment { redirect_url: Some(stage.gateway.ready.shop_url.clone()), ..order() };
    let created = stage.open(&order).await;
    let id = &created.payment_info.payment_id;
    page.choose("USDT", "TRX").await;
    page.click("change-currency").await;
    page.choose("XRP", "XRP").await;
    let payment = stage.gateway.payment(id);
    let asking = page.until_screen("pay").await;
    asks_for(&asking, &payment);
    assert!(asking.countdown().is_some_and(|left| left > 0));
    assert_eq!(Some(qr::read(&page.picture("qr").await).text.as_str()), asking.value("qr"));
    assert!(asking.shown("copy-address").is_none(), "buttons that need a script are hidden");
    assert!(asking.text.contains("reloads by itself"), "{}", asking.text);

    stage.gateway.pay(&payment);
    page.until_screen("seen").await;
    stage.gateway.mine(&payment);
    let paid = page.until_screen("paid").await;
    assert!(paid.shown("return").is_some());
    page.click("return").await;
    page.until("is the merchant's page", |page| page.url.starts_with(&stage.gateway.ready.shop_url)).await;
}
