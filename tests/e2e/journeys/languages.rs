//! The page in the payer's language.

use checkout_wire::LOCALES;
use serde_json::{Value, json};

use crate::support::gateway::{Gateway, order};
use crate::support::languages::{language, with_locale};
use crate::support::stage::{Stage, journey, with_browser};

#[test]
fn the_language_is_switched_on_the_page() {
    journey(async |stage| switches(stage).await);
}

pub(crate) async fn switches(stage: &Stage<'_>) {
    let page = stage.page();
    let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
    assert_eq!(language(stage.browser).await, "en-US");
    page.click("locale").await;
    page.click_on("[data-locale=de-DE]").await;
    page.until("is in German", |page| page.text.contains("Senden Sie nur BTC")).await;
    assert_eq!(language(stage.browser).await, "de-DE");
    stage.gateway.pay(&payment);
    let seen = page.until_screen("seen").await;
    assert!(seen.text.contains("Wir haben Ihre Transaktion erkannt"), "{}", seen.text);
    page.reload().await;
    let again = page.until_screen("seen").await;
    assert_eq!(again.fact("locale"), Some("de-DE"));
    assert!(again.text.contains("Warten auf Bestätigung"), "{}", again.text);
}

/// The server uses the same table.
#[test]
fn the_browser_formats_as_the_server_does() {
    const SCRIPT: &str = "
        const [locale, {money, times}] = arguments;
        // Engines differ in the space character before AM and PM.
        const plain = (text) => text.replace(/\\u202f(?=[AP]M)/g, ' ');
        const options = {dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC'};
        return {
            money: money.map(([amount, currency]) => [amount, currency,
                new Intl.NumberFormat(locale, {style: 'currency', currency}).format(amount)]),
            times: times.map(([seconds]) => [seconds, plain(new Date(seconds * 1000).toLocaleString(locale, options))]),
        };";
    let table: Value =
        serde_json::from_str(include_str!("../../../widget/tests/formats.json")).expect("JSON");
    with_browser(async |browser| {
        browser.goto("about:blank").await;
        for (locale, rows) in table.as_object().expect("a table") {
            let said = browser.run(SCRIPT, vec![json!(locale), rows.clone()]).await;
            assert_eq!(said, *rows, "{locale}");
        }
    });
}

/// The whole screen with its style, its QR code and the texts of its language.
#[test]
fn the_first_response_is_at_most_14_kilobytes_in_every_language() {
    let gateway = Gateway::start("");
    let created = gateway.create(&order());
    gateway.choose(&created.payment_info.payment_id, "XRP");
    for locale in LOCALES {
        let url = with_locale(&created.payment_url, locale);
        let answer = gateway.http.get(&url).header("Accept-Encoding", "br").call();
        let mut answer = answer.expect("the gateway answers");
        assert_eq!(
            answer.headers().get("content-encoding").map(http::HeaderValue::as_bytes),
            Some(&b"br"[..])
        );
        let bytes = answer.body_mut().read_to_vec().expect("a body").len();
        assert!(bytes <= 14_000, "{locale}: {bytes} bytes");
    }
}
