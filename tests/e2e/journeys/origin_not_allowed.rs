//! A merchant's page whose origin is not an allowed origin of the business.

use std::time::{Duration, Instant};

use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::{Stage, journey};
use crate::support::wait::eventually;

/// Far below the 20 seconds after which an unresponsive checkout counts as failed.
const AT_MOST: Duration = Duration::from_secs(10);

#[test]
fn the_page_shows_at_once_that_its_origin_is_not_allowed() {
    journey(async |stage| {
        refused(stage).await;
    });
}

/// A merchant whose page was refused.
pub(crate) async fn refused(stage: &Stage<'_>) -> Merchant {
    for expected in [
        "frame-ancestors",
        "blocked by CORS policy",
        "net::ERR_FAILED",
        "Failed to execute 'postMessage'",
        "is not an allowed origin",
    ] {
        stage.browser.expect_in_console(expected);
    }
    let created = stage.gateway.create(&order());
    let url = created.payment_url.replace('&', "&amp;");
    let html = format!(
        "<!doctype html><title>A shop</title>
         <script>addEventListener('checkout:error', (event) => {{ window.code = event.detail.code; }});</script>
         <script type='module' src='{}/embed.js'></script>
         <crypto-checkout payment-url='{url}'></crypto-checkout>",
        stage.gateway.ready.base_url
    );
    let merchant = Merchant::open(&html, &[]);
    stage.browser.goto(&merchant.origin).await;
    let loaded = Instant::now();
    eventually("the element has raised an error", async || {
        stage.browser.run("return window.code ?? null", vec![]).await == "origin-not-allowed"
    })
    .await;
    assert!(loaded.elapsed() < AT_MOST, "{:?}", loaded.elapsed());

    let part = "const parts = document.querySelector('crypto-checkout').shadowRoot;
        return [parts.querySelector('[part=notice]').innerText, parts.querySelector('[part=link]').href];";
    let shown = stage.browser.run(part, vec![]).await;
    let text = shown[0].as_str();
    assert!(text.is_some_and(|text| text.contains("cannot be shown on this page")), "{shown}");
    assert_eq!(shown[1].as_str(), Some(created.payment_url.as_str()), "the payer can pay on the page itself");
    merchant
}
