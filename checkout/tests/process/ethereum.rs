//! The binary with a real Ethereum node: deposits, a reorganisation, a crash, withdrawals.

mod withdrawals;

use std::path::Path;
use std::time::Duration;

use checkout_test_nodes::{Anvil, rates};
use serde_json::{Value, json};

use crate::gateway::{Gateway, run};
use crate::support::wait;

/// The account of the keystore of `chains/evm/tests`.
const ACCOUNT: &str = "0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b";

const RATES: &str = r#"{"ETH": {"EUR": 2000, "USD": 2200}, "BTC": {"EUR": 60000, "USD": 66000}}"#;

struct Shop {
    anvil: Anvil,
    folder: tempfile::TempDir,
    token: Value,
}

impl Shop {
    fn open() -> Self {
        Self::open_with("")
    }

    /// `more` is appended to the node's section.
    fn open_with(more: &str) -> Self {
        let (anvil, folder) = (Anvil::start(), tempfile::tempdir().unwrap());
        let keystore = concat!(env!("CARGO_MANIFEST_DIR"), "/../chains/evm/tests/keystore.json");
        // The account key comes from BIP-84's vectors; on EVM networks any key has an address.
        let config = format!(
            r#"
            [deposit_keys]
            ETH = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V"
            [chains.ETH]
            url = "{}"
            poll_seconds = 1
            chain_id = 31337
            name = "anvil"
            confirmations = 2
            keystore = "{keystore}"
            {more}
            [finality]
            ETH = 3
            [limits]
            enabled = false
            [rates]
            url = "{}"
            "#,
            anvil.url(),
            rates(RATES)
        );
        std::fs::write(folder.path().join("checkout.toml"), config).unwrap();
        let mut shop = Self { anvil, folder, token: Value::Null };
        let database = shop.database();
        let made = run(&[
            "business",
            "create",
            "--json",
            "--name",
            "Kettle & Co",
            "--settlement-ratio",
            "0",
            "--deposit-callback",
            "https://merchant.example/hook",
            "--withdrawal-callback",
            "https://merchant.example/hook",
            "--database",
            &database,
        ]);
        let made: Value = serde_json::from_slice(&made.stdout).unwrap();
        shop.token = made["token"].clone();
        shop
    }

    fn database(&self) -> String {
        format!("sqlite:{}", self.path("checkout.db").display())
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        Path::new(self.folder.path()).join(name)
    }

    fn try_start(&self, kill_at: Option<&str>) -> Gateway {
        let config = self.path("checkout.toml");
        let start =
            Gateway::try_start(&self.database(), &["--config", config.to_str().unwrap()], |command| {
                command.env("CHECKOUT_ETH_PASSWORD", "testpassword");
                if let Some(point) = kill_at {
                    command.env("CHECKOUT_KILL_AT", point);
                }
            });
        let mut gateway = start.expect("the gateway gets ready");
        gateway.ready["businessToken"] = self.token.clone();
        gateway
    }

    fn start(&self) -> Gateway {
        self.try_start(None)
    }

    /// Number of deposit callbacks written, delivered or not.
    fn callbacks(&self) -> usize {
        let listed = run(&["callbacks", "list", "--json", "--database", &self.database()]);
        String::from_utf8(listed.stdout).unwrap().matches("subjectId").count()
    }
}

/// Creates a payment in ETH. Returns its id, address and amount.
fn payment(gateway: &Gateway, order: &str, euros: &str) -> (String, String, String) {
    let body = json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": euros});
    let created = gateway.post("/api/v1/payments", &body);
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    let quoted = wait("a quote", || {
        // 503 until rates are available.
        let path = format!("/api/v1/payments/{id}");
        let (status, quoted) = gateway.call("PATCH", &path, &json!({"depositCurrency": "ETH"}));
        assert!(status == 200 || status == 503, "{quoted}");
        (status == 200).then(|| quoted["paymentInfo"].clone())
    });
    let text = |name: &str| quoted[name].as_str().unwrap().to_owned();
    (id, text("walletAddress"), text("expectedDepositAmount"))
}

