//! Every screen of the desk as a picture: phone and desktop, light and dark.

use std::path::Path;

use serde_json::{Value, json};

use crate::screens::picture;
use crate::support::browser::{Scheme, Viewport};
use crate::support::gateway::order;
use crate::support::operator::{DESK, Operator};
use crate::support::sandbox::expected;
use crate::support::screenshot::settle;
use crate::support::stage::{Stage, journey_under};

const WIDTHS: [Viewport; 2] =
    [Viewport { width: 360, height: 640, phone: true }, Viewport { width: 1280, height: 720, phone: false }];

const SENDER: &str = "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9";

pub(crate) fn run(folder: &Path) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    journey_under(DESK, async |stage| {
        for number in 1042..1047 {
            paid(stage, number, false);
        }
        paid(stage, 1047, true);
        stage.gateway.create(&order());
        let page = stage.page();
        page.open(&stage.gateway.ready.desk_url).await;
        page.until("asks who it is", |page| page.shown("sign-in-send").is_some()).await;
        keep(stage, folder, "sign-in").await;
        let operator = Operator::sign_in(stage, "maria", "manager").await;
        one_business(stage, &operator, folder).await;
        for number in 1..4 {
            withdraw(stage, number);
        }
        one_payment(stage, &operator, folder).await;
        one_withdrawal(stage, &operator, folder).await;
        for (view, part) in [
            ("payments", "payment"),
            ("deposits", "deposit"),
            ("refunds", "refund"),
            ("withdrawals", "withdrawal"),
            ("callbacks", "callback"),
            ("balances", "balance"),
            ("ledger", "entry"),
            ("businesses", "status"),
            ("system", "currency"),
            ("audit", "audit-entry"),
        ] {
            operator.go(view).await;
            operator.until("has rows", |page| page.parts.contains_key(part)).await;
            keep(stage, folder, view).await;
        }
    });
}

/// A paid order; one of a flagged sender is held.
fn paid(stage: &Stage<'_>, number: u32, is_held: bool) {
    let gateway = &stage.gateway;
    let flag = |flagged: bool| {
        let body = json!({"network": "LTC", "address": SENDER, "flagged": flagged});
        let _: Value = gateway.post("/sandbox/flags", &body);
    };
    let mut order = order();
    order.client_payment_id = format!("order-{number}").into();
    let created = gateway.create(&order);
    gateway.choose(&created.payment_info.payment_id, "BTC");
    let payment = gateway.choose(&created.payment_info.payment_id, "LTC");
    if is_held {
        flag(true);
    }
    let transfer = json!({"network": "LTC", "currency": "LTC", "address": payment.wallet_address, "amount": expected(&payment),
        "fromAddress": SENDER});
    let _: Value = gateway.post("/sandbox/transfers", &transfer);
    gateway.mine(&payment);
    if is_held {
        flag(false);
    }
}

fn withdraw(stage: &Stage<'_>, number: u32) {
    let _: Value = stage.gateway.post(
        "/api/v1/withdrawals",
        &json!({"clientWithdrawalId": format!("payout-{number}"), "recipientAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
                "network": "BTC", "withdrawCurrency": "BTC", "displayCurrency": "EUR", "targetAmountPolicy": "FIAT", "targetAmount": "30",
                "withdrawalAccount": "FIAT"}),
    );
}

async fn one_business(stage: &Stage<'_>, operator: &Operator<'_>, folder: &Path) {
    let page = operator.page;
    operator.go("businesses").await;
    page.click("open").await;
    page.click("business-edit").await;
    operator.fill("field-withdrawalApprovalAbove", "10").await;
    keep(stage, folder, "business-edit").await;
    page.click("business-form-send").await;
    page.click("test").await;
    operator.until("was answered", |page| page.shown("tested").is_some()).await;
    keep(stage, folder, "business").await;
}

async fn one_payment(stage: &Stage<'_>, operator: &Operator<'_>, folder: &Path) {
    let page = operator.page;
    operator.go("payments").await;
    stage.browser.expect_in_console("the server responded with a status of 422");
    operator.find("order-1043", "order-1043").await;
    page.click("refund-open").await;
    operator.until("asks", |page| page.shown("refund-form-send").is_some()).await;
    keep(stage, folder, "refund").await;
    operator.fill("field-amount", "0.1").await;
    page.click("refund-form-send").await;
    page.click("refund-sure-send").await;
    operator.until("lists it", |page| page.value("refund") == Some("ADDRESS")).await;
    keep(stage, folder, "payment").await;
}

async fn one_withdrawal(stage: &Stage<'_>, operator: &Operator<'_>, folder: &Path) {
    let page = operator.page;
    operator.go("withdrawals").await;
    page.click("open").await;
    operator.until("waits", |page| page.value("status") == Some("APPROVAL")).await;
    keep(stage, folder, "withdrawal").await;
    page.click("approve").await;
    operator.until("asks", |page| page.shown("approve-sure-send").is_some()).await;
    keep(stage, folder, "approve").await;
    page.click("approve-sure-cancel").await;
}

async fn keep(stage: &Stage<'_>, folder: &Path, name: &str) {
    // No message of what was done before.
    let dismiss = "document.querySelector('.messages button')?.click()";
    stage.browser.run(dismiss, vec![]).await;
    for viewport in WIDTHS {
        stage.browser.view(viewport).await;
        for scheme in Scheme::BOTH {
            stage.browser.prefer(scheme).await;
            settle(stage.browser).await;
            let file = format!("desk-{name}-{}-{}.webp", viewport.width, scheme.word());
            std::fs::write(folder.join(&file), picture(stage, viewport).await)
                .expect("the folder is writable");
            println!("{file}");
        }
    }
}
