//! A merchant's page whose origin is not an allowed origin of the business.

use serde_json::json;

use crate::support::frame;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::{Stage, journey};
use crate::support::wait::eventually;

/// Milliseconds from the frame's beginning to the refusal.
const AT_MOST: f64 = 1000.0;

#[test]
fn the_page_shows_at_once_that_its_origin_is_not_allowed() {
    journey(async |stage| {
        refused(stage, |_| Vec::new()).await;
    });
}

#[test]
fn a_page_with_a_strict_policy_of_two_lines_shows_the_refusal_within_a_second() {
    journey(async |stage| {
        refused(stage, two_lines).await;
    });
}

/// The Content-Security-Policy that docs/guides/embedding.md demands, after `default-src 'none'`, and the page's own script.
fn two_lines(gateway: &str) -> Vec<String> {
    vec![format!(
        "Content-Security-Policy: default-src 'none'; script-src {gateway} 'nonce-shop'; frame-src {gateway}"
    )]
}

/// A merchant whose page was refused. `headers` are those of the page, which depend on the gateway's origin.
pub(crate) async fn refused(stage: &Stage<'_>, headers: impl Fn(&str) -> Vec<String>) -> Merchant {
    stage.browser.expect_in_console("is not an allowed origin");
    let gateway = &stage.gateway.ready.base_url;
    let created = stage.gateway.create(&order());
    let url = created.payment_url.replace('&', "&amp;");
    let html = format!(
        "<!doctype html><title>A shop</title>
         <script nonce=shop>
           customElements.whenDefined('crypto-checkout').then(() => {{ window.began = performance.now(); }});
           addEventListener('checkout:error', (event) => {{
             window.code = event.detail.code;
             window.took = performance.now() - began;
           }});
         </script>
         <script type='module' src='{gateway}/embed.js'></script>
         <crypto-checkout payment-url='{url}'></crypto-checkout>"
    );
    let headers = headers(gateway);
    let merchant = Merchant::open(&html, &headers.iter().map(String::as_str).collect::<Vec<_>>());
    stage.browser.goto(&merchant.origin).await;
    eventually("the element has raised an error", async || {
        stage.browser.run("return window.code ?? null", vec![]).await == "origin-not-allowed"
    })
    .await;
    let took = stage.browser.run("return window.took", vec![]).await;
    assert!(took.as_f64().is_some_and(|took| took < AT_MOST), "{took} ms");

    let part = "const parts = document.querySelector('crypto-checkout').shadowRoot;
        return [parts.querySelector('[part=notice]').innerText, parts.querySelector('[part=link]').href];";
    let shown = stage.browser.run(part, vec![]).await;
    let text = shown[0].as_str();
    assert!(text.is_some_and(|text| text.contains("cannot be shown on this page")), "{shown}");
    assert_eq!(shown[1].as_str(), Some(created.payment_url.as_str()), "the payer can pay on the page itself");
    merchant
}

#[test]
fn a_plain_iframe_shows_the_refusal_and_a_link_that_opens_the_checkout() {
    journey(async |stage| {
        let browser = stage.browser;
        browser.expect_in_console("is not an allowed origin");
        let created = stage.gateway.create(&order());
        let url = created.payment_url.replace('&', "&amp;");
        let merchant = Merchant::open(&format!("<iframe width=480 height=400 src='{url}'></iframe>"), &[]);
        browser.goto(&merchant.origin).await;
        frame::enter(browser, "document.querySelector('iframe')").await;
        let shown =
            browser.run("return [document.body.innerText, document.querySelector('a').href]", vec![]).await;
        let text = shown[0].as_str().unwrap_or_default();
        assert!(text.starts_with("The checkout cannot be shown on this page."), "{shown}");
        assert_eq!(shown[1], json!(created.payment_url));
        stage.page().click_on("a").await;
        browser.top().await;
        stage.page().until_screen("choose").await;
        assert_eq!(browser.run("return location.href", vec![]).await, json!(created.payment_url));
    });
}

#[test]
fn a_missing_frame_src_is_told_at_once() {
    journey(async |stage| {
        let browser = stage.browser;
        for expected in ["Content Security Policy", "Content-Security-Policy", "frame-src"] {
            browser.expect_in_console(expected);
        }
        let gateway = stage.gateway.ready.base_url.clone();
        let created = stage.gateway.create(&order());
        let html = format!(
            "<!doctype html><title>A shop</title>
             <script nonce=shop>
               window.codes = [];
               addEventListener('checkout:error', (event) => codes.push(event.detail.code));
             </script>
             <script type='module' src='{gateway}/embed.js'></script>
             <crypto-checkout payment-url='{}'></crypto-checkout>",
            created.payment_url.replace('&', "&amp;")
        );
        let policy =
            format!("Content-Security-Policy: default-src 'none'; script-src {gateway} 'nonce-shop'");
        let merchant = Merchant::open(&html, &[&policy]);
        browser.goto(&merchant.origin).await;
        eventually("the element has raised an error", async || {
            browser.run("return codes", vec![]).await == json!(["frame-blocked"])
        })
        .await;
        let link =
            "return document.querySelector('crypto-checkout').shadowRoot.querySelector('[part=link]').href";
        assert_eq!(browser.run(link, vec![]).await, json!(created.payment_url));
    });
}
