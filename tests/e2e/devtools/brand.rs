//! Colours that are hard to read, on the screens that use them: without a violation of axe, light and dark.

use checkout_wire::create_payment::CreatedPayment;

use crate::support::extent::in_turn;
use crate::support::gateway::order;
use crate::support::logo;
use crate::support::screenshot::keep_all;
use crate::support::stage::{Stage, journey};

async fn open(stage: &Stage<'_>) -> CreatedPayment {
    let created = stage.gateway.create(&order());
    stage.page().open(&created.payment_url.replace("theme=LIGHT", "theme=AUTO")).await;
    stage.page().until_screen("choose").await;
    created
}

/// The sample has one of the colours.
#[test]
fn every_brand_colour_can_be_read() {
    let colours = [("yellow", "#ffff00"), ("white", "#ffffff"), ("black", "#000000")];
    for (name, colour) in in_turn(&colours) {
        check(name, colour);
    }
}

fn check(name: &str, color: &str) {
    journey(async |stage| {
        let (_folder, file) = logo::file();
        let file = file.to_str().expect("a temporary path is text");
        let support = "https://kettle.example/help";
        stage.gateway.become_business(&["--brand-color", color, "--logo", file, "--support-url", support]);
        let (page, browser) = (stage.page(), stage.browser);
        let created = open(stage).await;
        keep_all(browser, &format!("{name}-choose")).await;
        page.choose("BTC", "BTC").await;
        keep_all(browser, &format!("{name}-pay")).await;
        let payment = stage.gateway.payment(&created.payment_info.payment_id);
        stage.gateway.pay(&payment);
        page.until_screen("seen").await;
        keep_all(browser, &format!("{name}-seen")).await;
        stage.gateway.mine(&payment);
        page.until_screen("paid").await;
        keep_all(browser, &format!("{name}-paid")).await;
        open(stage).await;
        page.choose("XRP", "XRP").await;
        keep_all(browser, &format!("{name}-tag")).await;
        stage.gateway.advance_clock(31 * 60);
        page.until_screen("expired").await;
        keep_all(browser, &format!("{name}-expired")).await;
    });
}
