//! A wallet in the browser whose accounts are those of an anvil node, or one on TRON with a key of its own. It answers as `EIP-1193`,
//! `EIP-3085` and `EIP-3326` say, or as `TronLink`'s documentation does (<https://docs.tronlink.org/plugin-wallet/active-requests/>),
//! unless a journey answers otherwise.

use std::time::Instant;

use checkout_chain_tron::{Key, account};
use checkout_test_nodes::Anvil;
use checkout_test_support::patience;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::page::Page;
use super::snapshot::Snapshot;
use super::wait::LOOK;

const SCRIPT: &str = include_str!("wallet.js");

/// A request of the page.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Call {
    id: usize,
    /// The name of the wallet that was asked.
    pub(crate) wallet: String,
    pub(crate) method: String,
    pub(crate) params: Value,
}

pub(crate) enum Reply {
    Result(Value),
    /// Its code.
    Error(i64),
    /// An error that is only words.
    Said(&'static str),
    /// None for now.
    Held,
}

pub(crate) struct BrowserWallet<'a> {
    page: Page<'a>,
    signer: WalletSigner<'a>,
    pub(crate) accounts: Vec<String>,
    /// The network that is selected in it.
    pub(crate) chain: u64,
    pub(crate) known_chains: Vec<u64>,
    /// Everything that the page asked.
    pub(crate) asked: Vec<Call>,
}

enum WalletSigner<'a> {
    Node(&'a Anvil),
    /// On TRON.
    Key(Key),
}

/// The end of the id of TRON's first block.
const TRON: u64 = 0x2b66_53dc;

/// What a wallet says of itself.
pub(crate) fn info(name: &str, icon: &str) -> Value {
    json!({"uuid": format!("id-{name}"), "name": name, "icon": icon, "rdns": "test.wallet"})
}

pub(crate) const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'%3E%3Crect width='1' height='1' fill='teal'/%3E%3C/svg%3E";

impl<'a> BrowserWallet<'a> {
    /// On the network of the node.
    pub(crate) fn new(page: Page<'a>, node: &'a Anvil) -> Self {
        let chain = number(&node.ask("eth_chainId", &json!([])));
        let accounts = vec![node.rich.clone()];
        let signer = WalletSigner::Node(node);
        Self { page, signer, accounts, chain, known_chains: vec![chain], asked: Vec::new() }
    }

    /// On TRON's main network.
    pub(crate) fn on_tron(page: Page<'a>, key: Key) -> Self {
        let (accounts, signer) = (vec![account::to_text(key.account())], WalletSigner::Key(key));
        Self { page, signer, accounts, chain: TRON, known_chains: vec![TRON], asked: Vec::new() }
    }

    pub(crate) async fn announce(&self, info: Value) {
        let standard = if matches!(self.signer, WalletSigner::Key(_)) { "TIP6963" } else { "eip6963" };
        self.page.browser.run(SCRIPT, vec![info, json!(standard)]).await;
    }

    pub(crate) async fn offer(&self) {
        self.announce(info("Test Wallet", ICON)).await;
    }

    /// Presses the first wallet until the page asks it: a click of WebKitGTK's driver is lost now and then.
    pub(crate) async fn press(&self) {
        const ASKED: &str = "return window.testWallet.answers.length";
        let before = self.page.browser.run(ASKED, vec![]).await;
        for _ in 0..3 {
            self.page.click("wallet").await;
            let deadline = Instant::now() + patience() / 3;
            while Instant::now() < deadline {
                if self.page.browser.run(ASKED, vec![]).await != before {
                    return;
                }
                tokio::time::sleep(LOOK).await;
            }
        }
        panic!("the page does not ask the wallet: {:#?}", self.page.look().await);
    }

