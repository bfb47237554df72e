//! Decisions of an operator at the desk: payouts, held deposits, refunds that wait, the end of a payment.

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

const SENDER: &str = "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9";

fn withdraw(stage: &Stage<'_>, id: &str) {
    let _: Value = stage.gateway.post(
        "/api/v1/withdrawals",
        &json!({"clientWithdrawalId": id, "recipientAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "network": "BTC",
                "withdrawCurrency": "BTC", "displayCurrency": "EUR", "targetAmountPolicy": "FIAT", "targetAmount": "30",
                "withdrawalAccount": "FIAT"}),
    );
}

/// A manager sets a limit; what is above it waits for a decision, which says what it means.
#[test]
fn a_manager_approves_and_rejects_withdrawals() {
    journey_under(DESK, async |stage| {
        for _ in 0..4 {
            let created = stage.gateway.create(&order());
            let payment = stage.gateway.choose(&created.payment_info.payment_id, "LTC");
            stage.gateway.pay(&payment);
            stage.gateway.mine(&payment);
        }
        let operator = Operator::sign_in(stage, "maria", "manager").await;
        let page = operator.page;
        operator.go("businesses").await;
        page.click("open").await;
        page.click("business-edit").await;
        operator.fill("field-withdrawalApprovalAbove", "10").await;
        page.click("business-form-send").await;
        operator
            .until("has the limit", |page| page.text.contains("10.00 EUR") || page.text.contains("10 EUR"))
            .await;
        for id in ["payout-1", "payout-2"] {
            withdraw(stage, id);
        }
        operator.go("withdrawals").await;
        operator.until("lists both", |page| count(page, "status", "APPROVAL") == 2).await;
        keep_all(stage.browser, "desk-withdrawals-waiting").await;
        stage.browser.view(DESKTOP).await;
        page.pick("open", "payout-1").await;
        operator.until("waits", |page| page.value("status") == Some("APPROVAL")).await;
        keep_all(stage.browser, "desk-withdrawal").await;
        stage.browser.view(DESKTOP).await;
        page.click("approve").await;
        let sure = operator.until("asks", |page| page.shown("approve-sure-send").is_some()).await;
        assert!(sure.text.contains("cannot be taken back"), "{}", sure.text);
        keep_all(stage.browser, "desk-approve").await;
        stage.browser.view(DESKTOP).await;
        page.click("approve-sure-send").await;
        operator
            .until("is approved", |page| {
                page.value("status").is_some_and(|status| status != "APPROVAL")
                    && page.shown("approve-dialog").is_none()
            })
            .await;
        page.click_on(".back-link").await;
        page.pick("open", "payout-2").await;
        operator.until("waits", |page| page.value("status") == Some("APPROVAL")).await;
        page.click("reject").await;
        page.click("reject-sure-send").await;
        operator.until("is blocked", |page| page.value("status") == Some("BLOCKED")).await;
    });
}

/// The money of a flagged sender is credited or not by a manager.
#[test]
fn a_manager_decides_held_deposits() {
    journey_under(DESK, async |stage| {
        let flag = |flagged: bool| {
            let _: Value = stage
                .gateway
                .post("/sandbox/flags", &json!({"network": "LTC", "address": SENDER, "flagged": flagged}));
        };
        flag(true);
        for name in ["order-1", "order-2"] {
            let mut order = order();
            order.client_payment_id = name.into();
            let created = stage.gateway.create(&order);
            let payment = stage.gateway.choose(&created.payment_info.payment_id, "LTC");
            let transfer = json!({"network": "LTC", "currency": "LTC", "address": payment.wallet_address, "amount": expected(&payment),
                "fromAddress": SENDER});
            let _: Value = stage.gateway.post("/sandbox/transfers", &transfer);
            stage.gateway.mine(&payment);
        }
        flag(false);
        let operator = Operator::sign_in(stage, "maria", "manager").await;
        let page = operator.page;
        operator.go("deposits").await;
        operator.until("lists both", |page| count(page, "state", "SENDER") == 2).await;
        keep_all(stage.browser, "desk-held").await;
        stage.browser.view(DESKTOP).await;
        page.click("release").await;
        operator.until("asks", |page| page.text.contains("Are you allowed to take this money?")).await;
        page.click("release-sure-send").await;
        operator.until("holds one", |page| page.value("deposits") == Some("1")).await;
        page.click("refuse").await;
        page.click("refuse-sure-send").await;
        operator
            .until("has refused it", |page| {
                page.shown("refuse").is_none()
                    && page.shown("state").is_some_and(|state| state.text.contains("Refused"))
            })
            .await;
        let paid: Value = stage.gateway.get("/api/v1/payments?status=DEPOSITED");
        assert_eq!(paid.as_array().map(Vec::len), Some(1), "{paid}");
    });
}

