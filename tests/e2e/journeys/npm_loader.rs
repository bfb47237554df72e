//! A page on another origin that loads the checkout with the npm package.

use std::path::Path;

use serde_json::json;

use crate::support::frame;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::journey;
use crate::support::wait::eventually;

const FRAME: &str = "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')";

/// The ES module of the package.
fn loader() -> String {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = tests.parent().expect("the package is a folder of the repository");
    std::fs::read_to_string(root.join("npm/embed/package/index.mjs")).expect("the loader is there")
}

#[test]
fn a_payment_through_the_loader_of_the_npm_package() {
    journey(async |stage| {
        let browser = stage.browser;
        let (listener, origin) = Merchant::reserve();
        stage.gateway.become_business(&["--origin", &origin]);
        let created = stage.gateway.create(&order());
        let page = format!(
            "<!doctype html><title>Shop</title><main></main><script type=module>{}
             const checkouts = await Promise.all([1, 2].map(() => loadCheckout('{}/embed.js')));
             window.same = checkouts[0] === checkouts[1];
             const checkout = new checkouts[0]();
             checkout.paymentUrl = '{}';
             checkout.addEventListener('checkout:complete', ({{ detail }}) => {{ window.complete = detail; }});
             document.querySelector('main').append(checkout);</script>",
            loader(),
            stage.gateway.ready.base_url,
            created.payment_url
        );
        let merchant = Merchant::open_at(listener, &page);
        browser.goto(&merchant.origin).await;
        frame::enter(browser, FRAME).await;
        let page = stage.page();
        page.choose("BTC", "BTC").await;
        page.until_screen("pay").await;
        browser.top().await;
        let tags = "return [window.same, document.querySelectorAll('script[src]').length]";
        assert_eq!(browser.run(tags, vec![]).await, json!([true, 1]));

        let id = created.payment_info.payment_id;
        let payment = stage.gateway.payment(&id);
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        eventually("the page hears that the payment is complete", async || {
            browser.run("return window.complete?.paymentId ?? null", vec![]).await == json!(id)
        })
        .await;
    });
}
