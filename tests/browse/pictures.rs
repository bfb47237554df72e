//! The pictures of README.md and of the documentation's front page: the demo shop, and the page of a payment.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::support::browser::{DESKTOP, PHONE, Scheme};
use crate::support::screenshot::settle;
use crate::support::shop::Shop;
use crate::support::stage::{Stage, journey};

pub(crate) fn run(folder: &Path) {
    journey(async |stage| {
        let page = stage.page();
        stage.browser.view(DESKTOP).await;
        let shop = Shop::order(stage.browser, &stage.gateway).await;
        shop.enter().await.until_screen("choose").await;
        shop.leave().await;
        keep(stage, &folder.join("shop.webp"), (1280, 800)).await;

        let url = "return document.querySelector('crypto-checkout').paymentUrl";
        let url = stage.browser.run(url, vec![]).await;
        page.open(&format!("{}&theme=AUTO", url.as_str().expect("the element has an address"))).await;
        page.choose("USDT", "TRX").await;
        page.until_screen("pay").await;
        keep(stage, &folder.join("pay.webp"), (1280, 616)).await;
        stage.browser.view(PHONE).await;
        for scheme in Scheme::BOTH {
            stage.browser.prefer(scheme).await;
            keep(stage, &folder.join(format!("pay-phone-{}.webp", scheme.word())), (360, 904)).await;
        }
    });
}

/// The upper left part of the page; of a phone's, one and a half pixels a CSS pixel.
async fn keep(stage: &Stage<'_>, file: &Path, (width, height): (u32, u32)) {
    settle(stage.browser).await;
    let scale = if width == PHONE.width { 0.75 } else { 1.0 };
    let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": scale});
    let options = json!({"format": "webp", "quality": 80, "captureBeyondViewport": true, "clip": clip});
    let answer = stage.browser.devtools("Page.captureScreenshot", options).await;
    let picture = STANDARD.decode(answer["data"].as_str().unwrap_or_default());
    std::fs::write(file, picture.expect("the browser writes base64")).expect("the folder is writable");
    println!("{}", file.display());
}
