//! The script for merchants' pages in engines that lack what newer ones have.

use serde_json::{Value, json};

use crate::support::frame;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::{Stage, journey};
use crate::support::wait::eventually;

const FRAME: &str = "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')";

/// A page whose engine lacks something, with a checkout that a button opens.
async fn shop(stage: &mut Stage<'_>, lacks: &str, attributes: &str) -> Merchant {
    let (listener, origin) = Merchant::reserve();
    stage.gateway.become_business(&["--origin", &origin]);
    let url = stage.gateway.create(&order()).payment_url.replace('&', "&amp;");
    let page = format!(
        "<!doctype html><title>Shop</title><script>{lacks}; window.heard = [];
         for (const name of ['ready', 'error'])
             addEventListener('checkout:' + name, ({{ detail }}) => heard.push([name, detail.code]))</script>
         <script type=module src='{}/embed.js'></script><button id=buy>Buy</button>
         <crypto-checkout {attributes} payment-url='{url}'></crypto-checkout>",
        stage.gateway.ready.base_url
    );
    let merchant = Merchant::open_at(listener, &page);
    stage.browser.goto(&merchant.origin).await;
    merchant
}

async fn hears(stage: &Stage<'_>, expected: Value) {
    eventually("the page hears of it", async || stage.browser.run("return heard", vec![]).await == expected)
        .await;
}

const NO_SHEETS: &str = "window.CSSStyleSheet = function () { throw new TypeError('Illegal constructor') }";
const NO_DIALOGS: &str = "delete HTMLDialogElement.prototype.showModal; delete window.HTMLDialogElement";

#[test]
fn a_checkout_has_its_style_and_is_ready() {
    for (lacks, attributes) in
        [(NO_SHEETS, ""), (NO_SHEETS, "mode=modal open-on=buy"), (NO_DIALOGS, "mode=modal open-on=buy")]
    {
        journey(async |stage| {
            let _merchant = shop(stage, lacks, attributes).await;
            let browser = stage.browser;
            browser
                .run("customElements.whenDefined('crypto-checkout').then(() => buy.click())", vec![])
                .await;
            frame::enter(browser, FRAME).await;
            stage.page().until_screen("choose").await;
            browser.top().await;
            hears(stage, json!([["ready", null]])).await;
            let border = format!("return getComputedStyle({FRAME}).borderTopWidth");
            assert_eq!(browser.run(&border, vec![]).await, json!("0px"), "{lacks}");
        });
    }
}

#[test]
fn a_checkout_that_cannot_start_says_so() {
    journey(async |stage| {
        let lacks = "crypto.getRandomValues = () => { throw new Error('none here') }";
        stage.browser.expect_in_console("none here");
        let _merchant = shop(stage, lacks, "").await;
        hears(stage, json!([["error", "failed"]])).await;
        let shown = "const root = document.querySelector('crypto-checkout').shadowRoot; return [root.textContent.includes('could not be loaded'), root.querySelector('a').href.includes('/checkout/')]";
        assert_eq!(stage.browser.run(shown, vec![]).await, json!([true, true]));
    });
}
