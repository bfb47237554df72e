//! Somebody buys by a sale link.

use checkout_wire::sale_links::SaleLink;
use serde_json::json;

use crate::support::stage::{Stage, journey};

#[test]
fn a_press_on_a_sale_link_leads_to_the_payment_and_back() {
    journey(async |stage| {
        let back = stage.gateway.ready.shop_url.clone();
        let link = sale_link(
            stage,
            "green-tea",
            &json!({"displayAmount": "12.50", "redirectUrl": back, "type": "ONE_TIME"}),
        );
        buys(stage, &link, None).await;
        let page = stage.page();
        page.follow("return", "is the merchant's page", |page| page.url.starts_with(&back)).await;
        // The only piece is sold.
        stage.browser.expect_in_console("status of 410");
        page.open(&link.url).await;
        let sold = page.until("says so", |page| page.shown("over").is_some()).await;
        assert!(sold.shown("buy").is_none(), "{}", sold.text);
    });
}

#[test]
fn a_buyer_types_the_amount() {
    journey(async |stage| {
        let link = sale_link(stage, "gift", &json!({"minAmount": "5", "maxAmount": "500"}));
        stage.browser.expect_in_console("status of 422");
        let page = stage.page();
        page.open(&link.url).await;
        page.write("amount", "4").await;
        page.click("buy").await;
        page.until("says what is wrong", |page| page.shown("wrong").is_some()).await;
        buys(stage, &link, Some("20,00")).await;
    });
}

pub(crate) fn sale_link(stage: &Stage<'_>, slug: &str, fields: &serde_json::Value) -> SaleLink {
    let mut body =
        json!({"clientLinkId": slug, "slug": slug, "title": "Green tea, 100 g", "displayCurrency": "EUR"});
    let fields = fields.as_object().expect("an object").clone();
    body.as_object_mut().expect("an object").extend(fields);
    stage.gateway.post("/api/v1/sale-links", &body)
}

/// From the link to the receipt.
pub(crate) async fn buys(stage: &Stage<'_>, link: &SaleLink, amount: Option<&str>) {
    let page = stage.page();
    page.open(&link.url).await;
    if let Some(amount) = amount {
        page.write("amount", amount).await;
    }
    page.click("buy").await;
    let asking = page.choose("LTC", "LTC").await;
    let id = asking.url.split("/checkout/").nth(1).and_then(|rest| rest.split('?').next());
    let payment = stage.gateway.payment(id.expect("it is the page of the payment"));
    stage.gateway.pay(&payment);
    stage.gateway.mine(&payment);
    page.until_screen("paid").await;
}
