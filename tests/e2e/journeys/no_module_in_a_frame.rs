//! A browser that runs no module, in a shop's frame: the page works without it, and the shop hears of the payment all the same.

use std::time::Duration;

use checkout_wire::create_payment::CreatePayment;
use serde_json::json;

use crate::support::faulty::{Fault, Faulty};
use crate::support::frame;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::journey;
use crate::support::wait::{eventually, within};

const FRAME: &str = "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')";
const HEIGHTS: &str = "return Math.ceil(document.getElementById('checkout').getBoundingClientRect().height)";

/// The page reloads every 15 seconds.
const RELOADED: Duration = Duration::from_mins(1);

#[test]
fn a_shop_hears_of_a_payment_without_the_module() {
    journey(async |stage| {
        let browser = stage.browser;
        let proxy = Faulty::before(&stage.gateway.ready.base_url, |line| line.contains(".wasm "));
        proxy.suffer(Fault::Status(404, ""));
        for part in ["404", "checkout", "WebAssembly"] {
            browser.expect_in_console(part);
        }
        let (listener, origin) = Merchant::reserve();
        stage.gateway.become_business(&["--origin", &origin]);
        let order = CreatePayment { redirect_url: Some(format!("{origin}/thanks").into()), ..order() };
        let created = stage.gateway.create(&order);
        let payment = stage.gateway.choose(&created.payment_info.payment_id, "BTC");
        let shop = format!(
            "<!doctype html><title>Shop</title><script type=module src='{}/embed.js'></script>
             <crypto-checkout payment-url='{}'></crypto-checkout>
             <script>window.heard = [];
               for (const type of ['ready', 'status', 'complete', 'error']) addEventListener('checkout:' + type, (event) => {{
                 heard.push(event.detail?.status ?? event.detail?.code ?? type);
                 if (type === 'complete') event.preventDefault();
               }});
             </script>",
            proxy.origin,
            created.payment_url.replace(&stage.gateway.ready.base_url, &proxy.origin).replace('&', "&amp;")
        );
        let merchant = Merchant::open_at(listener, &shop);
        browser.goto(&merchant.origin).await;
        eventually("the shop hears of the payment", async || {
            browser.run("return heard", vec![]).await == json!(["ready", "PENDING"])
        })
        .await;
        frame::enter(browser, FRAME).await;
        let content = browser.run(HEIGHTS, vec![]).await;
        browser.top().await;
        let height = browser.run(&format!("return {FRAME}.style.height"), vec![]).await;
        assert_eq!(height, json!(format!("{content}px")), "the frame is as high as its content");

        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        within(RELOADED, "the shop hears of its end, once", async || {
            let heard = browser.run("return heard.filter((what) => what !== 'ready')", vec![]).await;
            heard == json!(["PENDING", "DEPOSITED", "DEPOSITED"])
        })
        .await;
    });
}
