//! How a payer handles the page: the journeys of the hosted page, in front of other servers.

use std::time::Duration;

use serde_json::json;

use crate::journeys::double_click::double_click;
use crate::journeys::idle::is_idle;
use crate::journeys::keyboard;
use crate::journeys::translated::{TIME_LEFT, TRANSLATE};
use crate::support::faulty::Fault;
use crate::support::kit::{Kind, KitStage, before_each_server};
use crate::support::merchant::Merchant;
use crate::support::sandbox::share;
use crate::support::stage::with_browser;
use crate::support::wait::eventually;

#[test]
fn a_payment_is_made_by_keyboard() {
    before_each_server(&async |stage| {
        let link = stage.open(json!({})).await;
        keyboard::is_made(stage.page(), "TRX", || stage.server.payment(&link.payment_id)).await;
    });
}

#[test]
fn a_double_click_on_a_currency_does_not_choose_its_network() {
    before_each_server(&async |stage| {
        let page = stage.page();
        loop {
            let link = stage.open(json!({})).await;
            page.until_screen("choose").await;
            stage.browser.until_live().await;
            if !double_click(stage.browser, "[data-part=currency][data-value=USDT]", true).await {
                continue;
            }
            page.until("offers the networks", |page| page.shown("network").is_some()).await;
            // A network that was chosen would be answered by now.
            tokio::time::sleep(Duration::from_millis(1_500)).await;
            assert!(page.until_screen("choose").await.shown("network").is_some());
            return assert_eq!(stage.server.payment(&link.payment_id).deposit_currency, None);
        }
    });
}

#[test]
fn an_idle_second_changes_the_countdown_and_nothing_else() {
    before_each_server(&async |stage| {
        stage.open_and_choose(json!({}), "BTC", "BTC").await;
        is_idle(stage.page()).await;
    });
}

#[test]
fn a_translated_page_shows_what_changes() {
    before_each_server(&async |stage| {
        let (page, browser) = (stage.page(), stage.browser);
        let payment = stage.open_and_choose(json!({}), "LTC", "LTC").await;
        page.until_alive().await;
        browser.run(TRANSLATE, vec![]).await;
        let before = browser.run(TIME_LEFT, vec![]).await;
        eventually("the countdown runs", async || browser.run(TIME_LEFT, vec![]).await != before).await;
        let (part, rest) = share(&payment, 1, 3);
        stage.say(&payment, "AWAITING", &[(&part, "CONFIRMED")]);
        let partial =
            page.until("waits for the rest", |page| page.text.contains("Waiting for the rest")).await;
        assert!(!partial.text.contains("Amount to send") && partial.text.contains(&rest), "{}", partial.text);
        browser.run(TRANSLATE, vec![]).await;
        stage.pay(&payment, "DEPOSITED", "CONFIRMED");
        page.until_screen("paid").await;
    });
}

#[test]
fn without_a_wallet_the_page_stays_and_says_so() {
    before_each_server(&async |stage| {
        stage.browser.expect_in_console("registered handler");
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
        page.click("open-wallet").await;
        let told = page.until("says so", |page| page.shown("no-wallet").is_some()).await;
        assert!(told.is("pay") && told.value("address") == payment.wallet_address.as_deref(), "{told:#?}");
        stage.pay(&payment, "AWAITING", "UNCONFIRMED");
        page.until_screen("seen").await;
    });
}

#[test]
fn a_page_from_the_history_catches_up() {
    before_each_server(&async |stage| {
        let page = stage.page();
        let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
        let elsewhere = Merchant::open("<title>Elsewhere</title>", &[]);
        page.open(&elsewhere.origin).await;
        stage.pay(&payment, "AWAITING", "UNCONFIRMED");
        stage.browser.back().await;
        page.until_screen("seen").await;
    });
}

#[test]
fn an_older_answer_does_not_move_the_page_back() {
    // The other one does not let a page read when it answered.
    for kind in [Kind::Node, Kind::Python] {
        with_browser(async |browser| {
            let (stage, proxy) = KitStage::behind_faults(kind, browser);
            let page = stage.page();
            let payment = stage.open_and_choose(json!({}), "BTC", "BTC").await;
            stage.pay(&payment, "AWAITING", "UNCONFIRMED");
            page.until_screen("seen").await;
            // The proxy repeats its first answer, which is of before the choice.
            proxy.suffer(Fault::Stale);
            let before = proxy.polls();
            while proxy.polls() < before + 3 {
                assert!(
                    page.look().await.is_some_and(|page| page.is("seen")),
                    "{kind:?}: the page went back"
                );
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            proxy.heal();
            stage.pay(&payment, "DEPOSITED", "CONFIRMED");
            page.until_screen("paid").await;
            browser.seal_console().await;
        });
    }
}

#[test]
fn the_payer_can_return_sooner() {
    before_each_server(&async |stage| {
        let merchant = Merchant::open("<title>Thanks</title><link rel=icon href='data:,'>", &[]);
        let target = format!("{}/now", merchant.origin);
        let page = stage.page();
        let payment = stage.open_and_choose(json!({"redirectUrl": target}), "BTC", "BTC").await;
        stage.pay(&payment, "DEPOSITED", "CONFIRMED");
        page.until_screen("paid").await;
        page.click("return").await;
        page.until("is the merchant's page", |page| page.url == target).await;
    });
}
