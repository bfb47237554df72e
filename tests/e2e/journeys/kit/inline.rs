//! The page of the kit in a merchant's page itself: its style, its size and its address are not the merchant's.

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::extent::in_turn;
use crate::support::kit::{KINDS, KitStage};
use crate::support::screenshot;
use crate::support::stage::with_browser;
use crate::support::wait::eventually;

/// The page's own root, in scripts.
const ROOT: &str =
    "document.querySelector('crypto-checkout').shadowRoot.querySelector('[part=inline]').shadowRoot";

/// A narrow column of a page whose style would break any other one's.
async fn open_shop(stage: &KitStage<'_>, url: &str) {
    stage.files.put_shop(format!(
        "<!doctype html><meta http-equiv=content-security-policy content=\"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'nonce-a';
             style-src 'self' 'nonce-a'; connect-src 'self' {}; img-src data:\"><meta name=viewport content='width=device-width'><title>Shop</title><link rel=icon href='data:,'>
         <style nonce=a>html {{ font-size: 7px }} main {{ width: 380px; max-width: 100% }} * {{ color: red; text-align: right; letter-spacing: 9px; text-transform: uppercase }}
         button {{ display: none }}</style>
         <script src='/pay/embed.js' defer></script>
         <main><crypto-checkout mode=inline payment-url='{}'></crypto-checkout></main><script nonce=a>
         window.heard = [];
         for (const name of ['ready', 'status', 'complete', 'error'])
             addEventListener('checkout:' + name, ({{ detail }}) => heard.push([name, detail.status ?? detail.code]));
         </script>",
        stage.server.origin,
        url.replace('&', "&amp;")
    ));
    stage.browser.goto(&stage.files.origin).await;
}

async fn text_of(browser: &Browser, selector: &str) -> Option<String> {
    let script = format!("return {ROOT}?.querySelector('{selector}')?.innerText");
    browser.run(&script, vec![]).await.as_str().map(str::to_owned)
}

async fn until_screen(browser: &Browser, screen: &str) {
    let script = format!("return {ROOT}?.querySelector('[data-screen={screen}]') != null");
    eventually(&format!("shows {screen}"), async || browser.run(&script, vec![]).await == json!(true)).await;
}

async fn press(browser: &Browser, selector: &str) {
    let script = format!("return {ROOT}?.querySelector('{selector}')?.click()");
    browser.run(&script, vec![]).await;
}

async fn asked(browser: &Browser) -> Value {
    let script = "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/payments/')).length";
    browser.run(script, vec![]).await
}

#[test]
fn it_is_paid_in_a_column_of_the_merchants_page() {
    for kind in in_turn(&KINDS) {
        with_browser(async |browser| {
            let stage = KitStage::open_at(kind, browser, |_| json!({}));
            let link = stage.server.create(&json!({}));
            open_shop(&stage, &link.url).await;
            until_screen(browser, "choose").await;
            press(browser, "[data-part=currency][data-value=BTC]").await;
            until_screen(browser, "pay").await;
            let payment = stage.server.payment(&link.payment_id);
            let address = text_of(browser, "[data-part=address]").await.unwrap_or_default();
            let address: String = address.split_whitespace().collect();
            assert_eq!(Some(&address), payment.wallet_address.as_ref(), "{kind:?}");

            let look = format!(
                "const root = {ROOT}, page = root.querySelector('.page'), style = getComputedStyle(page);
                 return [style.fontSize, page.scrollWidth <= 380, style.color, style.letterSpacing, document.title, location.pathname]"
            );
            assert_eq!(
                browser.run(&look, vec![]).await,
                json!(["16px", true, "rgb(18, 22, 29)", "normal", "Shop", "/"]),
                "{kind:?}"
            );
            screenshot::keep(browser, "kit-inline").await;

            stage.pay(&payment, "DEPOSITED", "CONFIRMED");
            until_screen(browser, "paid").await;
            let expected = json!(["ready", "PENDING", "DEPOSITED", "complete"]);
            eventually("the merchant's page hears of it", async || {
                let script = "return heard.filter(([, status]) => status !== 'NEW')
                    .map(([name, status]) => name === 'status' ? status : name)";
                browser.run(script, vec![]).await == expected
            })
            .await;
            browser.seal_console().await;
        });
    }
}

#[test]
fn another_language_is_another_page_and_none_runs_without_its_element() {
    with_browser(async |browser| {
        let stage = KitStage::open_at(KINDS[0], browser, |_| json!({}));
        let link = stage.server.create(&json!({}));
        open_shop(&stage, &link.url).await;
        until_screen(browser, "choose").await;
        press(browser, "[data-part=currency][data-value=BTC]").await;
        until_screen(browser, "pay").await;
        browser.run("document.querySelector('crypto-checkout').locale = 'de-DE'", vec![]).await;
        let german = format!("return {ROOT}?.querySelector('.page[lang=de-DE] [data-screen=pay]') != null");
        eventually("it is in German", async || browser.run(&german, vec![]).await == json!(true)).await;
        browser.run("document.querySelector('crypto-checkout').remove()", vec![]).await;
        // A request may be under way.
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let before = asked(browser).await;
        tokio::time::sleep(std::time::Duration::from_secs(6)).await;
        assert_eq!(asked(browser).await, before, "nothing asks for the payment any more");
        browser.seal_console().await;
    });
}

#[test]
fn scripts_from_elsewhere_are_not_run() {
    with_browser(async |browser| {
        let stage = KitStage::open_at(KINDS[0], browser, |_| json!({}));
        browser.expect_in_console("/elsewhere/ is not in");
        open_shop(&stage, "/elsewhere/?paymentId=a&sessionToken=b").await;
        eventually("the merchant's page hears of it", async || {
            browser.run("return heard", vec![]).await == json!([["error", "unreachable"]])
        })
        .await;
    });
}
