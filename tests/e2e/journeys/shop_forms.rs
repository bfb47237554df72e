//! The five ways in which the demo shop shows the checkout.

use serde_json::json;

use crate::support::frame;
use crate::support::shop::Shop;
use crate::support::stage::journey;
use crate::support::wait::eventually;

const EVENTS: &str = "return document.querySelector('[data-part=events]').textContent";

/// A form, the frame that it has, and the selector of what opens it.
const FORMS: [(&str, &str, &str); 4] = [
    ("frame", "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')", ""),
    ("iframe", "document.querySelector('iframe.checkout')", ""),
    ("button", "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')", "#pay"),
    ("modal", "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')", ""),
];

#[test]
fn each_way_shows_the_checkout_and_its_events() {
    journey(async |stage| {
        let browser = stage.browser;
        let shop = Shop::order(browser, &stage.gateway).await;
        let order = browser.run("return location.origin + location.pathname", vec![]).await;
        let order = order.as_str().expect("an address").to_owned();
        for (form, held, opener) in FORMS {
            browser.goto(&format!("{order}?as={form}")).await;
            if !opener.is_empty() {
                let silent =
                    "return document.querySelector('crypto-checkout').shadowRoot.querySelector('iframe')";
                assert_eq!(browser.run(silent, vec![]).await, json!(null), "nothing loads before the press");
                shop.page.click_on(opener).await;
            }
            frame::enter(browser, held).await;
            shop.page.until_screen("choose").await;
            browser.top().await;
            eventually("the page lists the status", async || {
                let events = browser.run(EVENTS, vec![]).await;
                events.as_str().is_some_and(|text| text.contains("status") && text.contains("\"NEW\""))
            })
            .await;
        }
        let is_open =
            "return document.querySelector('crypto-checkout').shadowRoot.querySelector('dialog').open";
        browser.run("document.querySelector('crypto-checkout').close()", vec![]).await;
        assert_eq!(browser.run(is_open, vec![]).await, json!(false));
        shop.page.click("pay-again").await;
        assert_eq!(browser.run(is_open, vec![]).await, json!(true), "a closed dialog opens again");

        browser.goto(&format!("{order}?as=link")).await;
        shop.page.click_on("a.buy").await;
        let checkout = shop.page.until_screen("choose").await;
        assert!(checkout.text.contains("Kettle & Co") && checkout.text.contains("KC-"), "{}", checkout.text);
    });
}
