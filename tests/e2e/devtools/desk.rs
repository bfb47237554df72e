//! The desk: a support person helps a customer without a shell, and each screen is looked at.

use serde_json::{Value, json};

use crate::support::browser::DESKTOP;
use crate::support::developer::count;
use crate::support::gateway::order;
use crate::support::operator::{DESK, Operator};
use crate::support::sandbox::expected;
use crate::support::screenshot::keep_all;
use crate::support::stage::{Stage, journey_under};

/// A search asks by everything that the text can be; an order id is no address.
const NO_ADDRESS: &str = "the server responded with a status of 422";

/// A paid order, and its address and transaction.
fn paid(stage: &Stage<'_>, name: &str) -> (String, String) {
    let mut order = order();
    order.client_payment_id = name.into();
    let created = stage.gateway.create(&order);
    let payment = stage.gateway.choose(&created.payment_info.payment_id, "LTC");
    let transaction = stage.gateway.transfer(&payment, &expected(&payment));
    stage.gateway.mine(&payment);
    (payment.wallet_address.expect("a chosen payment has an address").clone(), transaction)
}

/// With only an order id: the payment, its deposit and callback, and what the customer's shop was told.
#[test]
fn support_finds_a_payment_by_its_order() {
    journey_under(DESK, async |stage| {
        let (address, transaction) = paid(stage, "order-1042");
        paid(stage, "order-1043");
        let operator = Operator::sign_in(stage, "susi", "support").await;
        let page = operator.page;
        stage.browser.expect_in_console(NO_ADDRESS);
        operator.until("lists both", |page| page.value("payments") == Some("2")).await;
        page.click_on("[data-part=payment] [data-label=Coin]").await;
        operator.until("a row opens its payment", |page| page.parts.contains_key("entry")).await;
        page.click_on(".back-link").await;
        let due = stage.gateway.get::<Value>("/api/v1/payments?clientPaymentId=order-1042");
        let due = format!("{} LTC", due[0]["expectedDepositAmount"].as_str().expect("it was quoted"));
        operator.fill("search", "25,00 €").await;
        operator
            .until("finds both by their price", |page| {
                page.parts.get("payment").map(Vec::len) == Some(2) && page.value("found") == Some("25,00 €")
            })
            .await;
        operator.fill("search", &due).await;
        operator
            .until("finds by what was shown", |page| {
                page.value("found") == Some(&*due) && page.parts.get("payment").map(Vec::len) == Some(2)
            })
            .await;
        for search in [address.as_str(), transaction.as_str(), "order-1042"] {
            operator.find(search, "order-1042").await;
            page.click_on(".back-link").await;
        }
        operator.find("order-1042", "order-1042").await;
        let story = operator
            .until("tells its story", |page| {
                count(page, "deposit", "CONFIRMED") == 1
                    && count(page, "callback", "DELIVERED") == 1
                    && page.parts.contains_key("entry")
            })
            .await;
        assert_eq!((story.value("status"), count(&story, "attempt", "204")), (Some("DEPOSITED"), 1));
        page.click("resend").await;
        operator.until("says so", |page| page.value("message") == Some("good")).await;
        operator.until("was sent twice", |page| count(page, "attempt", "204") == 2).await;
        operator.go("callbacks").await;
        operator
            .until("says what each is about", |page| {
                page.text.contains("order-1042") && page.text.contains(" LTC")
            })
            .await;
    });
}

/// The whole way of a refund by support: found by its order, given back, on its way, without a shell.
#[test]
fn support_refunds_a_payment() {
    journey_under(DESK, async |stage| {
        paid(stage, "order-1042");
        let operator = Operator::sign_in(stage, "susi", "support").await;
        let page = operator.page;
        stage.browser.expect_in_console(NO_ADDRESS);
        operator.find("order-1042", "order-1042").await;
        page.click("refund-open").await;
        operator.until("asks where to", |page| page.shown("refund-form-send").is_some()).await;
        keep_all(stage.browser, "desk-refund").await;
        stage.browser.view(DESKTOP).await;
        operator.fill("field-amount", "0.1").await;
        operator.fill("field-address", "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9").await;
        page.click("refund-form-send").await;
        let sure = operator.until("asks once more", |page| page.shown("refund-sure-send").is_some()).await;
        assert!(sure.text.contains("It cannot be taken back"), "{}", sure.text);
        page.click("refund-sure-send").await;
        operator.until("lists the refund", |page| page.parts.contains_key("refund")).await;
        let answer: Value = stage.gateway.get("/api/v1/refunds");
        assert_eq!((answer.as_array().map(Vec::len), answer[0]["amount"].as_str()), (Some(1), Some("0.1")));
    });
}