    /// Answers until the page is as expected. Where `reply` says nothing, the answer is an honest one.
    pub(crate) async fn until(
        &mut self,
        what: &str,
        mut reply: impl FnMut(&Call) -> Option<Reply>,
        holds: impl Fn(&Snapshot) -> bool,
    ) -> Snapshot {
        let deadline = Instant::now() + patience() * 2;
        loop {
            let asked =
                self.page.browser.run("return window.testWallet?.asked.splice(0) ?? []", vec![]).await;
            let asked: Vec<Call> = serde_json::from_value(asked).expect("the script and its type agree");
            for call in asked {
                let reply = reply(&call).unwrap_or_else(|| self.honest(&call));
                self.answer(&call, reply).await;
                self.asked.push(call);
            }
            let page = self.page.look().await;
            if let Some(page) = page.as_ref().filter(|page| holds(page)) {
                return page.clone();
            }
            assert!(Instant::now() < deadline, "the page does not do this: it {what}.\nIt is {page:#?}");
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Answers honestly until the page says this below the wallets.
    pub(crate) async fn says(&mut self, state: &str) -> Snapshot {
        self.says_after(state, |_| None).await
    }

    pub(crate) async fn says_after(
        &mut self,
        state: &str,
        reply: impl FnMut(&Call) -> Option<Reply>,
    ) -> Snapshot {
        let holds = |page: &Snapshot| page.value("wallet-state") == Some(state);
        self.until(&format!("says {state:?}"), reply, holds).await
    }

    pub(crate) async fn answer(&self, call: &Call, reply: Reply) {
        let (settle, value) = match reply {
            Reply::Result(value) => ("resolve", value),
            Reply::Error(code) => ("reject", json!({"code": code, "message": "of the test"})),
            Reply::Said(message) => ("reject", json!({"message": message})),
            Reply::Held => return,
        };
        let script = format!("window.testWallet.answers[arguments[0]].{settle}(arguments[1])");
        self.page.browser.run(&script, vec![json!(call.id), value]).await;
    }

    pub(crate) fn honest(&mut self, call: &Call) -> Reply {
        let chain = || number(&call.params[0]["chainId"]);
        match call.method.as_str() {
            "eth_requestAccounts" | "eth_accounts" => Reply::Result(json!(self.accounts)),
            // Not among the methods of TronLink.
            "eth_chainId" if matches!(self.signer, WalletSigner::Key(_)) => Reply::Error(4200),
            "eth_chainId" => Reply::Result(json!(format!("{:#x}", self.chain))),
            "wallet_switchEthereumChain" if self.known_chains.contains(&chain()) => {
                self.chain = chain();
                Reply::Result(Value::Null)
            }
            "wallet_switchEthereumChain" => Reply::Error(4902),
            "wallet_addEthereumChain" => {
                self.known_chains.push(chain());
                Reply::Result(Value::Null)
            }
            _ => match &self.signer {
                WalletSigner::Key(key) => Reply::Result(signed_by(key, &call.params[0])),
                WalletSigner::Node(node) => match node.try_ask(&call.method, &call.params) {
                    Ok(result) => Reply::Result(result),
                    Err(error) => Reply::Error(error["code"].as_i64().expect("an error has a code")),
                },
            },
        }
    }

    /// The transactions that it was asked to send.
    pub(crate) fn sent(&self) -> Vec<Value> {
        let sent = self.asked.iter().filter(|call| ["eth_sendTransaction", SIGN].contains(&&*call.method));
        sent.map(|call| call.params[0].clone()).collect()
    }
}

/// `tronWeb.trx.sign`
pub(crate) const SIGN: &str = "sign";

/// A transaction as `tronWeb.trx.sign` answers it.
pub(crate) fn signed_by(key: &Key, transaction: &Value) -> Value {
    let bytes = transaction["raw_data_hex"].as_str().and_then(|digits| hex::decode(digits).ok());
    let hash = Sha256::digest(bytes.expect("a transaction has its bytes"));
    let mut signed = transaction.clone();
    signed["signature"] = json!([hex::encode(key.sign(&hash.into()))]);
    signed
}

pub(crate) fn number(quantity: &Value) -> u64 {
    let digits = quantity.as_str().and_then(|text| text.strip_prefix("0x")).expect("a quantity");
    u64::from_str_radix(digits, 16).expect("a quantity")
}
