//! The support story by the keyboard alone: sign in, find, look, refund.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::support::gateway::order;
use crate::support::keys::{enter, press, tab_to};
use crate::support::operator::{DESK, Operator, code};
use crate::support::stage::journey_under;

/// A search asks by everything that the text can be; an amount is no address.
const NO_ADDRESS: &str = "the server responded with a status of 422";

#[test]
fn a_payment_is_found_and_refunded_by_keyboard() {
    journey_under(DESK, async |stage| {
        let mut order = order();
        order.client_payment_id = "order-1042".into();
        let created = stage.gateway.create(&order);
        let payment = stage.gateway.choose(&created.payment_info.payment_id, "LTC");
        let amount = stage.gateway.pay(&payment);
        assert!(!amount.is_empty());
        stage.gateway.mine(&payment);
        let (password, link) = stage.gateway.add_operator("susi", "support");
        let (browser, page) = (stage.browser, stage.page());
        let operator = Operator { page };
        let focus = async |what: &str, selector: &str| {
            let script = "return document.activeElement?.matches(arguments[0]) ?? false";
            assert_eq!(browser.run(script, vec![json!(selector)]).await, true, "{what}: {selector}");
        };
        page.open(&stage.gateway.ready.desk_url).await;
        operator.until("asks who it is", |page| page.shown("sign-in-send").is_some()).await;
        for (field, text) in [("name", "susi"), ("password", &password), ("code", &code(&link))] {
            tab_to(browser, &format!("[data-part=field-{field}]")).await;
            enter(browser, text).await;
        }
        press(browser, Key::Enter).await;
        operator.until("shows the payments", |page| page.shown("payments").is_some()).await;

        // By the amount, in the customer's spelling.
        browser.expect_in_console(NO_ADDRESS);
        tab_to(browser, "[data-part=search]").await;
        let due = crate::support::sandbox::expected(&payment);
        enter(browser, &format!("{} LTC", due.replace('.', ","))).await;
        operator
            .until("finds it", |page| {
                page.shown("found").is_some() && page.value("open") == Some("order-1042")
            })
            .await;
        press(browser, Key::Enter).await;
        operator.until("shows the payment", |page| page.value("order") == Some("order-1042")).await;
        focus("what is read next begins here", "main").await;

        tab_to(browser, "[data-part=refund-open]").await;
        let seen = "const box = getComputedStyle(document.activeElement); return box.outlineStyle !== 'none' && parseFloat(box.outlineWidth) >= 2";
        assert_eq!(browser.run(seen, vec![]).await, true, "the focus is visible");
        press(browser, Key::Enter).await;
        operator.until("asks where to", |page| page.shown("refund-form-send").is_some()).await;
        focus("in the dialog", "dialog[open] *").await;
        press(browser, Key::Escape).await;
        operator.until("is closed", |page| page.shown("refund-form-send").is_none()).await;
        focus("back", "[data-part=refund-open]").await;

        press(browser, Key::Enter).await;
        operator.until("asks where to", |page| page.shown("refund-form-send").is_some()).await;
        tab_to(browser, "[data-part=field-amount]").await;
        enter(browser, "0.1").await;
        tab_to(browser, "[data-part=field-address]").await;
        enter(browser, "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9").await;
        tab_to(browser, "[data-part=refund-form-send]").await;
        press(browser, Key::Enter).await;
        operator.until("asks once more", |page| page.shown("refund-sure-send").is_some()).await;
        tab_to(browser, "[data-part=refund-sure-send]").await;
        press(browser, Key::Enter).await;
        operator
            .until("lists the refund", |page| {
                page.parts.contains_key("refund") && page.shown("refund-dialog").is_none()
            })
            .await;
        focus("back", "[data-part=refund-open]").await;
        let answer: Value = stage.gateway.get("/api/v1/refunds");
        assert_eq!((answer.as_array().map(Vec::len), answer[0]["amount"].as_str()), (Some(1), Some("0.1")));
    });
}
