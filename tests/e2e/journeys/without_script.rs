//! A payment from the first page to the receipt, rendered only by the server.

use std::time::Duration;

use checkout_wire::create_payment::CreatePayment;

use crate::support::asking::asks_for;
use crate::support::faulty::{Fault, Faulty};
use crate::support::gateway::order;
use crate::support::qr;
use crate::support::stage::{Stage, journey};

#[test]
fn a_payment_works_without_webassembly() {
    journey(async |stage| {
        for expected in ["WebAssembly", "wasm", "status of 404"] {
            stage.browser.expect_in_console(expected);
        }
        let proxy = Faulty::before(&stage.gateway.ready.base_url, |line| line.contains(".wasm "));
        proxy.suffer(Fault::Status(404, ""));
        pays(stage, &proxy.origin).await;
    });
}

#[test]
fn a_script_that_does_not_load_is_told_and_the_forms_work() {
    journey(async |stage| {
        stage.browser.expect_in_console("status of 404");
        let proxy = Faulty::before(&stage.gateway.ready.base_url, |line| line.contains(".js "));
        proxy.suffer(Fault::Status(404, ""));
        let created = stage.gateway.create(&order());
        let page = stage.page();
        page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
        page.until("says so", |page| page.text.contains("Live updates are off")).await;
        let asking = page.choose("XLM", "XLM").await;
        asks_for(&asking, &stage.gateway.payment(&created.payment_info.payment_id));
        page.until("says so", |page| page.text.contains("Live updates are off")).await;
        proxy.heal();
        // The page reloads by itself.
        page.until_alive().await;
    });
}

/// A page without its module gives it up after three tries, and reloads after another 15 s.
const RELOADED: Duration = Duration::from_secs(90);

/// A payment on the page that the server draws, at the origin of the gateway or of a proxy.
pub(crate) async fn pays(stage: &Stage<'_>, origin: &str) {
    let page = stage.page();
    let order = CreatePayment { redirect_url: Some(stage.gateway.ready.shop_url.clone().into()), ..order() };
    let created = stage.gateway.create(&order);
    page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, origin)).await;
    let id = &created.payment_info.payment_id;
    // Nothing here is folded again when the page reloads, as the step of the tag is.
    let first = page.choose("USDT", "TRX").await;
    assert_eq!(Some(qr::scan(page.browser, first.value("qr")).await.text.as_str()), first.value("qr"));
    page.follow("change-currency", "offers the currencies", |page| page.is("choose")).await;
    page.choose("XRP", "XRP").await;
    let payment = stage.gateway.payment(id);
    // A script that runs without its module says so after a while.
    let asking = page
        .within(RELOADED, "says that it reloads", |page| {
            page.is("pay") && page.shown("address").is_some() && page.text.contains("reloads by itself")
        })
        .await;
    asks_for(&asking, &payment);
    assert!(asking.countdown().is_some_and(|left| left > 0));
    assert!(asking.shown("copy-address").is_none(), "buttons that need a script are hidden");

    stage.gateway.pay(&payment);
    page.within(RELOADED, "shows what is seen", |page| page.is("seen")).await;
    stage.gateway.mine(&payment);
    let paid = page.within(RELOADED, "shows that it is paid", |page| page.is("paid")).await;
    assert!(paid.shown("return").is_some());
    assert!(!paid.text.contains("You return in"), "nothing redirects without a script: {}", paid.text);
    let shop = &stage.gateway.ready.shop_url;
    page.follow("return", "is the merchant's page", |page| page.url.starts_with(shop)).await;
}
