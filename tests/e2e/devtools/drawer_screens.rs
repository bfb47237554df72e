//! The drawer on a phone and on a desktop, light and dark: saved as screenshots and checked with axe.

use serde_json::{Value, json};

use crate::support::browser::DESKTOP;
use crate::support::developer::{Developer, count};
use crate::support::screenshot::keep_all;
use crate::support::stage::journey_under;

#[test]
fn every_part_of_the_drawer() {
    journey_under("[finality]\nBTC = 6\n", async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        keep_all(stage.browser, "drawer").await;
        stage.browser.view(DESKTOP).await;
        let _: Value = stage.gateway.post("/sandbox/inbox/answers", &json!({"status": 500, "times": 1}));
        developer.create("order-1042", "BTC/BTC").await;
        developer.until_status("PENDING").await;
        page.click("pay-half").await;
        developer.until("was refused", |page| count(page, "answered", "500") == 1).await;
        keep_all(stage.browser, "drawer-payment").await;
        stage.browser.view(DESKTOP).await;
        let unfold = "document.querySelectorAll('.drawer details').forEach((fold) => { fold.open = true; })";
        stage.browser.run(unfold, vec![]).await;
        page.click("reveal").await;
        developer.until("shows the token", |page| page.shown("token").is_some()).await;
        keep_all(stage.browser, "drawer-unfolded").await;
        stage.browser.view(DESKTOP).await;
        page.click("drawer-close").await;
        developer.until("is closed", |page| page.shown("clock").is_none()).await;
        page.click("simulator").await;
        developer.until("is open again", |page| page.shown("clock").is_some()).await;
    });
}
