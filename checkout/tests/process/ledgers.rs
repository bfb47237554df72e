//! The gateway on XRP and TRON with test servers for the APIs of rippled and TronGrid: a payment from creation to deposit.

use std::fs;
use std::time::Duration;

use checkout_chain_doubles::trongrid::chain::{USDT, log};
use checkout_chain_doubles::{Rippled, TronGrid};
use checkout_gateway::adapters::system_clock::SystemClock;
use checkout_gateway::ports::clock::Clock as _;
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

/// One USDT is half a euro.
const USDT_RATES: &str = r#"{"USDT": {"EUR": 0.5, "USD": 0.55}}"#;
/// BIP-32, test vector 1.
const TRON_KEY: &str = "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8";

#[test]
fn a_payment_on_tron() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(TronGrid::start());
    server.chain().set_time(SystemClock.now_millis() - 60_000);
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("gateway.db").display());
    let config = folder.path().join("gateway.toml");
    let text = format!(
        "database = \"{database}\"\nrates = {{ url = \"{}\" }}\ndeposit_keys = {{ TRX = \"{TRON_KEY}\" }}\n\
         [chains.TRX]\nurl = \"{}\"\npoll_seconds = 0\n",
        rates(USDT_RATES),
        server.url
    );
    fs::write(&config, text).unwrap();
    let config = config.to_str().unwrap();

    let checks = run(&["chains", "check", "--config", config]);
    let said = String::from_utf8(checks.stdout).unwrap();
    assert!(
        said.contains("TRX  ok") && said.contains("USDT at TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
        "{said}"
    );

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
    eventually("there is a quote", || {
        let choice = json!({"depositCurrency": "USDT", "network": "TRX"});
        let (status, answer) = gateway.call("PATCH", &format!("/api/v1/payments/{id}"), &choice);
        quoted = answer["paymentInfo"].clone();
        status == 200
    });
    assert_eq!(quoted["expectedDepositAmount"], "40");
    let address = checkout_chain_tron::account::read(quoted["walletAddress"].as_str().unwrap()).unwrap();
    let address = checkout_chain_tron::account::to_hex(address);

    // A contract that calls itself USDT, and a transfer that failed.
    {
        let (payer, forged) =
            ("4128fb7be6c95a27217e0e0bff42ca50cd9461cc9f", "41ea51342dabbb928ae1e576bd39eff8aaf070a8c6");
        let mut chain = server.chain();
        chain.put(&[log(forged, payer, &address, 40_000_000)], "SUCCESS");
        chain.put(&[log(USDT, payer, &address, 40_000_000)], "REVERT");
        chain.close();
        chain.pay(USDT, &address, 40_000_000);
        chain.produce();
    }
    eventually("the transfer is seen", || gateway.payment(&id)["status"] == "AWAITING");
    let deposits = gateway.payment(&id)["actualDepositAmount"].clone();
    assert!(deposits.is_null() || deposits == "0", "{deposits}");
    for _ in 0..18 {
        server.chain().produce();
    }
    server.chain().solidify_all();
    eventually("the payment is paid", || gateway.payment(&id)["status"] == "DEPOSITED");
    assert_eq!(gateway.payment(&id)["actualDepositAmount"], "40");

    let closing = runtime.spawn({
        let server = server.clone();
        async move {
            loop {
                tokio::time::sleep(Duration::from_millis(50)).await;
                server.chain().close();
            }
        }
    });
    let passphrase = folder.path().join("passphrase");
    fs::write(&passphrase, "correct horse\n").unwrap();
    let key = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process/account.age");
    let to = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
    let arguments = ["chains", "sweep", "TRX", "--config", config, "--to", to, "--key-file", key];
    let sweep = |more: &[&str]| {
        let passphrase = ["--json", "--passphrase-file", passphrase.to_str().unwrap()];
        let ran = run(&[&arguments[..], &passphrase, more].concat());
        let report: Value = serde_json::from_slice(&ran.stdout).unwrap_or_default();
        (ran.status.success(), report, String::from_utf8(ran.stderr).unwrap())
    };
    let (_, plan, said) = sweep(&["--dry-run"]);
    assert_eq!(
        (&plan["rows"][1]["kind"], &plan["rows"][1]["amount"]),
        (&json!("token"), &json!("40")),
        "{said}"
    );
    let gas = checkout_chain_tron::account::read(plan["gasAccount"].as_str().unwrap()).unwrap();
    server.chain().fund(&checkout_chain_tron::account::to_hex(gas), 100_000_000);
    let (is_done, report, said) = sweep(&[]);
    assert!(is_done, "{report} {said}");
    let treasury = checkout_chain_tron::account::to_hex(checkout_chain_tron::account::read(to).unwrap());
    assert_eq!(server.chain().token(&treasury, USDT), 40_000_000);
    closing.abort();
}
