//! A merchant with a node, a rate feed and an endpoint for callbacks.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;

use checkout_test_nodes::{Node, PASSWORD, Program, USER, bitcoind, litecoind, rates};
use serde_json::{Value, json};

use crate::callbacks::inbox;
use crate::gateway::{Gateway, run};
use crate::support::eventually;
use checkout_test_nodes::Inbox;

/// A test account from published BIP-32 vectors; it holds nothing.
pub(super) const ACCOUNT: &str = "tpubD6NzVbkrYhZ4WaWSyoBvQwbpLkojyoTZPRsgXELWz3Popb3qkjcJyJUGLnL4qHHoQvao8ESaAstxYSnhyswJ76uZPStJRJCTKvosUCJZL5B";

/// Blocks after which a deposit is final on LTC, and on BTC.
pub(super) const FINAL: u32 = 24;

/// A Litecoin is 80 euros, a Bitcoin 80,000.
const RATES: &str = r#"{"LTC": {"EUR": 80, "USD": 90}, "BTC": {"EUR": 80000, "USD": 90000}}"#;

/// A network whose node the tests start.
pub(super) struct Coin {
    pub(super) code: &'static str,
    program: fn() -> Option<Program>,
    /// The beginning of its addresses on regtest.
    pub(super) prefix: &'static str,
    /// An address of the main network.
    pub(super) main: &'static str,
    /// The end of the price of as many Litecoin.
    zeros: &'static str,
}

pub(super) const LITECOIN: Coin = Coin {
    code: "LTC",
    program: litecoind,
    prefix: "rltc1q",
    main: "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
    zeros: "",
};

pub(super) const BITCOIN: Coin = Coin {
    code: "BTC",
    program: bitcoind,
    prefix: "bcrt1q",
    main: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    zeros: "000",
};

pub(super) struct Shop {
    pub(super) coin: &'static Coin,
    pub(super) node: Node,
    pub(super) inbox: Inbox,
    folder: tempfile::TempDir,
    token: Value,
    database: RefCell<Option<String>>,
}

impl Shop {
    /// `more` is appended to the node's section.
    pub(super) fn open(coin: &'static Coin, more: &str) -> Self {
        let program = (coin.program)().expect("the node is not installed: `cargo xtask test` does");
        let code = coin.code;
        let node = Node::start(&program, &[]);
        let folder = tempfile::tempdir().unwrap();
        let config = format!(
            "rates = {{ url = \"{}\" }}\ncallbacks = {{ private_addresses = true }}\ndeposit_keys = {{ {code} = \"wpkh({ACCOUNT})\" }}\n\
             [chains.{code}]\nurl = \"{}\"\nuser = \"{USER}\"\npassword = \"{PASSWORD}\"\nnetwork = \"regtest\"\n{more}\n",
            rates(RATES),
            node.url(),
        );
        let config =
            format!("database = \"sqlite:{}\"\n{config}", folder.path().join("gateway.db").display());
        fs::write(folder.path().join("gateway.toml"), config).unwrap();
        let inbox = inbox();
        let mut shop = Self { coin, node, inbox, folder, token: Value::Null, database: RefCell::default() };
        let url = &shop.inbox.url;
        let create = ["business", "create", "--json", "--name", "Kettle & Co", "--sandbox"];
        let terms = ["--settlement-crypto", code, "--settlement-ratio", "1"];
        let callbacks =
            ["--deposit-callback", url, "--withdrawal-callback", url, "--database", &shop.database()];
        let made = run(&[&create[..], &terms, &callbacks].concat());
        let made: Value = serde_json::from_slice(&made.stdout).unwrap();
        shop.token = made["token"].clone();
        shop
    }