/// A wrong password tells nothing, and nothing is shown before a right one.
#[test]
fn nobody_gets_in_with_a_wrong_password() {
    journey_under(DESK, async |stage| {
        stage.gateway.add_operator("anna", "viewer");
        let page = stage.page();
        page.open(&format!("{}/#/balances", stage.gateway.ready.desk_url)).await;
        let operator = Operator { page };
        operator.until("asks who it is", |page| page.shown("sign-in-send").is_some()).await;
        keep_all(stage.browser, "desk-sign-in").await;
        stage.browser.view(DESKTOP).await;
        for (field, text) in [("name", "anna"), ("password", "not the password"), ("code", "000000")] {
            operator.fill(&format!("field-{field}"), text).await;
        }
        stage.browser.expect_in_console("the server responded with a status of 401");
        page.click("sign-in-send").await;
        let refused = operator.until("refuses", |page| page.shown("sign-in-failure").is_some()).await;
        assert!(refused.shown("balances").is_none() && refused.shown("operator").is_none());
        // A page that says 401 later asks again who it is.
        let operator = Operator::sign_in(stage, "bert", "viewer").await;
        operator
            .until("shows the chosen view", |page| {
                page.url.contains("#/balances") || page.shown("payments").is_some()
            })
            .await;
        assert!(operator.page.look().await.is_some_and(|page| page.shown("audit").is_none()));
        operator.page.click("sign-out").await;
        operator.until("asks who it is", |page| page.shown("sign-in-send").is_some()).await;
    });
}

/// Each screen on a phone and a desktop, light and dark.
#[test]
fn every_screen_of_the_desk() {
    journey_under(DESK, async |stage| {
        for name in ["order-1042", "order-1043", "subscription-7"] {
            paid(stage, name);
        }
        stage.gateway.create(&order());
        let _: Value = stage.gateway.post("/sandbox/inbox/answers", &json!({"status": 500, "times": 1}));
        paid(stage, "order-1044");
        let _: Value = stage.gateway.post(
            "/api/v1/withdrawals",
            &json!({"clientWithdrawalId": "payout-1", "recipientAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
                    "network": "BTC", "withdrawCurrency": "BTC", "displayCurrency": "EUR", "targetAmountPolicy": "FIAT",
                    "targetAmount": "30", "withdrawalAccount": "FIAT"}),
        );
        let operator = Operator::sign_in(stage, "maria", "manager").await;
        let page = operator.page;
        let shown = page.look().await.expect("the page is there");
        assert!(shown.shown("simulator").is_none(), "operators have no simulator");
        stage.browser.expect_in_console(NO_ADDRESS);
        for (view, part) in [
            ("payments", "payment"),
            ("deposits", "deposits"),
            ("refunds", "refunds"),
            ("withdrawals", "withdrawals"),
            ("callbacks", "callback"),
            ("balances", "balance"),
            ("ledger", "entry"),
            ("businesses", "business"),
            ("system", "currency"),
            ("audit", "audit-entry"),
        ] {
            stage.browser.view(DESKTOP).await;
            operator.go(view).await;
            operator.until("has rows", |page| page.parts.contains_key(part)).await;
            keep_all(stage.browser, &format!("desk-{view}")).await;
        }
        stage.browser.view(DESKTOP).await;
        operator.go("payments").await;
        operator.find("order-1044", "order-1044").await;
        operator
            .until("has all parts", |page| {
                page.parts.contains_key("entry") && page.parts.contains_key("attempt")
            })
            .await;
        keep_all(stage.browser, "desk-payment").await;
        stage.browser.view(DESKTOP).await;
        page.click_on(".back-link").await;
        operator.fill("search", "order-unknown").await;
        operator.until("finds nothing", |page| page.text.contains("No payment found")).await;
        keep_all(stage.browser, "desk-nothing-found").await;
    });
}
