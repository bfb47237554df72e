//! The gateway on XRP with a test server for rippled's API: a payment from creation to deposit.

use std::fs;

use checkout_chain_doubles::Rippled;
use serde_json::{Value, json};

use crate::gateway::{Gateway, run};
use crate::support::{eventually, rates};

/// The deposit account.
const OURS: &str = "rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH";
/// One XRP is 2 euros.
const RATES: &str = r#"{"XRP": {"EUR": 2, "USD": 2.2}}"#;

#[test]
fn a_payment_on_xrp_is_paid() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Rippled::start());
    server.ledger().fund(OURS, 100_000_000);
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("gateway.db").display());
    let config = folder.path().join("gateway.toml");
    let text = format!(
        "database = \"{database}\"\nrates = {{ url = \"{}\" }}\ndeposit_keys = {{ XRP = \"{OURS}\" }}\n\
         [chains.XRP]\nurl = \"{}\"\n",
        rates(RATES),
        server.url
    );
    fs::write(&config, text).unwrap();
    let config = config.to_str().unwrap();

    let checks = run(&["chains", "check", "--config", config]);
    let said = String::from_utf8(checks.stdout).unwrap();
    assert!(said.contains("XRP  ok"), "{said}");

    let made = run(&["business", "create", "--json", "--name", "Kettle & Co", "--database", &database]);
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let mut gateway =
        Gateway::try_start(&database, &["--config", config], |_| {}).expect("the gateway gets ready");
    gateway.ready["businessToken"] = made["token"].clone();
    let order = json!({
        "clientPaymentId": "order-1", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "20"
    });
    let created = gateway.post("/api/v1/payments", &order);
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    let mut quoted = Value::Null;
    // The first rates arrive a moment after the start.
    eventually("there is a quote", || {
        let path = format!("/api/v1/payments/{id}");
        let (status, answer) = gateway.call("PATCH", &path, &json!({"depositCurrency": "XRP"}));
        quoted = answer["paymentInfo"].clone();
        status == 200
    });
    assert_eq!((&quoted["walletAddress"], &quoted["expectedDepositAmount"]), (&json!(OURS), &json!("10")));
    let tag: u32 = quoted["destinationTag"].as_str().unwrap().parse().unwrap();

    // A partial payment claims more than it delivers; another payment delivers the rest.
    let pay = |claimed: &str, delivered: &str| {
        let tx = json!({"Destination": OURS, "DestinationTag": tag, "Amount": claimed});
        let mut ledger = server.ledger();
        ledger.put(tx, json!({"delivered_amount": delivered}));
        ledger.close();
    };
    pay("10000000", "4000000");
    eventually("the delivered amount counts", || gateway.payment(&id)["actualDepositAmount"] == "4");
    assert_eq!(gateway.payment(&id)["status"], "AWAITING");
    pay("6000000", "6000000");
    eventually("the payment is paid", || gateway.payment(&id)["status"] == "DEPOSITED");
    assert_eq!(gateway.payment(&id)["actualDepositAmount"], "10");
}
