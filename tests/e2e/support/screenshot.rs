//! Saved screenshots of the whole page: `<name>-<width>-<theme>.png`.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::browser::{Browser, DESKTOP, PHONE};
use super::engine::Engine;
use super::{axe, extent, places};

/// The whole page, including the part below the fold; in Firefox and WebKitGTK the window, which is high.
pub(crate) async fn whole_page(browser: &Browser) -> Vec<u8> {
    if browser.engine != Engine::Chromium {
        // Their drivers do not wait until the page is painted.
        settle(browser).await;
        return browser.client.screenshot().await.expect("the window can be drawn");
    }
    let metrics = browser.devtools("Page.getLayoutMetrics", json!({})).await;
    let size = |key: &str| metrics["cssContentSize"][key].as_f64().unwrap_or(1.0);
    let view = |key: &str| metrics["cssVisualViewport"][key].as_f64().unwrap_or(1.0);
    let height = size("height").max(view("clientHeight"));
    let clip = json!({"x": 0, "y": 0, "width": size("width"), "height": height, "scale": 1});
    let options = json!({"format": "png", "captureBeyondViewport": true, "clip": clip,
        "optimizeForSpeed": true});
    let picture = browser.devtools("Page.captureScreenshot", options).await;
    STANDARD.decode(picture["data"].as_str().unwrap_or_default()).expect("the browser writes base64")
}

/// Saves a screenshot.
pub(crate) async fn keep(browser: &Browser, name: &str) {
    std::fs::write(file(name), whole_page(browser).await).expect("the screenshot folder is writable");
}

/// Removes a screenshot of an earlier run.
pub(crate) fn forget(name: &str) {
    let _ = std::fs::remove_file(file(name));
}

fn file(name: &str) -> PathBuf {
    places::screenshots().join(format!("{name}.png"))
}

/// Checks the page on a phone and on a desktop for horizontal overflow, and saves it there, light and dark. Axe reads each
/// width and each theme once.
pub(crate) async fn keep_all(browser: &Browser, name: &str) {
    for viewport in [PHONE, DESKTOP] {
        browser.view(viewport).await;
        for scheme in extent::schemes(viewport) {
            browser.prefer(scheme).await;
            settle(browser).await;
            if extent::is_read(viewport, scheme) {
                axe::check(browser, &format!("{name} at {} px, {}", viewport.width, scheme.word())).await;
            }
            keep(browser, &format!("{name}-{}-{}", viewport.width, scheme.word())).await;
        }
        let out = out(browser).await;
        assert_eq!(out, 0, "{name} overflows a screen of {} by {out} px", viewport.width);
    }
}

/// Waits until the new size and colours are rendered and all transitions have ended.
pub(crate) async fn settle(browser: &Browser) {
    let script = "const done = arguments[arguments.length - 1];
        requestAnimationFrame(() => requestAnimationFrame(() => {
            const moving = document.getAnimations().filter(a => Number.isFinite(a.effect.getComputedTiming().endTime));
            Promise.allSettled(moving.map(a => a.finished)).then(() => done(true));
        }));";
    browser.client.execute_async(script, vec![]).await.expect("the page is drawn");
}

/// The horizontal overflow of the page, in CSS pixels.
pub(crate) async fn out(browser: &Browser) -> u64 {
    let script =
        "const page = document.documentElement; return Math.max(0, page.scrollWidth - page.clientWidth);";
    browser.run(script, vec![]).await.as_u64().expect("a width is a number")
}