/// A refund whose address the customer names later, and one that is taken back.
#[test]
fn a_manager_gives_a_refund_its_address() {
    journey_under(DESK, async |stage| {
        let mut order = order();
        order.client_payment_id = "order-1042".into();
        let created = stage.gateway.create(&order);
        let id = created.payment_info.payment_id.as_str().to_owned();
        let payment = stage.gateway.choose(&id, "LTC");
        stage.gateway.pay(&payment);
        stage.gateway.mine(&payment);
        let operator = Operator::sign_in(stage, "maria", "manager").await;
        let page = operator.page;
        stage.browser.expect_in_console(NO_ADDRESS);
        operator.find("order-1042", "order-1042").await;
        for number in 1..=2 {
            page.click("refund-open").await;
            operator.fill("field-amount", "0.1").await;
            page.click("refund-form-send").await;
            operator
                .until("asks once more", |page| page.text.contains("waits until somebody gives an address"))
                .await;
            page.click("refund-sure-send").await;
            operator.until("lists it", |page| count(page, "refund", "ADDRESS") == number).await;
        }
        operator.go("refunds").await;
        operator.until("lists both", |page| count(page, "status", "ADDRESS") == 2).await;
        keep_all(stage.browser, "desk-refunds-waiting").await;
        stage.browser.view(DESKTOP).await;
        page.click("address").await;
        operator.fill("field-address", "ltc1nonsense").await;
        page.click("address-sure-send").await;
        operator.until("refuses a wrong address", |page| page.shown("address-sure-failure").is_some()).await;
        keep_all(stage.browser, "desk-refund-address").await;
        stage.browser.view(DESKTOP).await;
        operator.fill("field-address", SENDER).await;
        page.click("address-sure-send").await;
        operator.until("waits for one", |page| count(page, "status", "ADDRESS") == 1).await;
        // The one that waits is the older or the newer: it has the only button for an address.
        page.click_on("tr:has([data-part=address]) [data-part=cancel]").await;
        page.click("cancel-sure-send").await;
        operator.until("is cancelled", |page| count(page, "status", "CANCELLED") == 1).await;
    });
}

/// A customer who orders twice asks support to end one of them.
#[test]
fn support_cancels_a_payment() {
    journey_under(DESK, async |stage| {
        let mut order = order();
        order.client_payment_id = "order-1042".into();
        let created = stage.gateway.create(&order);
        stage.gateway.choose(&created.payment_info.payment_id, "BTC");
        stage.gateway.choose(&created.payment_info.payment_id, "LTC");
        let operator = Operator::sign_in(stage, "susi", "support").await;
        let page = operator.page;
        stage.browser.expect_in_console(NO_ADDRESS);
        operator.find("order-1042", "order-1042").await;
        operator.until("shows both quotes", |page| page.parts.get("quote").map(Vec::len) == Some(2)).await;
        page.click("cancel-payment").await;
        let sure = operator
            .until("says what it means", |page| page.shown("cancel-payment-sure-send").is_some())
            .await;
        assert!(
            sure.text.contains("This cannot be undone") && sure.text.contains("late deposit"),
            "{}",
            sure.text
        );
        keep_all(stage.browser, "desk-cancel").await;
        stage.browser.view(DESKTOP).await;
        page.click("cancel-payment-sure-cancel").await;
        let open = operator.until("is closed", |page| page.shown("cancel-payment-dialog").is_none()).await;
        assert_eq!(open.value("status"), Some("PENDING"));
        page.click("cancel-payment").await;
        page.click("cancel-payment-sure-send").await;
        let over = operator.until("is over", |page| page.value("status") == Some("EXPIRED")).await;
        assert!(
            over.text.contains("It was cancelled") && over.shown("cancel-payment").is_none(),
            "{}",
            over.text
        );
        let payment: Value =
            stage.gateway.get(&format!("/api/v1/payments/{}", created.payment_info.payment_id.as_str()));
        assert!(payment["cancelledAt"].is_u64(), "{payment}");
    });
}
