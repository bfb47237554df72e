use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::support::gateway::order;
use crate::support::stage::journey;

/// Time without a network.
const TUNNEL: Duration = Duration::from_secs(8);
const RECOVERY: Duration = Duration::from_secs(5);

#[test]
fn a_page_that_was_offline_catches_up_within_five_seconds() {
    journey(async |stage| {
        stage.browser.expect_in_console("net::ERR_INTERNET_DISCONNECTED");
        let page = stage.page();
        let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
        stage.browser.offline(true).await;
        let back = Instant::now() + TUNNEL;
        let told =
            page.until("shows that it is offline", |page| page.fact("connection") == Some("offline")).await;
        assert!(
            told.is("pay") && told.shown("connection").is_some(),
            "the payer sees the state of the connection"
        );
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        sleep_until(back).await;
        assert!(page.look().await.unwrap().is("pay"), "the page cannot know of the transfer");

        stage.browser.offline(false).await;
        let paid = page.within(RECOVERY, "has caught up", |page| page.is("paid")).await;
        assert_eq!(paid.fact("connection"), Some("online"));
    });
}
