//! What the chains and the screening of the sandbox do to deposits, refunds and withdrawals, by the drawer.

use serde_json::{Value, json};

use crate::support::developer::{Developer, count};
use crate::support::stage::{journey, journey_under};

const BITCOIN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const ETHEREUM: &str = "0xde709f2102306220921060314715629080e2fb77";

fn withdrawal(network: &str, recipient: &str) -> Value {
    json!({"clientWithdrawalId": "payout-1", "recipientAddress": recipient, "network": network, "withdrawCurrency": network,
           "displayCurrency": "EUR", "targetAmountPolicy": "FIAT", "targetAmount": "30", "withdrawalAccount": "FIAT"})
}

/// Creates payments and pays them in full.
async fn earn(developer: &Developer<'_>, pair: &str) {
    for order in ["order-1", "order-2"] {
        developer.create(order, pair).await;
        developer.until_status("PENDING").await;
        developer.page.click("pay-exact").await;
        developer.page.click("mine").await;
        developer.until_status("DEPOSITED").await;
    }
}

#[test]
fn a_flagged_sender_is_held_until_the_flag_goes() {
    journey(async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        let id = developer.create("order-1", "BTC/BTC").await;
        developer.until_status("PENDING").await;
        let expected = stage.gateway.payment(&id).expected_deposit_amount.expect("it is quoted");
        developer.unfold("open-payment").await;
        developer.fill("transfer", "amount", &expected).await;
        page.click("transfer-flagged").await;
        page.click("transfer-send").await;
        developer.until("says so", |page| page.text.contains("The default sender on BTC is flagged")).await;
        page.click("mine").await;
        developer
            .until("is booked", |page| page.shown("entry").is_some_and(|entry| entry.text.contains("Held")))
            .await;
        assert_eq!(stage.gateway.payment(&id).status.as_str(), "AWAITING", "it is held");
        developer.go("deposits").await;
        developer.until("is held", |page| page.value("state") == Some("SENDER")).await;
        page.click_on("[data-part=deposit] a").await;
        developer.until_status("AWAITING").await;
        developer.unfold("flags").await;
        developer.until("lists the sender", |page| page.value("flagged") == Some(BITCOIN)).await;
        page.click("unflag").await;
        developer.until("lists it no more", |page| page.shown("flagged").is_none()).await;
        page.click("pay-exact").await;
        page.click("mine").await;
        developer.until_status("DEPOSITED").await;
    });
}

#[test]
fn a_withdrawal_to_a_flagged_address_is_blocked() {
    journey(async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        earn(&developer, "ETH/ETH").await;
        developer.unfold("flags").await;
        developer.pick("flags", "network", "ETH").await;
        developer.fill("flags", "address", "0x098B716B8Aaf21512996dC57EB0615e2383E2f95").await;
        page.click("flag-send").await;
        developer.until("shows the error", |page| page.shown("flag-failure").is_some()).await;
        developer.fill("flags", "address", ETHEREUM).await;
        page.click("flag-send").await;
        developer.until("lists it", |page| page.parts.contains_key("flagged")).await;
        let _: Value = stage.gateway.post("/api/v1/withdrawals", &withdrawal("ETH", ETHEREUM));
        developer.go("withdrawals").await;
        developer.until("is blocked", |page| count(page, "status", "BLOCKED") == 1).await;
    });
}

#[test]
fn a_withdrawal_reverts() {
    journey(async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        earn(&developer, "ETH/ETH").await;
        let _: Value = stage.gateway.post("/api/v1/withdrawals", &withdrawal("ETH", ETHEREUM));
        developer.go("withdrawals").await;
        page.click("open").await;
        developer.until("shows its transaction", |page| page.shown("revert").is_some()).await;
        page.click("revert").await;
        page.click("mine").await;
        developer.until("has failed", |page| page.value("status") == Some("FAILED")).await;
    });
}

/// On a chain with long finality a refund waits for blocks, which one button mines.
#[test]
fn a_refund_waits_for_blocks() {
    journey_under("[finality]\nBTC = 4\n", async |stage| {
        let developer = Developer::open(stage).await;
        let page = developer.page;
        let _: Value = stage.gateway.post(
            "/sandbox/business",
            &json!({"overpaymentPolicy": "EXCESS_REFUND", "refundAddress": "SENDER"}),
        );
        developer.create("order-1", "BTC/BTC").await;
        developer.until_status("PENDING").await;
        page.click("pay-more").await;
        page.click("mine").await;
        developer
            .until("waits", |page| {
                page.value("automatic-refund") == Some("PENDING") && page.shown("revert").is_none()
            })
            .await;
        page.click("mine-final").await;
        developer.until("sends it", |page| page.shown("revert").is_some()).await;
        page.click("mine-final").await;
        developer.until("is confirmed", |page| page.value("automatic-refund") == Some("CONFIRMED")).await;
    });
}
