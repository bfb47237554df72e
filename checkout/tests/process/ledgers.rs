//! The gateway on XRP, XLM and TRON with test servers for the APIs of rippled, Horizon and TronGrid: a payment from creation to
//! deposit, and withdrawals.

mod payer_wallet;
mod swallowed;

use std::fs;
use std::time::Duration;

use checkout_chain_doubles::trongrid::chain::{USDT, log};
use checkout_chain_doubles::{Rippled, TronGrid};
use checkout_domain::ports::clock::Clock as _;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_test_nodes::rates;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::gateway::{Gateway, run};
use crate::kills::books::read;
use crate::support::eventually;

/// The deposit account.
const OURS: &str = "rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH";
/// One XRP is 2 euros.
const RATES: &str = r#"{"XRP": {"EUR": 2, "USD": 2.2}}"#;

/// A gateway with one network, and a payment of 20 euros on it.
struct Order {
    gateway: Gateway,
    folder: TempDir,
    database: String,
    /// The path of the configuration.
    config: String,
    /// The output of `checkout chains check`.
    checks: String,
    id: String,
    /// What the payer opens, without its origin.
    link: String,
    quote: Value,
}

impl Order {
    /// `section`: the lines of the network in the configuration.
    fn new(network: &str, section: &str, key: &str, feed: &'static str, choice: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = format!("sqlite:{}", folder.path().join("gateway.db").display());
        let config = folder.path().join("gateway.toml").display().to_string();
        let text = format!(
            "database = \"{database}\"\nrates = {{ url = \"{}\" }}\ndeposit_keys = {{ {network} = \"{key}\" }}\n\
             [chains.{network}]\n{section}\n",
            rates(feed)
        );
        fs::write(&config, text).unwrap();
        let checks = run(&["chains", "check", "--config", &config]);
        let checks = String::from_utf8(checks.stdout).unwrap();
        assert!(checks.contains(&format!("{network}  ok")), "{checks}");

        let made = run(&[
            "business",
            "create",
            "--json",
            "--name",
            "Kettle & Co",
            "--settlement-ratio",
            "0",
            "--database",
            &database,
        ]);
        let made: Value = serde_json::from_slice(&made.stdout).unwrap();
        let mut gateway =
            Gateway::try_start(&database, &["--config", &config], |_| {}).expect("the gateway gets ready");
        gateway.ready["businessToken"] = made["token"].clone();
        let order = json!({
            "clientPaymentId": "order-1", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "20"
        });
        let created = gateway.post("/api/v1/payments", &order);
        let id = created["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
        let url = created["paymentUrl"].as_str().unwrap();
        let link = url[url.find("/checkout/").unwrap()..].to_owned();
        let mut quote = Value::Null;
        // The first rates arrive a moment after the start.
        eventually("there is a quote", || {
            let (status, answer) = gateway.call("PATCH", &format!("/api/v1/payments/{id}"), choice);
            quote = answer["paymentInfo"].clone();
            status == 200
        });
        Self { gateway, folder, database, config, checks, id, link, quote }
    }

    /// Kills the gateway and starts the next one, which dies at a point if one is given.
    fn restart(&mut self, kill_at: &str) {
        if self.gateway.is_running() {
            self.gateway.kill();
        }
        let next = Gateway::try_start(&self.database, &["--config", &self.config], |command| {
            command.env("CHECKOUT_KILL_AT", kill_at);
        });
        let mut next = next.expect("the gateway gets ready");
        next.ready["businessToken"] = self.gateway.ready["businessToken"].take();
        self.gateway = next;
    }

    /// The first column of a query.
    fn column(&self, question: &'static str) -> Vec<String> {
        read(&self.database, question).into_iter().map(|mut row| row.remove(0)).collect()
    }

    fn payment(&self) -> Value {
        self.gateway.payment(&self.id)
    }
}

#[test]
fn a_payment_on_xrp_is_paid() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Rippled::start());
    server.ledger().fund(OURS, 100_000_000);
    let section = format!("url = \"{}\"\npoll_seconds = 1", server.url);
    let order = Order::new("XRP", &section, OURS, RATES, &json!({"depositCurrency": "XRP"}));
    let quoted = &order.quote;
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
    eventually("the delivered amount counts", || order.payment()["actualDepositAmount"] == "4");
    assert_eq!(order.payment()["status"], "AWAITING");
    pay("6000000", "6000000");
    eventually("the payment is paid", || order.payment()["status"] == "DEPOSITED");
    assert_eq!(order.payment()["actualDepositAmount"], "10");
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
    let section = format!("url = \"{}\"\npoll_seconds = 0", server.url);
    let choice = json!({"depositCurrency": "USDT", "network": "TRX"});
    let order = Order::new("TRX", &section, TRON_KEY, USDT_RATES, &choice);
    assert!(order.checks.contains("USDT at TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"), "{}", order.checks);
    let quoted = &order.quote;
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
    eventually("the transfer is seen", || order.payment()["status"] == "AWAITING");
    let deposits = order.payment()["actualDepositAmount"].clone();
    assert!(deposits.is_null() || deposits == "0", "{deposits}");
    for _ in 0..18 {
        server.chain().produce();
    }
    server.chain().solidify_all();
    eventually("the payment is paid", || order.payment()["status"] == "DEPOSITED");
    assert_eq!(order.payment()["actualDepositAmount"], "40");

    let closing = runtime.spawn({
        let server = server.clone();
        async move {
            loop {
                tokio::time::sleep(Duration::from_millis(50)).await;
                server.chain().close();
            }
        }
    });
    let passphrase = order.folder.path().join("passphrase");
    fs::write(&passphrase, "correct horse\n").unwrap();
    let key = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process/account.age");
    let to = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
    let arguments = ["chains", "sweep", "TRX", "--config", &order.config, "--to", to, "--key-file", key];
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
