//! What a server says, and what is shown for it.

use serde_json::json;

use crate::support::kit::{KINDS, KitStage, before_each_server};
use crate::support::stage::with_browser;

#[test]
fn an_address_that_the_core_refuses_is_never_shown() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
        for (wrong, why) in [
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "a mistake"),
            ("LgUPnP2UZxmFBJb8FDgNd5JcU9b7CNfrw1", "an address of another network"),
            ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "an address of a test network"),
        ] {
            stage.server.set(&payment.payment_id, &json!({"walletAddress": wrong}));
            let refused = page.until_screen("problem").await;
            assert!(!refused.text.replace(' ', "").contains(wrong), "{why}: {}", refused.text);
            let html =
                stage.browser.run("return document.querySelector('#checkout').outerHTML", vec![]).await;
            assert!(!html.as_str().expect("a text").contains(wrong), "{why}");
            page.reload().await;
            page.until_screen("problem").await;
            stage.server.set(&payment.payment_id, &json!({"walletAddress": payment.wallet_address}));
            page.reload().await;
            page.until_screen("pay").await;
        }
    });
}

#[test]
fn an_address_without_its_tag_is_never_shown() {
    before_each_server(&async |stage| {
        let payment = stage.open_and_choose(json!({}), "XRP", "XRP").await;
        stage.server.set(&payment.payment_id, &json!({"destinationTag": null}));
        let refused = stage.page().until_screen("problem").await;
        assert!(!refused.text.contains(payment.wallet_address.as_deref().expect("an address")));
    });
}

#[test]
fn a_status_of_a_newer_server_changes_nothing_that_is_known() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
        stage.server.set(&payment.payment_id, &json!({"status": "ON_HOLD", "holdReason": {"code": 7}}));
        tokio::time::sleep(std::time::Duration::from_secs(6)).await;
        assert!(page.until_screen("pay").await.shown("address").is_some());
        stage.pay(&payment, "ON_HOLD", "UNCONFIRMED");
        page.until_screen("seen").await;
    });
}

#[test]
fn a_link_that_the_server_refuses_says_so() {
    before_each_server(&async |stage| {
        stage.browser.expect_in_console("responded with a status of 40");
        let page = stage.page();
        let link = stage.server.create(&json!({}));
        let other = link.url.replace("sessionToken=", "sessionToken=x");
        let unknown = link.url.replace(&link.payment_id, "0198c5a4-6f0e-7cc1-9c8f-0d4f5a1b2c3d");
        let without = link.url.replace("sessionToken=", "token=");
        for url in [other, without, unknown] {
            page.open(&url).await;
            let problem = page.until_screen("problem").await;
            assert!(problem.text.contains("This payment link does not work"), "{}", problem.text);
        }
        page.open(&link.url).await;
        page.until_screen("choose").await;
    });
}

#[test]
fn who_has_a_link_that_does_not_work_finds_the_merchants_help() {
    with_browser(async |browser| {
        browser.expect_in_console("responded with a status of 40");
        let settings = |_: &str| json!({"supportUrl": "mailto:help@shop.example?subject={reference}"});
        let stage = KitStage::open_at(KINDS[0], browser, settings);
        let page = stage.page();
        let link = stage.server.create(&json!({}));
        page.open(&link.url.replace("sessionToken=", "sessionToken=x")).await;
        page.until("offers help", |page| page.is("problem") && page.text.contains("Contact Tea & Co")).await;
        let href = "return document.querySelector('.card > .explorer').getAttribute('href')";
        assert_eq!(browser.run(href, vec![]).await, json!("mailto:help@shop.example?subject="));
        page.open(&link.url).await;
        let choose = page.until_screen("choose").await;
        assert!(!choose.text.contains("Contact"), "{}", choose.text);
        browser.seal_console().await;
    });
}
