//! Every screen as a picture: three widths, light and dark, two languages.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_wire::Payment;
use checkout_wire::create_payment::CreatedPayment;
use serde_json::json;

use crate::support::browser::{Scheme, Viewport};
use crate::support::gateway::order;
use crate::support::languages::with_locale;
use crate::support::sandbox::share;
use crate::support::screenshot::settle;
use crate::support::stage::{Stage, journey};

const WIDTHS: [Viewport; 3] = [
    Viewport { width: 360, height: 640, phone: true },
    Viewport { width: 768, height: 700, phone: false },
    Viewport { width: 1280, height: 720, phone: false },
];
const LOCALES: [&str; 2] = ["en-US", "de-DE"];

pub(crate) fn run(folder: &Path) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    journey(async |stage| {
        become_kettle_and_leaf(stage, "PROCESS");
        to_a_token(stage, folder).await;
        to_a_coin(stage, folder).await;
        with_a_tag(stage, folder).await;
        become_kettle_and_leaf(stage, "EXCESS_REFUND");
        with_trouble(stage, folder).await;
    });
}

fn become_kettle_and_leaf(stage: &mut Stage<'_>, overpayment: &str) {
    let support = "https://kettle.example/help";
    let terms = ["--support-url", support, "--overpayment", overpayment];
    stage.gateway.become_business_named("Kettle & Leaf", &terms);
}

/// A part, then too much.
async fn to_a_token(stage: &Stage<'_>, folder: &Path) {
    let page = stage.page();
    let created = open(stage).await;
    keep(stage, folder, "choose").await;
    page.pick("currency", "USDT").await;
    page.until("offers networks", |page| page.offers("network", "TRX")).await;
    keep(stage, folder, "choose-network").await;
    page.pick("network", "TRX").await;
    page.until_screen("pay").await;
    keep(stage, folder, "pay-token").await;
    let payment = stage.gateway.payment(&created.payment_info.payment_id);
    stage.gateway.transfer(&payment, &share(&payment, 4, 5).0);
    stage.gateway.mine(&payment);
    page.until_screen("partial").await;
    keep(stage, folder, "partial").await;
    stage.gateway.pay(&payment);
    stage.gateway.mine(&payment);
    page.until_screen("overpaid").await;
    keep(stage, folder, "overpaid").await;
}

async fn to_a_coin(stage: &Stage<'_>, folder: &Path) {
    let page = stage.page();
    let payment = quoted(stage, "BTC").await;
    keep(stage, folder, "pay").await;
    let transaction = stage.gateway.pay(&payment);
    page.until_screen("seen").await;
    keep(stage, folder, "seen").await;
    stage.gateway.vanish(&transaction);
    page.until("says so", |page| page.shown("news").is_some()).await;
    keep(stage, folder, "vanished").await;
    stage.gateway.pay(&payment);
    stage.gateway.mine(&payment);
    page.until_screen("paid").await;
    keep(stage, folder, "paid").await;
    stage.gateway.pay(&payment);
    page.reload().await;
    page.until_screen("paid-twice").await;
    keep(stage, folder, "paid-twice").await;
}

async fn with_a_tag(stage: &Stage<'_>, folder: &Path) {
    let page = stage.page();
    quoted(stage, "XRP").await;
    page.reload().await;
    page.until("shows the tag", |page| page.shown("tag").is_some() && page.shown("address").is_none()).await;
    keep(stage, folder, "tag").await;
    page.note_tag().await;
    keep_open(stage, folder, "tag-address").await;
    stage.gateway.advance_clock(31 * 60);
    page.until_screen("expired").await;
    keep(stage, folder, "expired").await;
}

