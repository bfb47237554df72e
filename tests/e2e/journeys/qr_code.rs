use checkout_core::pair::PAIRS;
use serde_json::json;

use crate::support::browser::{DESKTOP, PHONE, Scheme};
use crate::support::gateway::order;
use crate::support::page::Page;
use crate::support::qr;
use crate::support::screenshot::whole_page;
use crate::support::stage::journey;

/// The code on the screen matches the page's data, and its quiet zone is light.
async fn scan(page: &Page<'_>, place: &str) {
    let drawn = page.until("shows a QR code", |page| page.value("qr").is_some()).await;
    let code = qr::read(&whole_page(page.browser).await);
    assert_eq!(Some(code.text.as_str()), drawn.value("qr"), "{place}");
    assert!(code.darkest_around > 220, "the quiet zone is not light: {place}");
}

#[test]
fn every_code_can_be_scanned_from_every_screen() {
    journey(async |stage| {
        let page = stage.page();
        for (currency, network) in [("BTC", "BTC"), ("ETH", "ETH"), ("XLM", "XLM")] {
            let created = stage.gateway.create(&order());
            page.open(&created.payment_url.replace("theme=LIGHT", "theme=AUTO")).await;
            page.choose(currency, network).await;
            for viewport in [PHONE, DESKTOP] {
                for scheme in Scheme::BOTH {
                    stage.browser.view(viewport).await;
                    stage.browser.prefer(scheme).await;
                    let place = format!("{currency}, {} px, {}", viewport.width, scheme.word());
                    scan(&page, &place).await;
                }
            }
        }
    });
}

/// With and without the amount, if there are both.
#[test]
fn every_pair_can_be_scanned_in_every_theme() {
    journey(async |stage| {
        let page = stage.page();
        for pair in PAIRS.iter().filter(|pair| pair.deposit) {
            let (currency, network) = (pair.currency.code(), pair.network.code());
            let created = stage.gateway.create(&order());
            page.open(&created.payment_url).await;
            page.choose(currency, network).await;
            for theme in ["LIGHT", "DARK"] {
                page.open(&created.payment_url.replace("theme=LIGHT", &format!("theme={theme}"))).await;
                let shown = page
                    .until("is alive", |page| page.is("pay") && page.shown("copy-address").is_some())
                    .await;
                scan(&page, &format!("{currency} on {network}, {theme}")).await;
                if let Some(mode) = shown.value("qr-mode") {
                    page.click("qr-mode").await;
                    page.until("shows the other code", |page| {
                        page.value("qr-mode").is_some_and(|now| now != mode)
                    })
                    .await;
                    scan(&page, &format!("{currency} on {network}, {theme}, not {mode}")).await;
                }
            }
        }
    });
}

#[test]
fn a_code_stays_black_on_white_in_forced_dark_mode() {
    journey(async |stage| {
        let page = stage.page();
        stage.open_and_choose(&order(), "BTC", "BTC").await;
        stage.browser.devtools("Emulation.setAutoDarkModeOverride", json!({"enabled": true})).await;
        scan(&page, "automatic dark mode").await;
        stage.browser.devtools("Emulation.setAutoDarkModeOverride", json!({})).await;
        for scheme in Scheme::BOTH {
            let features = json!([
                {"name": "forced-colors", "value": "active"},
                {"name": "prefers-color-scheme", "value": scheme.word()},
            ]);
            stage.browser.devtools("Emulation.setEmulatedMedia", json!({"features": features})).await;
            scan(&page, &format!("forced colours, {}", scheme.word())).await;
        }
    });
}
