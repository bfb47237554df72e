//! The documentation's front page, its comparison and its API reference, on a phone and on a desktop, light and dark.

use serde_json::json;

use crate::support::axe;
use crate::support::screenshot::keep_all;
use crate::support::stage::journey;

/// The pictures that are not shown.
const LOST: &str = "return [...document.images].filter((image) => image.naturalWidth === 0).map((image) => image.currentSrc)";

#[test]
fn axe_finds_no_violation() {
    journey(async |stage| {
        let page = stage.page();
        page.open(&format!("{}/api/docs", stage.gateway.ready.base_url)).await;
        page.until("leads to the reference", |page| page.text.contains("API reference")).await;
        for name in ["index", "compare", "reference/index", "reference/payments"] {
            page.open(&format!("{}/docs/{name}.html", stage.gateway.ready.base_url)).await;
            keep_all(stage.browser, &format!("docs-{}", name.replace('/', "-"))).await;
            axe::check(stage.browser, &format!("documentation, {name}")).await;
            assert_eq!(stage.browser.run(LOST, vec![]).await, json!([]), "{name}");
        }
    });
}
