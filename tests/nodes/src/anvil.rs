//! anvil, an Ethereum node with its own chain.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use checkout_core::Amount;
use checkout_test_support::{Leashed, patience};
use serde_json::{Value, json};

use crate::{agent, free_port};

/// A running node, stopped when dropped. `CHECKOUT_ANVIL` names the program; the default is on the path.
pub struct Anvil {
    process: Leashed,
    port: u16,
    /// A funded account whose key the node has.
    pub rich: String,
}

impl Anvil {
    /// Blocks are only mined by [`mine`](Self::mine).
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    pub fn with_chain_id(chain_id: u64) -> Self {
        Self::start_with(&["--chain-id", &chain_id.to_string()])
    }

    pub fn start_with(flags: &[&str]) -> Self {
        let program = std::env::var("CHECKOUT_ANVIL").unwrap_or_else(|_| "anvil".to_owned());
        let port = free_port();
        let mut command = Command::new(&program);
        command.args(["--host", "127.0.0.1", "--port", &port.to_string(), "--no-mining", "--silent"]);
        command.args(flags);
        let process = Leashed::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()));
        let process = process.unwrap_or_else(|error| {
            panic!("{program}: {error}. `cargo xtask test` installs anvil, or name one in CHECKOUT_ANVIL.")
        });
        let mut anvil = Self { process, port, rich: String::new() };
        let started = Instant::now();
        let accounts = loop {
            match anvil.try_ask("eth_accounts", &json!([])) {
                Ok(accounts) => break accounts,
                Err(error) => assert!(started.elapsed() < patience(), "anvil does not answer: {error}"),
            }
            sleep(Duration::from_millis(20));
        };
        accounts[0].as_str().unwrap().clone_into(&mut anvil.rich);
        anvil
    }

    pub fn kill(&mut self) {
        self.process.end();
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// An error of the node is as the node wrote it.
    pub fn try_ask(&self, method: &str, params: &Value) -> Result<Value, Value> {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let unanswered = |error: ureq::Error| json!(error.to_string());
        let mut answer = agent().post(self.url()).send_json(body).map_err(unanswered)?;
        let answer: Value = answer.body_mut().read_json().map_err(unanswered)?;
        match &answer["error"] {
            Value::Null => Ok(answer["result"].clone()),
            error => Err(error.clone()),
        }
    }

    pub fn ask(&self, method: &str, params: &Value) -> Value {
        self.try_ask(method, params).unwrap_or_else(|error| panic!("{method} {params}: {error}"))
    }

    pub fn mine(&self, blocks: u64) {
        for _ in 0..blocks {
            self.ask("evm_mine", &json!([]));
        }
    }

    /// Replaces the last blocks by as many empty ones.
    pub fn reorganise(&self, depth: u64) {
        self.ask("anvil_reorg", &json!([depth, []]));
    }

    /// Sends ether to an address. Returns the transaction id.
    pub fn pay(&self, to: &str, ether: &str) -> String {
        let wei = Amount::parse(ether, 18).unwrap().atoms();
        let transaction = json!({"from": self.rich, "to": to, "value": format!("{wei:#x}")});
        self.ask("eth_sendTransaction", &json!([transaction])).as_str().unwrap().to_owned()
    }

    /// Deploys a token with 6 decimals, whose supply the funded account has. `code` is the constructor, which takes the decimals
    /// and the supply.
    pub fn token(&self, code: &str) -> String {
        self.token_of(code, 6)
    }

    pub fn token_of(&self, code: &str, decimals: u8) -> String {
        let data = format!("0x{}{decimals:064x}{:064x}", code.trim_start_matches("0x"), u128::MAX >> 32);
        let transaction = json!({"from": self.rich, "data": data, "gas": "0x4c4b40"});
        let hash = self.ask("eth_sendTransaction", &json!([transaction]));
        self.mine(1);
        let receipt = self.ask("eth_getTransactionReceipt", &json!([hash]));
        receipt["contractAddress"].as_str().unwrap().to_owned()
    }

    /// Sends atoms of a token.
    pub fn pay_token(&self, token: &str, to: &str, atoms: u128) {
        let data = format!("0xa9059cbb{:0>64}{atoms:064x}", to.trim_start_matches("0x"));
        let transaction = json!({"from": self.rich, "to": token, "data": data, "gas": "0x4c4b40"});
        self.ask("eth_sendTransaction", &json!([transaction]));
    }

    /// In ether.
    pub fn balance(&self, account: &str) -> String {
        let wei = number(&self.ask("eth_getBalance", &json!([account, "latest"])));
        Amount::from_atoms(wei).unwrap().to_text(18)
    }

    /// Mined transactions of an account.
    pub fn sent(&self, account: &str) -> u128 {
        number(&self.ask("eth_getTransactionCount", &json!([account, "latest"])))
    }
}

fn number(value: &Value) -> u128 {
    u128::from_str_radix(value.as_str().unwrap().strip_prefix("0x").unwrap(), 16).unwrap()
}
