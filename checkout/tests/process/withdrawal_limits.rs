//! An operator limits withdrawals, approves them and sends refunds that wait, by command line while a gateway runs.

use std::time::{Duration, Instant};

use checkout_test_support::patience;
use serde_json::{Value, json};

use crate::gateway::{Gateway, on_both, run};

const CONTRACT: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const PERSON: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

fn ask(database: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(&[arguments, &["--database", database]].concat());
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.code(), String::from_utf8(text).unwrap())
}

fn told(database: &str, arguments: &[&str]) -> Value {
    let (code, text) = ask(database, &[arguments, &["--json"]].concat());
    assert_eq!(code, Some(0), "{arguments:?}: {text}");
    serde_json::from_str(&text).unwrap()
}

#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < patience(), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Pays 1,000 EUR and `more` ether beyond it.
fn pay(gateway: &Gateway, order: &str, more: f64, from: &Value) -> String {
    let body = json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "1000"});
    let id = gateway.post("/api/v1/payments", &body)["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    let (_, patched) = gateway.call(
        "PATCH",
        &format!("/api/v1/payments/{id}"),
        &json!({"depositCurrency": "ETH", "network": "ETH"}),
    );
    let info = &patched["paymentInfo"];
    let expected: f64 = info["expectedDepositAmount"].as_str().unwrap().parse().unwrap();
    let mut transfer = json!({
        "network": "ETH", "currency": "ETH", "address": info["walletAddress"], "amount": format!("{:.8}", expected + more),
    });
    for (name, value) in from.as_object().unwrap() {
        transfer[name] = value.clone();
    }
    gateway.post("/sandbox/transfers", &transfer);
    gateway.post("/sandbox/blocks", &json!({"network": "ETH", "count": 1}));
    id
}

#[test]
fn limits_approvals_and_refunds_that_wait() {
    on_both(commands);
}

fn commands(database: &str) {
    let gateway = Gateway::sandbox(database, &[]);
    let business = told(database, &["business", "list"])[0]["id"].as_str().unwrap().to_owned();
    let show = told(database, &["business", "show", &business]);
    assert_eq!((&show["dailyWithdrawalLimit"], &show["withdrawals"]), (&Value::Null, &json!("anywhere")));
    let limits = [
        "--daily-withdrawal-limit",
        "500",
        "--withdrawal-approval-above",
        "50",
        "--overpayment",
        "EXCESS_REFUND",
        "--refund-address",
        "SENDER",
    ];
    let changed = told(database, &[&["business", "update", &business][..], &limits].concat());
    assert_eq!(
        (&changed["dailyWithdrawalLimit"], &changed["withdrawalApprovalAbove"]),
        (&json!("500"), &json!("50"))
    );

    let payment = pay(&gateway, "order-1", 0.1, &json!({"fromAddress": CONTRACT, "sender": "CONTRACT"}));
    let refund = || gateway.payment(&payment)["deposits"][0]["refund"].clone();
    until("the refund does not wait", || refund()["waitingFor"] == "ADDRESS");
    assert!(gateway.text("/metrics").contains("\ncheckout_refunds_waiting 1\n"));
    let waiting = told(database, &["refunds", "list"]);
    assert_eq!(
        (&waiting[0]["waitingReason"], &waiting[0]["fromAddress"]),
        (&json!("CONTRACT"), &json!(CONTRACT))
    );
    let deposit = waiting[0]["depositId"].as_str().unwrap();
    let amount = waiting[0]["sentAmount"].as_str().unwrap();
    let (code, why) = ask(database, &["refunds", "send", deposit, "--to", "0x12", "--amount", amount]);
    assert!(code == Some(1) && why.contains("is refused on ETH"), "{why}");
    let (code, why) = ask(database, &["refunds", "send", deposit, "--to", PERSON, "--amount", "1"]);
    assert!(code == Some(1) && why.contains("look at it again"), "{why}");
    let sent = told(database, &["refunds", "send", deposit, "--to", PERSON, "--amount", amount]);
    assert_eq!(sent["recipientAddress"], PERSON);
    until("the refund is not sent", || refund()["transactionId"].is_string());
    assert_eq!(told(database, &["refunds", "list"]), json!([]));

    let withdraw = |id: &str, amount: &str| {
        let body = json!({
            "clientWithdrawalId": id, "recipientAddress": PERSON, "withdrawCurrency": "ETH", "displayCurrency": "EUR",
            "targetAmountPolicy": "CRYPTO", "targetAmount": amount, "withdrawalAccount": "FIAT",
        });
        gateway.call("POST", "/api/v1/withdrawals", &body)
    };
    let made: Vec<String> =
        ["a", "b"].map(|id| withdraw(id, "0.02").1["withdrawId"].as_str().unwrap().to_owned()).into();
    assert_eq!(withdraw("c", "0.03").1["errors"][0]["code"], "above_daily_limit");
    assert_eq!(told(database, &["payouts", "unapproved"]).as_array().unwrap().len(), 2);
    assert!(gateway.text("/metrics").contains("\ncheckout_withdrawals_unapproved 2\n"));
    let seen =
        |id: &str, to: &str| ["payouts", "approve", id, "--to", to, "--amount", "0.02"].map(str::to_owned);
    let (code, why) = ask(database, &seen(&made[0], CONTRACT).each_ref().map(String::as_str));
    assert!(code == Some(1) && why.contains("are others"), "{why}");
    let approved = told(database, &seen(&made[0], PERSON).each_ref().map(String::as_str));
    assert_eq!(approved["approval"], "APPROVED");
    assert_eq!(told(database, &["payouts", "reject", &made[1]])["approval"], "REJECTED");
    assert_eq!(ask(database, &seen(&made[1], PERSON).each_ref().map(String::as_str)).0, Some(1));
    assert_eq!(told(database, &["payouts", "unapproved"]), json!([]));
    assert_eq!(ask(database, &["payouts", "cancel", &made[1]]).0, Some(1));
    until("the money of the rejected one is not back", || withdraw("d", "0.03").0 == 201);
    let waiting = told(database, &["payouts", "unapproved"])[0]["payoutId"].as_str().unwrap().to_owned();
    assert_eq!(told(database, &["payouts", "cancel", &waiting])["cancelled"], true);
    assert_eq!(ask(database, &["payouts", "cancel", &waiting]).0, Some(1));
    until("the money of the cancelled one is not back", || withdraw("again", "0.03").0 == 201);

    let options = ["--withdrawals", "whitelist-only", "--daily-withdrawal-limit", ""];
    for _ in 0..2 {
        let changed = told(database, &[["business", "update", &business].as_slice(), &options].concat());
        assert_eq!(changed["withdrawals"], "whitelist-only", "what is tighter holds at once");
        assert_eq!(changed["dailyWithdrawalLimit"], "500", "the command line is one operator, however often");
    }
    assert_eq!(withdraw("e", "0.01").1["errors"][0]["code"], "not_whitelisted");
}
