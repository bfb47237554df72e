//! Callbacks of the running binary, from a merchant's endpoint and the command line.

use std::time::Duration;

use checkout_domain::ports::Clock as _;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_test_nodes::{Answer, Inbox};
use serde_json::{Value, json};

use crate::gateway::{Gateway, on_both, run};
use crate::support::{eventually, wait};

/// A merchant's endpoint. Refuses requests that are more than five minutes old, stores the others, and delays the answer, so that a
/// kill can fall between.
pub(crate) fn inbox() -> Inbox {
    Inbox::answering(|request| {
        let sent_at: u64 = request.header("webhook-timestamp").parse().unwrap();
        if sent_at.abs_diff(SystemClock.now()) > 300 {
            return Answer::Unread(400);
        }
        Answer::Late(Duration::from_millis(15))
    })
}

/// Creates a business whose callbacks go to `inbox`. Returns its token.
fn business(database: &str, inbox: &Inbox) -> Value {
    let made = run(&[
        "business",
        "create",
        "--name",
        "Kettle & Co",
        "--json",
        "--database",
        database,
        "--sandbox",
        "--deposit-callback",
        &inbox.url,
    ]);
    serde_json::from_slice::<Value>(&made.stdout).unwrap()["token"].clone()
}

fn sandbox(database: &str, token: &Value) -> Gateway {
    let mut gateway = Gateway::sandbox(database, &[]);
    gateway.ready["businessToken"] = token.clone();
    gateway
}

/// Creates a payment and sends a transfer that counts as an instant deposit.
fn pay(gateway: &Gateway, order: &str) {
    let body = json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    let created = gateway.post("/api/v1/payments", &body);
    let path = format!("/api/v1/payments/{}", created["paymentInfo"]["paymentId"].as_str().unwrap());
    let (_, patched) = gateway.call("PATCH", &path, &json!({"depositCurrency": "BTC"}));
    let address = &patched["paymentInfo"]["walletAddress"];
    let transfer = json!({"network": "BTC", "currency": "BTC", "address": address, "amount": "0.001"});
    gateway.post("/sandbox/transfers", &transfer);
}

#[test]
fn a_callback_is_listed_shown_and_sent_again() {
    on_both(commands);
}

fn commands(database: &str) {
    let inbox = inbox();
    let token = business(database, &inbox);
    let gateway = sandbox(database, &token);
    gateway.post("/sandbox/clock", &json!({"advanceSeconds": 1_000}));
    pay(&gateway, "order-1");
    let ask = |arguments: &[&str]| {
        let output = run(&[&["callbacks"], arguments, &["--database", database]].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let one = |state: &str| {
        wait(state, || {
            let (_, listed) = ask(&["list", "--json", "--state", state]);
            let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
            (listed.len() == 1).then(|| listed[0].clone())
        })
    };
    let id = one("DELIVERED")["id"].as_str().unwrap().to_owned();
    let (code, line) = ask(&["list"]);
    assert!(code == Some(0) && line.starts_with(&id) && line.lines().count() == 1, "{line}");
    assert_eq!(ask(&["resend", &id]).0, Some(0));
    eventually("it is sent again", || inbox.by_id()[&id].len() >= 2);
    one("DELIVERED");
    let shown: Value = serde_json::from_str(&ask(&["show", &id]).1).unwrap();
    let bodies = inbox.by_id()[&id].clone();
    assert_eq!(bodies, [shown["body"].as_str().unwrap(), shown["body"].as_str().unwrap()]);
    let statuses: Vec<&Value> = shown["attempts"].as_array().unwrap().iter().map(|a| &a["status"]).collect();
    assert_eq!(statuses, [200, 200]);
    let nobody = "00000000-0000-0000-0000-000000000000";
    assert_eq!((ask(&["show", nobody]).0, ask(&["resend", nobody]).0), (Some(1), Some(1)));
    assert_eq!(ask(&["list", "--state", "LOST"]).0, Some(2));
}
