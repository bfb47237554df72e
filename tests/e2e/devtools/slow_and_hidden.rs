//! A slow connection, and a page that nobody sees.

use std::time::Duration;

use serde_json::json;

use crate::support::asking::asks_for;
use crate::support::faulty::Faulty;
use crate::support::gateway::order;
use crate::support::stage::journey;
use crate::support::wait::eventually;

const RECOVERY: Duration = Duration::from_secs(5);

/// 400 ms and 400 kbit/s.
#[test]
fn on_slow_3g_the_server_has_drawn_all_and_the_page_comes_alive() {
    journey(async |stage| {
        let created = stage.gateway.create(&order());
        let id = &created.payment_info.payment_id;
        let payment = stage.gateway.choose(id, "BTC");
        stage.browser.devtools("Network.enable", json!({})).await;
        let conditions = json!({"offline": false, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000});
        stage.browser.devtools("Network.emulateNetworkConditions", conditions).await;
        let page = stage.page();
        page.open(&created.payment_url).await;
        let drawn = page.look().await.expect("the first response is a page");
        asks_for(&drawn, &payment);
        assert!(drawn.value("qr").is_some(), "{drawn:#?}");
        let alive = "return document.documentElement.dataset.live ?? null";
        eventually("the page is alive", async || stage.browser.run(alive, vec![]).await == "yes").await;
        assert_eq!(page.until_screen("pay").await.fact("connection"), Some("online"), "slow is not offline");
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
    });
}

#[test]
fn a_hidden_page_asks_rarely_and_catches_up_when_it_is_seen() {
    journey(async |stage| {
        let page = stage.page();
        let proxy = Faulty::open(&stage.gateway.ready.base_url);
        let created = stage.gateway.create(&order());
        page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
        page.choose("BTC", "BTC").await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        let window = async |state: &str| {
            let window = stage.browser.devtools("Browser.getWindowForTarget", json!({})).await;
            let bounds = json!({"windowId": window["windowId"], "bounds": {"windowState": state}});
            stage.browser.devtools("Browser.setWindowBounds", bounds).await;
        };
        window("minimized").await;
        let hidden = "return document.visibilityState";
        eventually("the page is hidden", async || stage.browser.run(hidden, vec![]).await == "hidden").await;
        let before = proxy.polls();
        stage.gateway.pay(&payment);
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert!(proxy.polls() <= before + 2, "{} polls in ten hidden seconds", proxy.polls() - before);
        window("normal").await;
        page.within(RECOVERY, "has caught up", |page| page.is("seen")).await;
    });
}
