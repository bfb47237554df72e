//! The API documentation page, on a phone and on a desktop, light and dark.

use crate::support::axe;
use crate::support::screenshot::keep_all;
use crate::support::stage::journey;

#[test]
fn axe_finds_no_violation() {
    journey(async |stage| {
        let page = stage.page();
        page.open(&format!("{}/api/docs", stage.gateway.ready.base_url)).await;
        page.until("is drawn", |page| page.text.contains("POST")).await;
        keep_all(stage.browser, "api-docs").await;
        // One function draws all operations; for axe each costs seconds.
        let unfold =
            "document.querySelectorAll('article:first-of-type details').forEach((one) => (one.open = true));";
        stage.browser.run(unfold, vec![]).await;
        axe::check(stage.browser, "api-docs, the first operation of each chapter unfolded").await;
    });
}
