//! Every screen, on a phone and on a desktop, light and dark, in every language: saved as screenshots,
//! without overflow.

use checkout_wire::Payment;
use checkout_wire::create_payment::{CreatePayment, CreatedPayment};

use crate::support::browser::Browser;
use crate::support::gateway::order;
use crate::support::languages::fits_in_every_language;
use crate::support::sandbox::share;
use crate::support::screenshot::keep_all;
use crate::support::shop::Shop;
use crate::support::stage::{Stage, journey};

/// Takes screenshots and checks every language.
async fn keep_everywhere(browser: &Browser, name: &str) {
    keep_all(browser, name).await;
    fits_in_every_language(browser, name).await;
}

/// Opens a payment whose page follows the device's colours.
async fn open(stage: &Stage<'_>, order: &CreatePayment) -> CreatedPayment {
    let created = stage.gateway.create(order);
    stage.page().open(&created.payment_url.replace("theme=LIGHT", "theme=AUTO")).await;
    created
}

#[test]
fn every_screen_of_a_successful_payment() {
    journey(async |stage| {
        let page = stage.page();
        let created = open(stage, &order()).await;
        page.until_screen("choose").await;
        keep_everywhere(stage.browser, "choose").await;
        page.choose("BTC", "BTC").await;
        keep_everywhere(stage.browser, "pay").await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        keep_everywhere(stage.browser, "seen").await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        keep_everywhere(stage.browser, "paid").await;
    });
}

#[test]
fn every_screen_of_other_outcomes() {
    journey(async |stage| {
        let page = stage.page();
        // Figures with thousands.
        let large = CreatePayment { display_amount: Some("61234.50".into()), ..order() };
        let created = open(stage, &large).await;
        keep_everywhere(stage.browser, "choose-large").await;
        page.pick("currency", "USDT").await;
        page.until("offers the network", |page| page.offers("network", "TRX")).await;
        keep_all(stage.browser, "choose-network").await;
        page.pick("network", "TRX").await;
        page.until_screen("pay").await;
        keep_everywhere(stage.browser, "pay-token").await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        let (part, _) = share(&payment, 2, 5);
        stage.gateway.transfer(&payment, &part);
        stage.gateway.mine(&payment);
        page.until_screen("partial").await;
        keep_everywhere(stage.browser, "partial").await;
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        page.until_screen("overpaid").await;
        keep_everywhere(stage.browser, "overpaid").await;
        stage.gateway.pay(&payment);
        page.reload().await;
        page.until_screen("paid-twice").await;
        keep_everywhere(stage.browser, "paid-twice").await;
        stage.gateway.mine(&payment);
        page.reload().await;
        page.click("get-back").await;
        page.until_screen("claim").await;
        keep_everywhere(stage.browser, "claim").await;
        page.write("claim-to", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeD").await;
        page.until("finds the mistake", |page| page.value("claim-feedback") == Some("wrong")).await;
        keep_all(stage.browser, "claim-mistake").await;
        page.write("claim-to", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC").await;
        page.click("claim-next").await;
        page.until_screen("claim-review").await;
        keep_all(stage.browser, "claim-review").await;
        page.click("claim-ask").await;
        page.until("is asked for", |page| page.value("claim") == Some("ASKED")).await;
        keep_everywhere(stage.browser, "claim-asked").await;

        let created = open(stage, &order()).await;
        page.choose("XRP", "XRP").await;
        keep_everywhere(stage.browser, "pay-tag").await;
        page.click("lookup").await;
        page.until_screen("lookup").await;
        keep_everywhere(stage.browser, "lookup").await;
        page.write("lookup-transaction", "4a5e…").await;
        page.click("look-up").await;
        page.until("finds the mistake", |page| page.value("lookup-answer") == Some("no-id")).await;
        keep_all(stage.browser, "lookup-mistake").await;
        let elsewhere = Payment {
            wallet_address: Some("rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY".to_owned()),
            ..stage.gateway.payment(&created.payment_info.payment_id)
        };
        let astray = stage.gateway.pay(&elsewhere);
        page.write("lookup-transaction", &astray).await;
        page.click("look-up").await;
        page.until("says where it went", |page| page.value("lookup-answer") == Some("other-address")).await;
        keep_all(stage.browser, "lookup-elsewhere").await;
        page.click("back").await;
        page.until_screen("pay").await;
        stage.gateway.advance_clock(31 * 60);
        page.until_screen("expired").await;
        keep_everywhere(stage.browser, "expired").await;
    });
}

#[test]
fn every_screen_with_an_error() {
    journey(async |stage| {
        stage.browser.expect_in_console("the server responded with a status of 4");
        stage.browser.expect_in_console("net::ERR_INTERNET_DISCONNECTED");
        let page = stage.page();
        open(stage, &order()).await;
        page.choose("ETH", "ETH").await;
        stage.browser.offline(true).await;
        page.until("shows that it is offline", |page| page.fact("connection") == Some("offline")).await;
        keep_all(stage.browser, "offline").await;
        stage.browser.offline(false).await;
        page.until("is back", |page| page.fact("connection") == Some("online")).await;

        let created = stage.gateway.create(&order());
        let url = created.payment_url.replace("sessionToken=", "sessionToken=wrong").replace("LIGHT", "AUTO");
        page.open(&url).await;
        page.until_screen("problem").await;
        keep_everywhere(stage.browser, "problem").await;
    });
}

#[test]
fn every_page_of_the_shop() {
    journey(async |stage| {
        let page = stage.page();
        page.open(&stage.gateway.ready.shop_url).await;
        keep_all(stage.browser, "shop").await;
        let shop = Shop::order(stage.browser, &stage.gateway).await;
        let id = shop.payment(&stage.gateway).await.payment_id;
        shop.enter().await.choose("BTC", "BTC").await;
        shop.leave().await;
        keep_all(stage.browser, "shop-order").await;
        let payment = stage.gateway.payment(&id);
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        page.until("is the thanks page", |page| page.parts.contains_key("thanks")).await;
        keep_all(stage.browser, "shop-thanks").await;
    });
}
