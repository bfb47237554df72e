use serde_json::json;

use crate::journeys::qr_code::scan;
use crate::support::browser::Scheme;
use crate::support::extent;
use crate::support::gateway::order;
use crate::support::stage::journey;

#[test]
fn every_code_can_be_scanned_from_every_screen() {
    journey(async |stage| {
        let page = stage.page();
        for (currency, network) in [("BTC", "BTC"), ("ETH", "ETH"), ("XLM", "XLM")] {
            let created = stage.gateway.create(&order());
            page.open(&created.payment_url.replace("theme=LIGHT", "theme=AUTO")).await;
            page.choose(currency, network).await;
            for (viewport, scheme) in extent::views() {
                stage.browser.view(viewport).await;
                stage.browser.prefer(scheme).await;
                let place = format!("{currency}, {} px, {}", viewport.width, scheme.word());
                if page.look().await.is_some_and(|page| page.shown("qr").is_none()) {
                    page.click("show-qr").await;
                }
                scan(&page, &place).await;
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