    /// Mines the transfer of a payment, removes its block and mines it again. One callback arrives.
    pub(super) fn confirm_twice(&self, gateway: &Gateway, id: &str) {
        self.node.mine(1);
        eventually("the payment is paid", || gateway.payment(id)["status"] == "DEPOSITED");
        eventually("the callback arrives", || self.inbox.count() == 1);
        self.node.reorganise(2);
        eventually("the reorganisation removes the confirmation", || {
            gateway.payment(id)["status"] == "AWAITING"
        });
        self.node.mine(1);
        eventually("the next block confirms it again", || gateway.payment(id)["status"] == "DEPOSITED");
    }

    /// Starts the gateway and pays the merchant 160 euros, which can be withdrawn.
    pub(super) fn earn(&self) -> Gateway {
        let gateway = self.gateway();
        let (id, address, amount) = self.order(&gateway, "order-1", "160");
        self.node.send(&address, &amount);
        self.node.mine(FINAL);
        eventually("the payment is paid", || gateway.payment(&id)["status"] == "DEPOSITED");
        gateway.until_all_is_final();
        gateway
    }

    pub(super) fn database(&self) -> String {
        self.database.borrow().clone().unwrap_or_else(|| format!("sqlite:{}", self.file("gateway.db")))
    }

    /// Lets the next gateway use another database.
    pub(super) fn use_database(&self, url: &str) {
        *self.database.borrow_mut() = Some(url.to_owned());
    }

    /// A path in the folder of the shop.
    pub(super) fn file(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("gateway.toml")
    }

    pub(super) fn config(&self) -> &str {
        self.path().to_str().map(str::to_owned).map(String::leak).unwrap()
    }

    /// A copy of the configuration with a text replaced.
    pub(super) fn other_config(&self, from: &str, to: &str) -> PathBuf {
        let text = fs::read_to_string(self.path()).unwrap();
        let file = self.folder.path().join(format!("{}.toml", text.len() + to.len()));
        fs::write(&file, text.replace(from, to)).unwrap();
        file
    }

    /// Gives the network another source.
    pub(super) fn replace_section(&self, lines: &str) {
        let text = fs::read_to_string(self.path()).unwrap();
        let section = format!("[chains.{}]", self.coin.code);
        let (before, _) = text.split_once(&section).unwrap();
        let text = format!("{before}{section}\nnetwork = \"regtest\"\n{lines}");
        fs::write(self.path(), text).unwrap();
    }

    pub(super) fn gateway(&self) -> Gateway {
        self.gateway_until("")
    }

    /// A gateway that is killed at a point, if one is given.
    pub(super) fn gateway_until(&self, kill_at: &str) -> Gateway {
        let more = ["--config", self.config()];
        let start = Gateway::try_start(&self.database(), &more, |command| {
            command.env("CHECKOUT_KILL_AT", kill_at);
        });
        let mut gateway = start.expect("the gateway gets ready");
        gateway.ready["businessToken"] = self.token.clone();
        gateway
    }

    /// A withdrawal request.
    pub(super) fn withdrawal(&self, name: &str, recipient: &str, amount: &str) -> Value {
        json!({
            "clientWithdrawalId": name, "recipientAddress": recipient, "withdrawCurrency": self.coin.code,
            "network": self.coin.code, "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": amount
        })
    }

    /// Creates a payment of these euros (of a thousand times as many in Bitcoin) and chooses the coin. Returns its id, its address and the amount.
    pub(super) fn order(&self, gateway: &Gateway, client_id: &str, euros: &str) -> (String, String, String) {
        let euros = format!("{euros}{}", self.coin.zeros);
        let body = json!({
            "clientPaymentId": client_id, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": euros
        });
        let created = gateway.post("/api/v1/payments", &body);
        let id = created["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
        let mut patched = Value::Null;
        // The first rates arrive a moment after the start.
        eventually("there is a quote", || {
            let path = format!("/api/v1/payments/{id}");
            let (status, answer) = gateway.call("PATCH", &path, &json!({"depositCurrency": self.coin.code}));
            patched = answer;
            status == 200
        });
        let text = |name: &str| patched["paymentInfo"][name].as_str().unwrap().to_owned();
        (id, text("walletAddress"), text("expectedDepositAmount"))
    }
}
