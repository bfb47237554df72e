//! A wallet's link on a device without one.

use std::time::Duration;

use crate::support::engine::Engine;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::snapshot::Snapshot;
use crate::support::stage::journey;

/// In WebKitGTK the link opens a tab, which hides the page.
const SHOWN: &str = "Object.defineProperty(document, 'hidden', {value: false, configurable: true})";

#[test]
fn without_a_wallet_the_page_stays_and_says_so() {
    journey(async |stage| {
        stage.browser.expect_in_console("registered handler");
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        let tabs = stage.browser.client.windows().await.expect("a tab is open").len();
        page.click("open-wallet").await;
        let told =
            page.within(Duration::from_secs(8), "says so", |page| page.shown("no-wallet").is_some()).await;
        assert!(told.is("pay"), "{told:#?}");
        assert_eq!(told.value("address"), payment.wallet_address.as_deref());
        if stage.browser.engine != Engine::WebKit {
            let now = stage.browser.client.windows().await.expect("a tab is open").len();
            assert_eq!(now, tabs, "no empty tab");
        }
        // The page lives on.
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
    });
}

/// The browser inside an app replaces the page by an error.
#[test]
fn who_comes_back_from_the_error_of_a_link_is_told_that_no_wallet_opened() {
    journey(async |stage| {
        stage.browser.expect_in_console("registered handler");
        let page = stage.page();
        let elsewhere = Merchant::open("<title>Unknown scheme</title>", &[]);
        stage.open_and_choose(&order(), "BTC", "BTC").await;
        stage.browser.until_live().await;
        page.click("open-wallet").await;
        stage.browser.goto(&elsewhere.origin).await;
        stage.browser.back().await;
        let is_told = |page: &Snapshot| page.is("pay") && page.shown("no-wallet").is_some();
        let told = page.within(Duration::from_secs(8), "says so", is_told).await;
        assert!(told.text.contains("inside another app"), "{}", told.text);

        // Once; and not after a wallet that has opened.
        for opens in [false, true] {
            if opens {
                page.click("open-wallet").await;
                if stage.browser.engine == Engine::WebKit {
                    stage.browser.run(SHOWN, vec![]).await;
                }
                let back = "document.dispatchEvent(new Event('visibilitychange'))";
                stage.browser.run(back, vec![]).await;
            }
            page.reload().await;
            stage.browser.until_live().await;
            let silent = page.until_alive().await;
            assert!(silent.shown("no-wallet").is_none(), "opens: {opens} {silent:#?}");
        }
    });
}
