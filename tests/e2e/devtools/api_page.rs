//! The API documentation page, on a phone and on a desktop, light and dark.

use crate::support::screenshot::keep_all;
use crate::support::stage::journey;
use crate::support::{axe, extent};

#[test]
fn axe_finds_no_violation() {
    journey(async |stage| {
        let page = stage.page();
        page.open(&format!("{}/api/docs", stage.gateway.ready.base_url)).await;
        page.until("is drawn", |page| page.text.contains("POST")).await;
        keep_all(stage.browser, "api-docs").await;
        // A picture of all that is folded is higher than the browser draws.
        let of = if extent::is_every_screen() { "" } else { "article:first-of-type" };
        let unfold =
            format!("document.querySelectorAll('{of} details').forEach((one) => (one.open = true));");
        stage.browser.run(&unfold, vec![]).await;
        axe::check(stage.browser, "api-docs, unfolded").await;
    });
}
