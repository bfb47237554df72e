//! The API reference of the documentation, on a phone and on a desktop, light and dark.

use crate::support::axe;
use crate::support::screenshot::keep_all;
use crate::support::stage::journey;

#[test]
fn axe_finds_no_violation() {
    journey(async |stage| {
        let page = stage.page();
        page.open(&format!("{}/api/docs", stage.gateway.ready.base_url)).await;
        page.until("leads to the reference", |page| page.text.contains("API reference")).await;
        for chapter in ["index", "payments"] {
            let url = format!("{}/docs/reference/{chapter}.html", stage.gateway.ready.base_url);
            page.open(&url).await;
            keep_all(stage.browser, &format!("reference-{chapter}")).await;
            axe::check(stage.browser, &format!("reference, {chapter}")).await;
        }
    });
}
