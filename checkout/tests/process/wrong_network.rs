//! Two EVM networks with one key: what a payer sends on the other one than the payment's is credited.

mod attacks;

use checkout_test_nodes::{Anvil, rates};
use serde_json::{Value, json};

use crate::gateway::{Gateway, run};
use crate::support::wait;

const RATES: &str =
    r#"{"ETH": {"EUR": 2000}, "USDC": {"EUR": 1}, "POL": {"EUR": 0.2}, "BTC": {"EUR": 60000}}"#;

/// The chain id of the second node.
const OTHER: u64 = 31_338;

struct Networks {
    /// The network of the second node.
    code: &'static str,
    eth: Anvil,
    other: Anvil,
    /// On the second network.
    usdc: String,
    usdc_on_eth: String,
    folder: tempfile::TempDir,
}

impl Networks {
    fn start() -> Self {
        Self::with("POLYGON")
    }

    fn with(code: &'static str) -> Self {
        let (eth, other) = (Anvil::start(), Anvil::with_chain_id(OTHER));
        let (usdc_on_eth, usdc) = (eth.token(&token_code()), other.token(&token_code()));
        let networks = Self { code, eth, other, usdc, usdc_on_eth, folder: tempfile::tempdir().unwrap() };
        networks.configure(&networks.section(OTHER, ""));
        networks
    }

    /// The section of the second network, with more keys.
    fn section(&self, chain_id: u64, more: &str) -> String {
        format!(
            r#"
            [chains.{}]
            url = "{}"
            poll_seconds = 1
            chain_id = {chain_id}
            confirmed_by = "latest"
            tokens.USDC = "{}"
            {more}
            "#,
            self.code,
            self.other.url(),
            self.usdc
        )
    }

    /// One key for both networks.
    fn configure(&self, second: &str) {
        let config = format!(
            r#"
            [deposit_keys]
            ETH = "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V"
            [chains.ETH]
            url = "{}"
            poll_seconds = 1
            chain_id = 31337
            tokens.USDC = "{}"
            {second}
            [limits]
            enabled = false
            [rates]
            url = "{}"
            "#,
            self.eth.url(),
            self.usdc_on_eth,
            rates(RATES)
        );
        std::fs::write(self.path("checkout.toml"), config).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn database(&self) -> String {
        format!("sqlite:{}", self.path("checkout.db"))
    }

    /// Starts a gateway with a new business.
    fn gateway(&self, business: &[&str]) -> Gateway {
        let database = self.database();
        let create = ["business", "create", "--json", "--name", "Kettle & Co", "--database", &database];
        let made = run(&[&create, business].concat());
        let made: Value = serde_json::from_slice(&made.stdout).unwrap();
        self.again(&made["token"])
    }

    /// Starts a gateway for a business that has this token.
    fn again(&self, token: &Value) -> Gateway {
        let config = self.path("checkout.toml");
        let mut gateway = Gateway::try_start(&self.database(), &["--config", &config], |_| {})
            .expect("the gateway gets ready");
        gateway.ready["businessToken"] = token.clone();
        gateway
    }

    /// Sends USDC on the second network, in a block.
    fn pay(&self, address: &str, atoms: u128) {
        self.other.pay_token(&self.usdc, address, atoms);
        self.other.mine(1);
    }

    /// Runs `checkout chains`.
    fn chains(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let (config, database) = (self.path("checkout.toml"), self.database());
        let more = ["--config", &config, "--database", &database];
        let output = run(&[&["chains"], arguments, &more].concat());
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    }
}

/// The constructor of the token of the adapter's tests.
fn token_code() -> String {
    let contracts = include_str!("../../../chains/evm/tests/contracts/contracts.json");
    let contracts: Value = serde_json::from_str(contracts).unwrap();
    contracts["Token"].as_str().unwrap().to_owned()
}

fn wait_for(gateway: &Gateway, id: &str, status: &str) {
    wait(status, || (gateway.payment(id)["status"] == status).then_some(()));
}

/// A payment of 25 EUR in USDC on a network. Returns its id and its address.
fn payment(gateway: &Gateway, order: &str, network: &str) -> (String, String) {
    payment_in(gateway, order, ("USDC", network), "25")
}

/// A payment of 25 EUR, which is this amount.
fn payment_in(
    gateway: &Gateway,
    order: &str,
    (currency, network): (&str, &str),
    amount: &str,
) -> (String, String) {
    let body =
        json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "25"});
    let created = gateway.post("/api/v1/payments", &body);
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    let quoted = wait("a quote", || {
        // 503 until rates are available.
        let choice = json!({"depositCurrency": currency, "network": network});
        let (status, quoted) = gateway.call("PATCH", &format!("/api/v1/payments/{id}"), &choice);
        assert!(status == 200 || status == 503, "{quoted}");
        (status == 200).then(|| quoted["paymentInfo"].clone())
    });
    assert_eq!(quoted["expectedDepositAmount"], amount);
    (id, quoted["walletAddress"].as_str().unwrap().to_owned())
}

const AMOUNT: u128 = 25_000_000;

#[test]
fn a_token_sent_on_the_wrong_network_pays_although_the_business_does_not_take_it() {
    let networks = Networks::start();
    let gateway = networks.gateway(&[]);
    let (id, address) = payment(&gateway, "order-1", "ETH");
    networks.pay(&address, AMOUNT);
    wait_for(&gateway, &id, "DEPOSITED");
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
    networks.pay(&other, AMOUNT);
    wait_for(&gateway, &on_polygon, "DEPOSITED");
    assert_eq!(gateway.payment(&on_eth)["status"], "PENDING");
}

/// A node of another chain than its section's is noticed before anything is served.
#[test]
fn the_chain_of_each_node_is_checked_at_the_start() {
    let networks = Networks::start();
    networks.configure(&networks.section(31_339, ""));
    let (exit, said) = networks.chains(&["check"]);
    assert!(said.contains("the node is on chain 31338, and 31339 is configured"), "{said}");
    assert_eq!(exit, Some(1));
}
