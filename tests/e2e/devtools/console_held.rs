//! Deposits from flagged senders: held, released, refused, by clicks.

use crate::support::developer::{Developer, count};
use crate::support::stage::journey;

#[test]
fn held_then_released_or_refused() {
    journey(async |stage| {
        let console = Developer::open(stage).await;
        let page = console.page;
        let released = console.create("order-1", "BTC/BTC").await;
        let pending = console.until_status("PENDING").await;
        page.click_on(".fold summary").await;
        let expected = pending.value("expected").unwrap().to_owned();
        console.fill("custom-amount", &expected).await;
        page.click("custom-flagged").await;
        page.click("send").await;
        console.until("holds it", |page| page.value("held") == Some("FLAGGED")).await;
        page.click("mine").await;
        let held = console
            .until("lists the confirmed deposit", |page| count(page, "deposit", "CONFIRMED") == 1)
            .await;
        assert_eq!((held.value("status"), held.value("held-count")), (Some("AWAITING"), Some("1")));
        assert!(held.text.contains("no callback is sent and the payment keeps waiting"));
        assert!(held.shown("usual-is-flagged").is_some(), "the buttons say that what they pay is held");
        assert_eq!(count(&held, "callback", "DELIVERED"), 0);
        page.click("release").await;
        console.until_status("DEPOSITED").await;
        let told = console.until("tells", |page| count(page, "callback", "DELIVERED") == 1).await;
        assert_eq!((told.value("held"), told.value("held-count")), (Some("RELEASED"), None));
        assert!(told.shown("refuse").is_none(), "a release is final");
        for what in ["FLAGGED", "RELEASED"] {
            assert_eq!(count(&told, "event", what), 1, "{what} is in the timeline");
        }

        let refused = console.create("order-2", "BTC/BTC").await;
        console.until_status("PENDING").await;
        page.click("pay-exact").await;
        console.until("holds it", |page| page.value("held") == Some("FLAGGED")).await;
        page.click("mine").await;
        console.go("money").await;
        console.until("lists both", |page| page.parts.get("held-deposit").map(Vec::len) == Some(2)).await;
        page.click("refuse").await;
        console.until("has refused it", |page| count(page, "held-deposit", "REFUSED") == 1).await;
        page.click("unflag").await;
        console.until("shows no flagged sender", |page| page.shown("flagged-sender").is_none()).await;
        console.open_payment(&refused).await;
        console.until_status("PENDING").await;
        page.click("pay-exact").await;
        page.click("mine").await;
        console.until_status("DEPOSITED").await;
        for id in [released, refused] {
            assert_eq!(stage.gateway.payment(&id).status.as_str(), "DEPOSITED");
        }
    });
}

/// A withdrawal to a flagged address is blocked and credited back.
#[test]
fn a_withdrawal_to_a_flagged_address() {
    journey(async |stage| {
        let console = Developer::open(stage).await;
        let page = console.page;
        for order in ["order-1", "order-2"] {
            console.create(order, "ETH/ETH").await;
            console.until_status("PENDING").await;
            page.click("pay-exact").await;
            page.click("mine").await;
            console.until_status("DEPOSITED").await;
        }
        console.go("money").await;
        page.click_on("[aria-label='Flagged senders'] summary").await;
        console.pick("flag-network", "ETH").await;
        console.fill("flag-address", "0x098B716B8Aaf21512996dC57EB0615e2383E2f95").await;
        page.click("flag-it").await;
        console.until("shows the error", |page| page.value("message") == Some("bad")).await;
        stage.browser.expect_in_console("the server responded with a status of 422");
        console.fill("flag-address", "0xde709f2102306220921060314715629080e2fb77").await;
        page.click("flag-it").await;
        console.until("lists it", |page| page.parts.contains_key("flagged-sender")).await;
        for view in ["world", "money"] {
            console.go(view).await;
        }
        page.click("withdraw").await;
        console.until("shows the form", |page| page.shown("withdraw-amount").is_some()).await;
        console.pick("withdraw-pair", "ETH/ETH").await;
        console.fill("withdraw-address", "0xde709f2102306220921060314715629080e2fb77").await;
        page.click("smallest").await;
        console.until("shows the cost", |page| page.value("costs") == Some("known")).await;
        page.click("withdraw-it").await;
        let blocked = console.until("is blocked", |page| count(page, "withdrawal", "BLOCKED") == 1).await;
        assert!(blocked.text.contains("taken and given back"));
    });
}
