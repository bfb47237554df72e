use serde_json::json;

use crate::support::browser::Scheme;
use crate::support::gateway::order;
use crate::support::stage::journey;

/// The lightness of the page's background, 0 to 1, computed by the page.
const LIGHTNESS: &str = "
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    for (const element of [document.documentElement, document.body]) {
        canvas.fillStyle = getComputedStyle(element).backgroundColor;
        canvas.fillRect(0, 0, 1, 1);
    }
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return a === 0 ? null : (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;";

#[test]
fn the_theme_of_the_link_decides_and_auto_follows_the_device() {
    journey(async |stage| {
        let url = stage.gateway.create(&order()).payment_url;
        assert!(url.contains("theme=LIGHT"), "{url}");
        let is_dark = async |theme: &str, scheme| {
            stage.browser.prefer(scheme).await;
            stage.page().open("about:blank").await;
            stage.page().open(&url.replace("theme=LIGHT", &format!("theme={theme}"))).await;
            stage.page().until_screen("choose").await;
            let lightness = stage.browser.run(LIGHTNESS, vec![json!(theme)]).await;
            let lightness = lightness.as_f64().expect("the page paints its background");
            assert!(
                !(0.3..0.7).contains(&lightness),
                "the background is neither light nor dark: {lightness}"
            );
            lightness < 0.3
        };
        for scheme in Scheme::BOTH {
            assert!(!is_dark("LIGHT", scheme).await, "LIGHT on a {} device", scheme.word());
            assert!(is_dark("DARK", scheme).await, "DARK on a {} device", scheme.word());
            assert_eq!(
                is_dark("AUTO", scheme).await,
                scheme == Scheme::Dark,
                "AUTO on a {} device",
                scheme.word()
            );
        }
    });
}

#[test]
fn every_theme_prints_light_and_without_controls() {
    journey(async |stage| {
        let url = stage.gateway.create(&order()).payment_url;
        stage.page().open(&url.replace("theme=LIGHT", "theme=DARK")).await;
        stage.page().choose("XRP", "XRP").await;
        stage.browser.devtools("Emulation.setEmulatedMedia", json!({"media": "print"})).await;
        let script = "
            const shown = (element) => element.checkVisibility();
            return [getComputedStyle(document.querySelector('h1')).color,
                [...document.querySelectorAll('button, a, summary')].filter(shown).length,
                ['amount', 'address', 'tag', 'qr'].every((part) => shown(document.querySelector(`[data-part=${part}]`)))];";
        assert_eq!(stage.browser.run(script, vec![]).await, json!(["rgb(18, 22, 29)", 0, true]));
    });
}

#[test]
fn nothing_moves_where_motion_is_reduced() {
    journey(async |stage| {
        stage.open_and_choose(&order(), "BTC", "BTC").await;
        let moving = async |preference: &str| {
            let features = json!([{"name": "prefers-reduced-motion", "value": preference}]);
            stage.browser.devtools("Emulation.setEmulatedMedia", json!({"features": features})).await;
            stage.browser.run("return document.getAnimations().length", vec![]).await
        };
        assert_eq!(moving("no-preference").await, 1, "the waiting indicator");
        assert_eq!(moving("reduce").await, 0);
    });
}
