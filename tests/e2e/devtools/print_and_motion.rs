use serde_json::json;

use crate::support::gateway::order;
use crate::support::stage::journey;

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
                ['amount', 'address', 'tag', 'qr'].every((part) => shown(document.querySelector(`[data-part=${part}]`))),
                getComputedStyle(document.documentElement).scrollbarGutter];";
        // A gutter for the scroll bar would cut the end of each line.
        assert_eq!(stage.browser.run(script, vec![]).await, json!(["rgb(18, 22, 29)", 0, true, "auto"]));
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
        assert_eq!(moving("no-preference").await, 1, "the sign of waiting");
        assert_eq!(moving("reduce").await, 0);
    });
}
