//! Two EVM networks with one key: what a payer sends on the other one than the payment's is credited.

use checkout_test_nodes::{Anvil, rates};
use serde_json::{Value, json};

use crate::gateway::{Gateway, run};
use crate::support::wait;

const RATES: &str = r#"{"ETH": {"EUR": 2000}, "USDC": {"EUR": 1}, "BTC": {"EUR": 60000}}"#;

/// The chain id of the second node.
const OTHER: u64 = 31_338;

struct Networks {
    eth: Anvil,
    polygon: Anvil,
    usdc_on_polygon: String,
    folder: tempfile::TempDir,
}

impl Networks {
    fn start() -> Self {
        let (eth, polygon) = (Anvil::start(), Anvil::with_chain_id(OTHER));
        let contracts = include_str!("../../../chains/evm/tests/contracts/contracts.json");
        let contracts: Value = serde_json::from_str(contracts).unwrap();
        let code = contracts["Token"].as_str().unwrap();
        let (usdc_on_eth, usdc_on_polygon) = (eth.token(code), polygon.token(code));
        let networks = Self { eth, polygon, usdc_on_polygon, folder: tempfile::tempdir().unwrap() };
        networks.configure(&usdc_on_eth, OTHER);
        networks
    }

    /// One key for both networks.
    fn configure(&self, usdc_on_eth: &str, chain_id: u64) {
        let config = format!(
            r#"
            [deposit_keys]
            ETH = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V"
            [chains.ETH]
            url = "{}"
            poll_seconds = 1
            chain_id = 31337
            tokens.USDC = "{usdc_on_eth}"
            [chains.POLYGON]
            url = "{}"
            poll_seconds = 1
            chain_id = {chain_id}
            confirmed_by = "latest"
            tokens.USDC = "{}"
            [limits]
            enabled = false
            [rates]
            url = "{}"
            "#,
            self.eth.url(),
            self.polygon.url(),
            self.usdc_on_polygon,
            rates(RATES)
        );
        std::fs::write(self.folder.path().join("checkout.toml"), config).unwrap();
    }

    fn database(&self) -> String {
        format!("sqlite:{}", self.folder.path().join("checkout.db").display())
    }

    fn gateway(&self, business: &[&str]) -> Gateway {
        let database = self.database();
        let create = ["business", "create", "--json", "--name", "Kettle & Co", "--database", &database];
        let made = run(&[&create, business].concat());
        let made: Value = serde_json::from_slice(&made.stdout).unwrap();
        let config = self.folder.path().join("checkout.toml");
        let mut gateway = Gateway::try_start(&database, &["--config", config.to_str().unwrap()], |_| {})
            .expect("the gateway gets ready");
        gateway.ready["businessToken"] = made["token"].clone();
        gateway
    }
}

/// A payment of 25 EUR in USDC on a network. Returns its id and its address.
fn payment(gateway: &Gateway, order: &str, network: &str) -> (String, String) {
    let body =
        json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "25"});
    let created = gateway.post("/api/v1/payments", &body);
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    let quoted = wait("a quote", || {
        // 503 until rates are available.
        let choice = json!({"depositCurrency": "USDC", "network": network});
        let (status, quoted) = gateway.call("PATCH", &format!("/api/v1/payments/{id}"), &choice);
        assert!(status == 200 || status == 503, "{quoted}");
        (status == 200).then(|| quoted["paymentInfo"].clone())
    });
    assert_eq!(quoted["expectedDepositAmount"], "25");
    (id, quoted["walletAddress"].as_str().unwrap().to_owned())
}

const AMOUNT: u128 = 25_000_000;

#[test]
fn a_token_sent_on_the_wrong_network_pays_although_the_business_does_not_take_it() {
    let networks = Networks::start();
    let gateway = networks.gateway(&[]);
    let (id, address) = payment(&gateway, "order-1", "ETH");
    networks.polygon.pay_token(&networks.usdc_on_polygon, &address, AMOUNT);
    networks.polygon.mine(1);
    wait("the deposit", || (gateway.payment(&id)["status"] == "DEPOSITED").then_some(()));
    let deposit = &gateway.payment(&id)["deposits"][0];
    assert_eq!((&deposit["depositAmount"], &deposit["toAddress"]), (&json!("25"), &json!(address)));
    assert_eq!(networks.eth.sent(&address), 0);
}

#[test]
fn one_key_has_addresses_of_their_own_on_both_networks() {
    let networks = Networks::start();
    let gateway = networks.gateway(&["--deposit-pairs", "USDC,USDC/POLYGON"]);
    let (on_eth, address) = payment(&gateway, "order-1", "ETH");
    let (on_polygon, other) = payment(&gateway, "order-2", "POLYGON");
    assert_ne!(address, other, "no two payments share an address");
    networks.polygon.pay_token(&networks.usdc_on_polygon, &other, AMOUNT);
    networks.polygon.mine(1);
    wait("the deposit", || (gateway.payment(&on_polygon)["status"] == "DEPOSITED").then_some(()));
    assert_eq!(gateway.payment(&on_eth)["status"], "PENDING");
}

/// A node of another chain than its section's is noticed before anything is served.
#[test]
fn the_chain_of_each_node_is_checked_at_the_start() {
    let networks = Networks::start();
    networks.configure("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", 137);
    let config = networks.folder.path().join("checkout.toml");
    let checked =
        run(&["chains", "check", "--config", config.to_str().unwrap(), "--database", &networks.database()]);
    let said = String::from_utf8(checked.stdout).unwrap();
    assert!(said.contains("the node is on chain 31338, and 137 is configured"), "{said}");
    assert_eq!(checked.status.code(), Some(1));
}
