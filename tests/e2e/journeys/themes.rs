use serde_json::json;

use crate::support::gateway::order;
use crate::support::stage::{Stage, journey};

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
fn the_theme_of_the_link_decides() {
    journey(async |stage| {
        let url = stage.gateway.create(&order()).payment_url;
        for (theme, expected) in [("LIGHT", false), ("DARK", true)] {
            assert_eq!(is_dark(stage, &url, theme).await, expected, "{theme}");
        }
    });
}

/// Whether the page at this address is dark in another theme than its own.
pub(crate) async fn is_dark(stage: &Stage<'_>, url: &str, theme: &str) -> bool {
    assert!(url.contains("theme=LIGHT"), "{url}");
    stage.page().open("about:blank").await;
    stage.page().open(&url.replace("theme=LIGHT", &format!("theme={theme}"))).await;
    stage.page().until_screen("choose").await;
    let lightness = stage.browser.run(LIGHTNESS, vec![json!(theme)]).await;
    let lightness = lightness.as_f64().expect("the page paints its background");
    assert!(!(0.3..0.7).contains(&lightness), "neither light nor dark: {lightness}");
    lightness < 0.3
}
