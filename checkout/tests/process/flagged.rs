//! Flagged deposits: an operator decides by command line while a gateway runs.

use std::time::{Duration, Instant};

use checkout_test_support::patience;
use serde_json::{Value, json};

use crate::callbacks::inbox;
use crate::gateway::{Gateway, on_both, run};

const BITCOIN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/// Creates a payment, pays it from the flagged address and confirms the deposit. Returns its id.
fn pay(gateway: &Gateway, order: &str) -> String {
    let body = json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    let id = gateway.post("/api/v1/payments", &body)["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    let (_, patched) =
        gateway.call("PATCH", &format!("/api/v1/payments/{id}"), &json!({"depositCurrency": "BTC"}));
    let info = &patched["paymentInfo"];
    let transfer = json!({
        "network": "BTC", "currency": "BTC", "address": info["walletAddress"], "amount": info["expectedDepositAmount"],
        "fromAddress": BITCOIN,
    });
    gateway.post("/sandbox/transfers", &transfer);
    gateway.post("/sandbox/blocks", &json!({"network": "BTC", "count": 1}));
    id
}

#[test]
fn flagged_deposits_are_listed_released_and_refused() {
    on_both(commands);
}

fn commands(database: &str) {
    let inbox = inbox();
    let gateway = Gateway::sandbox(database, &["--deposit-callback", &inbox.url]);
    gateway.post("/sandbox/flags", &json!({"network": "BTC", "address": BITCOIN}));
    let (taken, kept) = (pay(&gateway, "order-1"), pay(&gateway, "order-2"));
    let ask = |arguments: &[&str]| {
        let output = run(&[&["flagged"], arguments, &["--database", database]].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let list = |state: &str| -> Vec<Value> {
        serde_json::from_str(&ask(&["list", "--json", "--state", state]).1).unwrap()
    };
    let wait = |id: &str, status: &str| {
        let started = Instant::now();
        while gateway.payment(id)["status"] != status {
            assert!(started.elapsed() < patience(), "the status is not {status}: {}", gateway.payment(id));
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let flagged = list("FLAGGED");
    let deposit_of = |id: &str| {
        let found = flagged.iter().find(|one| one["paymentId"] == id).expect("it is listed");
        found["depositId"].as_str().unwrap().to_owned()
    };
    assert_eq!(flagged.len(), 2);
    assert_eq!(
        (&flagged[0]["fromAddress"], &flagged[0]["owner"]["category"]),
        (&json!(BITCOIN), &json!("SANDBOX"))
    );
    let (code, lines) = ask(&["list"]);
    assert!(code == Some(0) && lines.lines().count() == 2 && lines.contains(&deposit_of(&taken)), "{lines}");
    assert!(gateway.text("/metrics").contains("\ncheckout_deposits_flagged 2\n"));

    assert_eq!(ask(&["refuse", &deposit_of(&kept)]).0, Some(0));
    wait(&kept, "PENDING");
    assert_eq!(inbox.count(), 0, "no callback for either deposit");
    assert_eq!(ask(&["release", &deposit_of(&taken)]).0, Some(0));
    wait(&taken, "DEPOSITED");
    let started = Instant::now();
    while inbox.count() == 0 {
        assert!(started.elapsed() < patience(), "no callback arrived");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!((list("FLAGGED").len(), list("RELEASED").len(), list("REFUSED").len()), (0, 1, 1));
    for (arguments, code) in [
        (["release", &deposit_of(&taken)], 1),
        (["refuse", &deposit_of(&taken)], 1),
        (["refuse", "00000000-0000-0000-0000-000000000000"], 1),
        (["release", "x"], 2),
    ] {
        assert_eq!(ask(&arguments).0, Some(code), "{arguments:?}");
    }
    assert_eq!(ask(&["list", "--state", "PASSED"]).0, Some(2));
}
