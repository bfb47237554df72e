//! Every view of the console, on a phone and on a desktop, light and dark: saved as screenshots and checked
//! with axe.

use serde_json::{Value, json};

use crate::support::browser::DESKTOP;
use crate::support::developer::{Developer, count};
use crate::support::screenshot::keep_all;
use crate::support::stage::{journey, journey_under};

const BITCOIN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

#[test]
fn empty_views() {
    journey(async |stage| {
        let console = Developer::open(stage).await;
        console.until("has no payment", |page| page.text.contains("No payments yet")).await;
        keep_all(stage.browser, "console-empty").await;
        stage.browser.view(DESKTOP).await;
        console.page.click("new").await;
        console.until("shows the form", |page| page.shown("new-order").is_some()).await;
        keep_all(stage.browser, "console-new").await;
    });
}

#[test]
fn every_view() {
    journey(async |stage| {
        let console = Developer::open(stage).await;
        let page = console.page;
        for (order, pair) in [("order-1042", "BTC/BTC"), ("subscription-7", ""), ("order-1043", "XRP/XRP")] {
            console.create(order, pair).await;
        }
        page.click("pay-exact").await;
        page.click("mine").await;
        console.until_status("DEPOSITED").await;
        console.create("order-1044", "USDT/TRX").await;
        page.click("pay-more").await;
        page.click("mine").await;
        console.until_status("OVERPAID").await;
        page.click("advance-60").await;
        console.create("order-1045", "BTC/BTC").await;
        page.click("pay-half").await;
        page.click("mine").await;
        console.until("is confirmed", |page| count(page, "deposit", "CONFIRMED") == 1).await;
        let _: Value = stage.gateway.post("/sandbox/inbox/answers", &json!({"status": 500, "times": 1}));
        page.click("pay-half").await;
        console
            .until("waits for the next attempt", |page| {
                count(page, "callback", "PENDING") == 1 && count(page, "attempt", "500") == 1
            })
            .await;
        let _: Value = stage.gateway.post(
            "/whitelist-addresses",
            &json!({"clientAddressId": "treasury", "currency": "BTC", "network": "BTC", "address": BITCOIN, "label": "cold storage"}),
        );
        let _: Value = stage.gateway.post(
            "/api/v1/withdrawals",
            &json!({"clientWithdrawalId": "payout-1", "recipientAddress": BITCOIN, "network": "BTC", "withdrawCurrency": "BTC",
                    "displayCurrency": "EUR", "targetAmountPolicy": "FIAT", "targetAmount": "30", "withdrawalAccount": "FIAT"}),
        );
        keep_all(stage.browser, "console-payment").await;

        stage.browser.view(DESKTOP).await;
        console.go("payments").await;
        keep_all(stage.browser, "console-list").await;
        stage.browser.view(DESKTOP).await;
        console.go("inbox").await;
        console.until("has deliveries", |page| page.parts.contains_key("delivery")).await;
        keep_all(stage.browser, "console-inbox").await;
        stage.browser.view(DESKTOP).await;
        page.click("delivery").await;
        console.until("shows one", |page| page.value("verdict") == Some("VERIFIED")).await;
        keep_all(stage.browser, "console-delivery").await;
        stage.browser.view(DESKTOP).await;
        console.go("money").await;
        console
            .until("shows everything", |page| {
                page.parts.contains_key("withdrawal") && page.parts.contains_key("whitelisted")
            })
            .await;
        keep_all(stage.browser, "console-money").await;
        stage.browser.view(DESKTOP).await;
        page.click("withdraw-to").await;
        console.until("shows the form", |page| page.shown("withdraw-amount").is_some()).await;
        console.fill("withdraw-amount", "0.0001").await;
        console.until("shows the error", |page| page.shown("field-fault").is_some()).await;
        keep_all(stage.browser, "console-withdraw").await;
        stage.browser.view(DESKTOP).await;
        page.click_on("dialog [data-do=close]").await;
        page.click("whitelist").await;
        console.until("shows the form", |page| page.shown("whitelist-address").is_some()).await;
        keep_all(stage.browser, "console-whitelist").await;
        stage.browser.view(DESKTOP).await;
        page.click_on("dialog [data-do=close]").await;
        stage.browser.view(DESKTOP).await;
        console.go("world").await;
        page.click("reveal").await;
        page.click_on("[aria-label='Terms of the business'] summary").await;
        console.until("shows the token", |page| page.value("token").is_some()).await;
        keep_all(stage.browser, "console-world").await;
    });
}

/// Views with held deposits and pending confirmations.
#[test]
fn views_of_held_and_pending_money() {
    journey_under("[finality]\nBTC = 6\n", async |stage| {
        let console = Developer::open(stage).await;
        let page = console.page;
        let _: Value =
            stage.gateway.post("/sandbox/business", &json!({"overpaymentPolicy": "EXCESS_REFUND"}));
        console.create("order-1", "BTC/BTC").await;
        console.until_status("PENDING").await;
        page.click("pay-more").await;
        page.click("mine").await;
        console.until("waits", |page| page.shown("wait").is_some()).await;
        let _: Value = stage.gateway.post("/sandbox/flags", &json!({"network": "BTC", "address": BITCOIN}));
        page.click("pay-half").await;
        console.until("holds it", |page| page.value("held") == Some("FLAGGED")).await;
        keep_all(stage.browser, "console-waits").await;
        stage.browser.view(DESKTOP).await;
        console.go("money").await;
        console.until("lists it", |page| page.parts.contains_key("held-deposit")).await;
        keep_all(stage.browser, "console-held").await;
    });
}
