//! A proxy between gateway and payer changes the page: it looks like the checkout and works all the same, and says nothing that is not
//! so where no script can run.

use serde_json::json;

use crate::support::faulty::{Fault, Faulty};
use crate::support::gateway::order;
use crate::support::rewriting::Rewriting;
use crate::support::stage::journey;
use crate::support::wait::eventually;

const NOT_LIVE: &str = "Live updates are off";
const RELOADS: &str = "reloads by itself";

/// The page itself.
fn is_page(line: &str) -> bool {
    line.starts_with("GET ") && !line.contains("/assets/") && !line.contains("/api/")
}

const IS_STYLED: &str = "return getComputedStyle(document.querySelector('.card')).borderRadius !== '0px'";

#[test]
fn a_page_that_a_proxy_changed_is_paid() {
    journey(async |stage| {
        stage.browser.expect_in_console("Content Security Policy");
        let page = stage.page();
        for rewriting in [Rewriting::Styles, Rewriting::Inline, Rewriting::Deferred] {
            let proxy = Faulty::before(&stage.gateway.ready.base_url, is_page);
            proxy.suffer(Fault::Rewritten(rewriting));
            let created = stage.gateway.create(&order());
            let payment = stage.gateway.choose(&created.payment_info.payment_id, "BTC");
            page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
            page.until_alive().await;
            // The style hides what is said to a page without scripts.
            eventually("the page has its style", async || {
                stage.browser.run(IS_STYLED, vec![]).await == json!(true)
            })
            .await;
            let alive = page.until_alive().await;
            assert!(!alive.text.contains(NOT_LIVE), "{rewriting:?}: {}", alive.text);
            stage.gateway.pay(&payment);
            stage.gateway.mine(&payment);
            page.until_screen("paid").await;
        }
    });
}

#[test]
fn a_page_whose_scripts_a_proxy_took_away_does_not_say_that_it_reloads() {
    journey(async |stage| {
        stage.browser.expect_in_console("Content Security Policy");
        let page = stage.page();
        let proxy = Faulty::before(&stage.gateway.ready.base_url, is_page);
        proxy.suffer(Fault::Rewritten(Rewriting::WithoutScripts));
        let created = stage.gateway.create(&order());
        stage.gateway.choose(&created.payment_info.payment_id, "BTC");
        page.open(&created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin)).await;
        let drawn = page.until_screen("pay").await;
        assert!(drawn.text.contains(NOT_LIVE) && !drawn.text.contains(RELOADS), "{}", drawn.text);
    });
}