/// The confirmations of the first deposit on the payer's page, and those that it needs.
fn confirmations(gateway: &Gateway, id: &str) -> (Option<u64>, Option<u64>) {
    let (_, view) = gateway.call("GET", &format!("/api/v1/checkout/{id}"), &Value::Null);
    let transfer = &view["transfers"][0];
    (transfer["confirmations"].as_u64(), transfer["requiredConfirmations"].as_u64())
}

#[track_caller]
fn wait_for(gateway: &Gateway, id: &str, status: &str) {
    wait(status, || (gateway.payment(id)["status"] == status).then_some(()));
}

#[test]
fn a_payment_is_paid_reorganised_and_paid_again() {
    let shop = Shop::open();
    let gateway = shop.start();
    let (id, address, amount) = payment(&gateway, "order-1", "100");
    assert_eq!(amount, "0.05");
    let transaction = shop.anvil.pay(&address, &amount);
    shop.anvil.mine(1);
    wait_for(&gateway, &id, "AWAITING");
    wait("the first of two confirmations", || {
        (confirmations(&gateway, &id) == (Some(1), Some(2))).then_some(())
    });
    shop.anvil.mine(1);
    wait_for(&gateway, &id, "DEPOSITED");
    assert_eq!(confirmations(&gateway, &id), (Some(2), Some(2)));
    assert_eq!(shop.callbacks(), 1);
    let raw = shop.anvil.ask("eth_getRawTransactionByHash", &json!([transaction]));

    shop.anvil.reorganise(2);
    wait_for(&gateway, &id, "PENDING");
    shop.anvil.ask("eth_sendRawTransaction", &json!([raw]));
    shop.anvil.mine(2);
    wait_for(&gateway, &id, "DEPOSITED");
    assert_eq!(shop.callbacks(), 1, "one callback per deposit");

    // The process dies for longer than one batch of blocks.
    let (id, address, amount) = payment(&gateway, "order-2", "40");
    gateway.stop("-KILL");
    shop.anvil.mine(30);
    shop.anvil.pay(&address, &amount);
    shop.anvil.mine(30);
    let gateway = shop.start();
    wait_for(&gateway, &id, "DEPOSITED");
    assert_eq!(shop.callbacks(), 2);
}

#[test]
fn twenty_withdrawals_at_once_and_a_crash_before_one_is_sent() {
    let shop = Shop::open();
    let gateway = shop.earn();
    let recipient = |number: usize| format!("0x{number:0>40}");
    let withdraw = |gateway: &Gateway, number: usize| {
        let body = json!({
            "clientWithdrawalId": format!("w-{number}"), "withdrawCurrency": "ETH", "network": "ETH",
            "recipientAddress": recipient(number), "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO",
            "targetAmount": "0.02", "withdrawalAccount": "FIAT",
        });
        gateway.try_call("POST", "/api/v1/withdrawals", &body)
    };
    std::thread::scope(|scope| {
        for number in 1001..=1020 {
            let (gateway, withdraw) = (&gateway, &withdraw);
            scope.spawn(move || {
                let (status, answer) = withdraw(gateway, number).unwrap();
                assert_eq!(status, 201, "{answer}");
            });
        }
    });
    let all_are_paid = |count: u128| {
        wait("all withdrawals", || {
            shop.anvil.mine(1);
            (shop.anvil.sent(ACCOUNT) == count).then_some(())
        });
    };
    all_are_paid(20);
    for number in 1001..=1020 {
        assert_eq!(shop.anvil.balance(&recipient(number)), "0.02", "{number}");
    }
    gateway.stop("-TERM");

    let dying = shop.try_start(Some("broadcast.before/1"));
    let _ = withdraw(&dying, 1021);
    assert_eq!(dying.died_of(), Some(9));
    let gateway = shop.start();
    let (status, answer) = withdraw(&gateway, 1021).unwrap();
    assert!(status == 200 || status == 201, "{answer}");
    all_are_paid(21);
    for _ in 0..5 {
        shop.anvil.mine(1);
        std::thread::sleep(Duration::from_millis(500));
    }
    assert_eq!(shop.anvil.sent(ACCOUNT), 21);
    assert_eq!(shop.anvil.balance(&recipient(1021)), "0.02");
}
