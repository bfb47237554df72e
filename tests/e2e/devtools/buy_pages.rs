//! The pages of a sale link on a phone and a desktop, light and dark, without a script, and on paper.

use serde_json::json;

use crate::journeys::buy::{buys, sale_link};
use crate::support::axe;
use crate::support::browser::{DESKTOP, PHONE, Scheme};
use crate::support::qr;
use crate::support::screenshot;
use crate::support::stage::journey;

#[test]
fn somebody_buys_without_a_script() {
    journey(async |stage| {
        let link = sale_link(stage, "green-tea", &json!({"displayAmount": "12.50"}));
        stage.browser.script(false).await;
        buys(stage, &link, None).await;
        stage.browser.script(true).await;
    });
}

#[test]
fn every_page_of_a_sale_link_can_be_read() {
    journey(async |stage| {
        let fixed = sale_link(stage, "green-tea", &json!({"displayAmount": "12.50"})).url.to_string();
        let open = sale_link(stage, "gift", &json!({"minAmount": "5", "maxAmount": "1500"})).url.to_string();
        let sold = sale_link(stage, "cup", &json!({"displayAmount": "12.50", "type": "ONE_TIME"}));
        buys(stage, &sold, None).await;
        stage.browser.expect_in_console("status of 410");
        let _: serde_json::Value = stage.gateway.post("/sandbox/business", &json!({"theme": "AUTO"}));
        let page = stage.page();
        for (name, address) in [
            ("fixed", fixed.clone()),
            ("open", format!("{open}?locale=de-DE")),
            ("sold", sold.url.to_string()),
            ("print", format!("{fixed}/print")),
        ] {
            for viewport in [PHONE, DESKTOP] {
                for scheme in Scheme::BOTH {
                    stage.browser.view(viewport).await;
                    stage.browser.prefer(scheme).await;
                    page.open(&address).await;
                    page.until("has a title", |page| page.shown("title").is_some()).await;
                    let device = if viewport.phone { "phone" } else { "desktop" };
                    let name = format!("buy-{name}-{device}-{}", scheme.word());
                    axe::check(stage.browser, &name).await;
                    screenshot::keep(stage.browser, &name).await;
                    let is_wide = "return document.documentElement.scrollWidth > innerWidth";
                    assert_eq!(stage.browser.run(is_wide, vec![]).await, json!(false), "{name}");
                }
            }
        }
        assert_eq!(qr::scan(stage.browser, Some(&fixed)).await.text, fixed);
    });
}
