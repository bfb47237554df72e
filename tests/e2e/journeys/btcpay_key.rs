//! A plugin for BTCPay Server asks the merchant for a key, in the merchant's browser.

use serde_json::{Value, json};

use crate::support::merchant::Merchant;
use crate::support::stage::journey;
use crate::support::wait::eventually;

const ALLOW: &str =
    "document.querySelector('#token').value = arguments[0]; document.querySelector('button').click()";

#[test]
fn the_merchant_reads_who_asks_and_sends_the_key() {
    journey(async |stage| {
        stage.browser.expect_in_console("422");
        stage.gateway.become_business(&["--greenfield"]);
        let stores: Value = stage.gateway.get("/api/v1/stores");
        let token = stage.gateway.token(stores[0]["id"].as_str().expect("a store"), "payments");
        let shop = Merchant::open("<!doctype html><title>Shop</title>", &[]);
        let ask = "applicationName=Kettle&permissions=btcpay.store.canviewinvoices";
        let base = &stage.gateway.ready.base_url;
        stage.browser.goto(&format!("{base}/api-keys/authorize?{ask}&redirect={}/back", shop.origin)).await;
        let says = async |part: &str| {
            eventually(part, async || {
                let text = stage.browser.run("return document.body.innerText", vec![]).await;
                text.as_str().is_some_and(|text| text.contains(part))
            })
            .await;
        };
        says(&format!("Kettle at {} asks for a key", shop.origin)).await;
        stage.browser.run(ALLOW, vec![json!("biz_wrong")]).await;
        says("This is not the token of a business.").await;
        stage.browser.run(ALLOW, vec![json!(token)]).await;
        says("The token works.").await;
        stage.browser.run("document.querySelector('button').click()", vec![]).await;
        eventually("the shop has it", async || shop.visits().iter().any(|path| path == "/back")).await;
    });
}
