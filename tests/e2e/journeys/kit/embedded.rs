//! The page of the kit in a merchant's page.

use serde_json::json;

use crate::support::extent::in_turn;
use crate::support::frame;
use crate::support::kit::{KINDS, KitStage};
use crate::support::merchant::Merchant;
use crate::support::places;
use crate::support::stage::with_browser;
use crate::support::wait::eventually;

const FRAME: &str = "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')";

#[test]
fn a_merchants_page_embeds_the_kit_and_hears_of_the_payment() {
    for kind in in_turn(&KINDS) {
        with_browser(async |browser| {
            let (listener, origin) = Merchant::reserve();
            let stage = KitStage::open_at(kind, browser, |_| json!({"allowedOrigins": [origin]}));
            let link = stage.server.create(&json!({}));
            let html = format!(
                "<!doctype html><title>Shop</title><script src='{}/pay/embed.js' defer></script>
                 <crypto-checkout payment-url='{}'></crypto-checkout><script>
                 window.heard = [];
                 for (const name of ['ready', 'status', 'complete', 'error'])
                     addEventListener('checkout:' + name, ({{ detail }}) => heard.push([name, detail.status ?? detail.code]));
                 </script>",
                stage.files.origin,
                link.url.replace('&', "&amp;")
            );
            let merchant = Merchant::open_at(listener, &html);
            browser.goto(&merchant.origin).await;
            // A page that starts late on a busy machine reloads itself, which takes the frame away.
            eventually("the frame offers a choice", async || {
                frame::enter(browser, FRAME).await;
                stage.page().look().await.is_some_and(|page| page.is("choose"))
            })
            .await;
            let gap = "const at = (part) => document.querySelector(part).getBoundingClientRect();
                return Math.round(at('.foot').top - at('.choices').bottom)";
            assert_eq!(browser.run(gap, vec![]).await, json!(16), "between the choice and the languages");
            stage.page().choose("BTC", "BTC").await;
            let payment = stage.server.payment(&link.payment_id);
            stage.pay(&payment, "DEPOSITED", "CONFIRMED");
            stage.page().until_screen("paid").await;
            browser.top().await;
            let expected = json!([
                ["ready", null],
                ["status", "PENDING"],
                ["status", "DEPOSITED"],
                ["complete", "DEPOSITED"]
            ]);
            let mut heard = json!([]);
            eventually("the merchant's page hears of it", async || {
                // That it is new is told where the frame is heard before the first choice.
                let without_new = "return heard.filter(([, status]) => status !== 'NEW')";
                heard = browser.run(without_new, vec![]).await;
                heard.as_array().is_some_and(|heard| heard.len() >= 4)
            })
            .await;
            assert_eq!(heard, expected, "{kind:?}");
            let height = browser.run(&format!("return {FRAME}.style.height"), vec![]).await;
            assert!(height.as_str().is_some_and(|height| height.ends_with("px")), "{height}");
            browser.seal_console().await;
        });
    }
}

#[test]
fn the_types_of_the_element_lie_beside_its_script() {
    let types = std::fs::read_to_string(places::kit().join("embed.d.ts")).expect("they are in the kit");
    assert!(types.contains("interface CryptoCheckoutElement"), "{types}");
}

#[test]
fn a_page_whose_origin_is_not_allowed_hears_that_alone() {
    with_browser(async |browser| {
        let stage =
            KitStage::open_at(KINDS[0], browser, |_| json!({"allowedOrigins": ["https://shop.example"]}));
        browser.expect_in_console("allowedOrigins");
        let link = stage.server.create(&json!({}));
        let html = format!(
            "<!doctype html><title>Other</title><iframe id=f src='{}'></iframe><script>
             window.heard = new Set();
             addEventListener('message', ({{ data }}) => heard.add(JSON.stringify({{ ...data, instance: undefined }})));
             setInterval(() => f.contentWindow.postMessage({{protocol: 'crypto-checkout', version: 1, instance: 'a', type: 'hello'}}, '*'), 100);
             </script>",
            link.url.replace('&', "&amp;")
        );
        let other = Merchant::open(&html, &[]);
        browser.goto(&other.origin).await;
        frame::enter(browser, "document.getElementById('f')").await;
        stage.page().until_screen("choose").await;
        browser.top().await;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let heard = browser.run("return [...heard].map((text) => JSON.parse(text))", vec![]).await;
        let refusal = json!({"protocol": "crypto-checkout", "version": 1, "type": "error", "code": "origin-not-allowed"});
        assert_eq!(heard, json!([refusal]));
        browser.seal_console().await;
    });
}