async fn with_trouble(stage: &Stage<'_>, folder: &Path) {
    let page = stage.page();
    let payment = quoted(stage, "LTC").await;
    stage.gateway.transfer(&payment, &share(&payment, 2, 1).0);
    stage.gateway.mine(&payment);
    page.until_screen("overpaid").await;
    keep(stage, folder, "refund").await;

    let payment = quoted(stage, "BCH").await;
    stage.gateway.transfer(&payment, &share(&payment, 1, 2).0);
    stage.gateway.mine(&payment);
    stage.gateway.advance_clock(31 * 60);
    page.until_screen("expired").await;
    keep(stage, folder, "expired-partial").await;

    stage.browser.expect_in_console("status of 4");
    let created = stage.gateway.create(&order());
    page.open(&created.payment_url.replace("sessionToken=", "sessionToken=x").replace("LIGHT", "AUTO")).await;
    page.until_screen("problem").await;
    keep(stage, folder, "problem").await;
}

async fn open(stage: &Stage<'_>) -> CreatedPayment {
    let created = stage.gateway.create(&order());
    stage.page().open(&created.payment_url.replace("theme=LIGHT", "theme=AUTO")).await;
    stage.page().until_screen("choose").await;
    created
}

/// Opens a payment and chooses a coin.
async fn quoted(stage: &Stage<'_>, coin: &str) -> Payment {
    let created = open(stage).await;
    stage.page().choose(coin, coin).await;
    stage.gateway.payment(&created.payment_info.payment_id)
}

/// Keeps the screen in every language, width and theme.
async fn keep(stage: &Stage<'_>, folder: &Path, name: &str) {
    pictures(stage, folder, name, false).await;
}

/// The same with the step of the tag behind the payer.
async fn keep_open(stage: &Stage<'_>, folder: &Path, name: &str) {
    pictures(stage, folder, name, true).await;
}

async fn pictures(stage: &Stage<'_>, folder: &Path, name: &str, noted: bool) {
    let (browser, page) = (stage.browser, stage.page());
    let here = page.look().await.expect("a page is open");
    let (screen, networks) = (here.screen.expect("the checkout"), here.parts.contains_key("network"));
    for locale in LOCALES {
        if locale != LOCALES[0] {
            page.open(&with_locale(&here.url, locale)).await;
            page.until_screen(&screen).await;
            if screen == "choose" && networks {
                page.pick("currency", "USDT").await;
                page.until("offers networks", |page| page.offers("network", "TRX")).await;
            }
            if noted {
                page.note_tag().await;
            }
        }
        page.until("is alive", |page| page.fact("locale") == Some(locale)).await;
        for viewport in WIDTHS {
            browser.view(viewport).await;
            for scheme in Scheme::BOTH {
                browser.prefer(scheme).await;
                settle(browser).await;
                let file = format!("{name}-{}-{}-{locale}.webp", viewport.width, scheme.word());
                std::fs::write(folder.join(&file), picture(stage, viewport).await)
                    .expect("the folder is writable");
                println!("{file}");
            }
        }
    }
    browser.view(WIDTHS[2]).await;
    page.open(&here.url).await;
    page.until_screen(&screen).await;
    if screen == "choose" && networks {
        page.pick("currency", "USDT").await;
        page.until("offers networks", |page| page.offers("network", "TRX")).await;
    }
    if noted {
        page.note_tag().await;
    }
}

/// The whole page, one pixel a CSS pixel.
pub(crate) async fn picture(stage: &Stage<'_>, viewport: Viewport) -> Vec<u8> {
    let metrics = stage.browser.devtools("Page.getLayoutMetrics", json!({})).await;
    let height = metrics["cssContentSize"]["height"].as_f64().unwrap_or(1.0).max(f64::from(viewport.height));
    let scale = if viewport.phone { 0.5 } else { 1.0 };
    let clip = json!({"x": 0, "y": 0, "width": viewport.width, "height": height, "scale": scale});
    let options = json!({"format": "webp", "quality": 80, "captureBeyondViewport": true, "clip": clip});
    let answer = stage.browser.devtools("Page.captureScreenshot", options).await;
    STANDARD.decode(answer["data"].as_str().unwrap_or_default()).expect("the browser writes base64")
}
