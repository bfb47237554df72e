//! The page in the payer's language.

use checkout_core::wire::LOCALES;
use serde_json::{Value, json};

use crate::support::gateway::{Gateway, order};
use crate::support::languages::{NARROW, fits, font_size, language, with_locale};
use crate::support::screenshot::out;
use crate::support::stage::{Stage, journey, with_browser};

#[test]
fn the_language_is_switched_on_the_page() {
    journey(async |stage| switches(stage).await);
}

#[test]
fn the_language_is_switched_without_script() {
    journey(async |stage| {
        stage.browser.script(false).await;
        switches(stage).await;
    });
}

async fn switches(stage: &Stage<'_>) {
    let page = stage.page();
    let payment = stage.open_and_choose(&order(), "BTC", "BTC").await;
    assert_eq!(language(stage.browser).await, "en-US");
    page.click("locale").await;
    page.click_on("[data-locale=de-DE]").await;
    page.until("is in German", |page| page.text.contains("Senden Sie nur BTC")).await;
    assert_eq!(language(stage.browser).await, "de-DE");
    stage.gateway.pay(&payment);
    let seen = page.until_screen("seen").await;
    assert!(seen.text.contains("Wir haben Ihre Überweisung gesehen"), "{}", seen.text);
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

#[test]
fn long_names_right_to_left_names_and_huge_amounts_fit() {
    let unbroken = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
    for name in [unbroken, "קומקום ועלה בע״מ"] {
        journey(async |stage| {
            stage.gateway.become_business_named(name, &[]);
            let mut order = order();
            order.display_amount = Some("98765432.10".to_owned());
            let page = stage.page();
            for (currency, network) in [("XRP", "XRP"), ("USDT", "BSC")] {
                let created = stage.gateway.create(&order);
                order.client_payment_id.push('+');
                for locale in ["ja-JP", "ru-RU", "en-XA", "en-XB"] {
                    stage.browser.view(NARROW).await;
                    page.open(&with_locale(&created.payment_url, locale)).await;
                    let screen = page
                        .until("asks for a choice or for money", |page| page.is("choose") || page.is("pay"))
                        .await;
                    fits(stage.browser, &format!("{:?} in {locale}", screen.screen)).await;
                    if screen.is("choose") {
                        page.choose(currency, network).await;
                        fits(stage.browser, &format!("{currency} in {locale}")).await;
                    }
                }
            }
        });
    }
}

/// The whole screen with its style, QR code and the language's texts.
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

/// Twice the browser's default font size: everything is twice as large and still fits.
#[test]
fn text_follows_the_browsers_font_size() {
    journey(async |stage| {
        stage.open_and_choose(&order(), "XRP", "XRP").await;
        let sizes = async || {
            let script =
                "return ['h1', '.label', '[data-part=amount]', '[data-part=address]', '.copy', '.foot'].map(
                (selector) => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize))";
            let sizes = stage.browser.run(script, vec![]).await;
            serde_json::from_value::<Vec<f64>>(sizes).expect("sizes")
        };
        let usual = sizes().await;
        font_size(stage.browser, 32).await;
        let large = sizes().await;
        for (usual, large) in usual.iter().zip(&large) {
            // A narrow layout has a smaller amount.
            assert!(large / usual >= 1.75, "{usual} px became {large} px");
        }
        assert_eq!(out(stage.browser).await, 0);
    });
}
