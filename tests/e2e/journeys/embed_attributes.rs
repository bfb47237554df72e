//! The theme and the locale of an embedded checkout, and a script at an address with its version and digest.

use serde_json::{Value, json};

use crate::support::frame;
use crate::support::gateway::order;
use crate::support::merchant::Merchant;
use crate::support::stage::{Stage, journey};
use crate::support::wait::eventually;

const FRAME: &str = "document.querySelector('crypto-checkout')?.shadowRoot?.querySelector('iframe')";

/// A page with this script tag and a checkout with these attributes.
async fn shop(stage: &mut Stage<'_>, script: &str, attributes: &str) -> Merchant {
    let (listener, origin) = Merchant::reserve();
    stage.gateway.become_business(&["--origin", &origin]);
    let created = stage.gateway.create(&order());
    let url = created.payment_url.replace('&', "&amp;");
    let page = format!(
        "<!doctype html><title>Shop</title><script type=module {script}></script>
         <crypto-checkout {attributes} payment-url='{url}'></crypto-checkout>"
    );
    let merchant = Merchant::open_at(listener, &page);
    stage.browser.goto(&merchant.origin).await;
    merchant
}

#[test]
fn theme_and_locale_are_attributes() {
    journey(async |stage| {
        let browser = stage.browser;
        let script = format!("src='{}/embed.js'", stage.gateway.ready.base_url);
        let _merchant = shop(stage, &script, "theme=dark locale=de-DE").await;
        let look = "return [document.documentElement.lang, document.documentElement.dataset.theme]";
        frame::enter(browser, FRAME).await;
        stage.page().until_screen("choose").await;
        assert_eq!(browser.run(look, vec![]).await, json!(["de-DE", "DARK"]));
        browser.top().await;
        browser.run("Object.assign(document.querySelector('crypto-checkout'), { theme: 'light', locale: 'fr-FR' })", vec![]).await;
        eventually("both changed", async || {
            frame::enter(browser, FRAME).await;
            browser.run(look, vec![]).await == json!(["fr-FR", "LIGHT"])
        })
        .await;
    });
}

/// The element itself speaks the page's language.
#[test]
fn the_dialog_speaks_the_language_of_the_page() {
    journey(async |stage| {
        let script = format!("src='{}/embed.js'", stage.gateway.ready.base_url);
        let _merchant = shop(stage, &script, "mode=modal locale=de-DE").await;
        let texts = "const root = document.querySelector('crypto-checkout')?.shadowRoot;
            return ['[part=dialog]', '[part=close]'].map((part) => root?.querySelector(part)?.ariaLabel)";
        eventually("the dialog is open", async || {
            let german = json!(["Zahlung in Kryptowährung", "Zahlungsseite schließen"]);
            stage.browser.run(texts, vec![]).await == german
        })
        .await;
    });
}

/// The window of a small laptop is 657 pixels high below the browser's bars, and the dialog begins at its top.
#[test]
fn the_dialog_on_a_laptop_shows_the_whole_code() {
    journey(async |stage| {
        let browser = stage.browser;
        let script = format!("src='{}/embed.js'", stage.gateway.ready.base_url);
        let _merchant = shop(stage, &script, "mode=modal").await;
        frame::enter(browser, FRAME).await;
        stage.page().choose("BTC", "BTC").await;
        stage.page().until("shows the code", |page| page.value("qr").is_some()).await;
        let bottom = browser
            .run("return document.querySelector('[data-part=qr]').getBoundingClientRect().bottom", vec![])
            .await;
        browser.top().await;
        let top = format!(
            "const {{ top }} = {FRAME}.getBoundingClientRect();
             return top - document.querySelector('crypto-checkout').shadowRoot.querySelector('dialog').getBoundingClientRect().top"
        );
        let top = browser.run(&top, vec![]).await;
        let bottom = top.as_f64().expect("a number") + bottom.as_f64().expect("a number");
        assert!(bottom <= 657.0, "the code ends at {bottom}");
    });
}

/// `/embed.json` of the gateway.
fn versioned(stage: &Stage<'_>) -> (String, String) {
    let base = &stage.gateway.ready.base_url;
    let answer = stage.gateway.http.get(format!("{base}/embed.json")).call();
    let manifest: Value = answer.and_then(|mut answer| answer.body_mut().read_json()).expect("JSON");
    let text = |key: &str| manifest[key].as_str().expect("a text").to_owned();
    (format!("{base}{}", text("script")), text("integrity"))
}

#[test]
fn a_script_with_version_and_digest_opens_the_checkout() {
    journey(async |stage| {
        let (script, integrity) = versioned(stage);
        let answer = stage.gateway.http.get(&script).call().expect("the gateway answers");
        let cached = answer.headers().get("cache-control").and_then(|value| value.to_str().ok());
        assert_eq!(cached, Some("public, max-age=31536000, immutable, no-transform"));
        let _merchant = shop(stage, &format!("src='{script}' integrity='{integrity}' crossorigin"), "").await;
        frame::enter(stage.browser, FRAME).await;
        stage.page().until_screen("choose").await;
    });
}

#[test]
fn a_script_with_another_digest_is_not_run() {
    journey(async |stage| {
        stage.browser.expect_in_console("integrity");
        let (script, _) = versioned(stage);
        let integrity = format!("sha384-{}", "A".repeat(64));
        let _merchant = shop(stage, &format!("src='{script}' integrity='{integrity}' crossorigin"), "").await;
        let state = "return [document.readyState, !!customElements.get('crypto-checkout')]";
        eventually("the page is loaded", async || {
            stage.browser.run(state, vec![]).await == json!(["complete", false])
        })
        .await;
    });
}
