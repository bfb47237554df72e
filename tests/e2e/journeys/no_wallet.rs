//! A wallet's link on a device without one.

use std::time::Duration;

use crate::support::engine::Engine;
use crate::support::gateway::order;
use crate::support::stage::journey;

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
