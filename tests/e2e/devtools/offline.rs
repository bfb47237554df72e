use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep_until};

use crate::support::browser::Viewport;
use crate::support::gateway::order;
use crate::support::languages::with_locale;
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

/// The parts of the header that the notice overlaps, at the top of the page.
const COVERED: &str = "
    scrollTo(0, 0);
    const notice = document.querySelector('[data-part=connection]').getBoundingClientRect();
    const meets = (box) => box.left < notice.right && notice.left < box.right && box.top < notice.bottom && notice.top < box.bottom;
    const parts = ['.order-merchant', '.order-fiat', '[data-part=countdown]', '.order-id'];
    const covered = parts.filter((part) => meets(document.querySelector(part).getBoundingClientRect()));
    return [covered, notice.height > 20 && notice.top >= 0 && notice.bottom <= innerHeight];";

#[test]
fn the_offline_notice_covers_neither_merchant_nor_price_nor_countdown() {
    journey(async |stage| {
        for expected in ["net::ERR_INTERNET_DISCONNECTED", "net::ERR_"] {
            stage.browser.expect_in_console(expected);
        }
        let page = stage.page();
        let created = stage.open(&order()).await;
        page.choose("BTC", "BTC").await;
        for locale in ["en-US", "de-DE", "ja-JP", "ru-RU", "en-XA", "en-XB"] {
            page.open(&with_locale(&created.payment_url, locale)).await;
            page.until_alive().await;
            stage.browser.offline(true).await;
            page.until("shows that it is offline", |page| page.fact("connection") == Some("offline")).await;
            // Phones, upright and lying, a page at 400 %, a desktop.
            for (width, height) in [(320, 568), (360, 640), (390, 844), (667, 375), (320, 256), (1280, 720)] {
                stage.browser.view(Viewport { width, height, phone: width < 1000 }).await;
                let seen = stage.browser.run(COVERED, vec![]).await;
                assert_eq!(seen, json!([[], true]), "{locale} at {width} × {height}");
            }
            stage.browser.offline(false).await;
            page.until("is back", |page| page.fact("connection") == Some("online")).await;
        }
    });
}
