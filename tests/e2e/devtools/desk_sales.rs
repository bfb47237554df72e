//! A manager sells without a shop: a sale link and a counter, from the first to the withdrawal.

use serde_json::Value;

use crate::support::operator::{DESK, Operator};
use crate::support::screenshot::keep_all;
use crate::support::stage::journey_under;

#[test]
fn a_manager_makes_and_withdraws_a_link_and_a_counter() {
    journey_under(DESK, async |stage| {
        let operator = Operator::sign_in(stage, "maria", "manager").await;
        let page = operator.page;
        operator.go("sales").await;
        page.click("sale-link-new").await;
        operator.fill("field-title", "Green tea").await;
        operator.fill("field-displayAmount", "12.50").await;
        page.click("sale-link-new-sure-send").await;
        operator
            .until("has the link", |page| page.text.contains("/buy/") && page.text.contains("Green tea"))
            .await;
        page.click("counter-new").await;
        operator.fill("field-title", "Market stall").await;
        operator.fill("field-maxAmount", "500").await;
        page.click("counter-new-sure-send").await;
        let once = operator.until("shows the secret", |page| page.shown("credential").is_some()).await;
        let secret = once.packed("credential").expect("it is shown");
        assert!(secret.contains("/counter#ctr_"), "{secret}");
        page.click("shown-once-done").await;
        let hidden = operator.until("hides it", |page| page.shown("credential").is_none()).await;
        assert!(hidden.text.contains("Market stall") && !hidden.text.contains("ctr_"), "{}", hidden.text);
        keep_all(stage.browser, "desk-sales").await;
        page.reload().await;
        let again = operator.until("lists both", |page| page.text.contains("Market stall")).await;
        assert!(again.text.contains("Green tea") && !again.text.contains("ctr_"), "{}", again.text);
        let withdrawn = |path: &str| {
            let all: Value = stage.gateway.get(path);
            all[0]["withdrawnAt"].is_u64() || all[0]["status"] == "WITHDRAWN"
        };
        for path in ["/api/v1/sale-links", "/api/v1/counters"] {
            assert!(!withdrawn(path), "{path}");
            // The first that is left.
            page.click("withdraw").await;
            page.click("withdraw-sure-send").await;
            operator.until("is done", |page| page.shown("withdraw-sure-send").is_none()).await;
            assert!(withdrawn(path), "{path}");
        }
        operator.until("withdraws no more", |page| page.shown("withdraw").is_none()).await;
    });
}
