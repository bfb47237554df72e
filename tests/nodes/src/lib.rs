//! Nodes with a chain of their own, each in a temporary folder with its own ports, stopped when dropped; a merchant's
//! endpoint for webhooks, a feed of rates, and servers of any routes.
//!
//! `litecoind` is a package of Debian and Ubuntu; `bitcoind` is one of Debian's sid, which `cargo xtask test` unpacks into the cache
//! folder; anvil is an npm package.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod anvil;
#[cfg(test)]
mod canary;
mod inbox;
mod picture;
mod rpc;
mod spelled;
mod stub;

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use checkout_test_support::{Leashed, patience};
use serde_json::{Value, json};
use tempfile::TempDir;

pub use anvil::Anvil;
pub use inbox::{Answer, Inbox, Received};
pub use picture::{black_png, png};
pub use rpc::Rpc;
pub use spelled::serve_as_written;
pub use stub::{rates, serve, serve_at, serve_beside};

/// Name and password of the JSON-RPC.
pub const USER: &str = "checkout";
pub const PASSWORD: &str = "test-only";

/// The wallet that mines and pays in tests.
pub const MINER: &str = "miner";

/// The wallet of somebody who is paid: where the gateway pays from the miner's wallet, an address of the miner is its own.
const PAYEE: &str = "payee";

/// Blocks whose coins the miner has.
const MINED: u32 = 20;

/// A script that anyone can spend, and no wallet watches: `OP_TRUE`.
const ANYONE: &str = "raw(51)";

/// Whether a program can be run.
#[derive(Clone, Debug)]
pub struct Program(PathBuf);

/// Finds `litecoind`. Prefers the Debian package's binary to its wrapper, which writes to the home folder.
pub fn litecoind() -> Option<Program> {
    find("CHECKOUT_TEST_LITECOIND", &[PathBuf::from("/usr/lib/litecoin/litecoind")], "litecoind")
}

/// Finds `bitcoind`, also where the set-up of the tests unpacks it (`xtask/src/setup/bitcoind.rs`).
pub fn bitcoind() -> Option<Program> {
    let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    let unpacked = cache.map(|cache| cache.join("crypto-checkout/tools/bitcoind/bitcoind"));
    find("CHECKOUT_TEST_BITCOIND", &unpacked.into_iter().collect::<Vec<_>>(), "bitcoind")
}

fn find(variable: &str, places: &[PathBuf], name: &str) -> Option<Program> {
    let named = std::env::var_os(variable).map(PathBuf::from);
    let fixed = places.iter().cloned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = std::env::split_paths(&path).map(|folder| folder.join(name)).collect();
    named.into_iter().chain(fixed).chain(on_path).find(|file| file.is_file()).map(Program)
}

/// A running node.
pub struct Node {
    program: Program,
    process: Option<Leashed>,
    folder: TempDir,
    port: u16,
    more: Vec<String>,
    /// The type of the miner's addresses.
    addresses: &'static str,
}

impl Node {
    /// Starts a node with a funded wallet [`MINER`].
    pub fn start(program: &Program, more: &[&str]) -> Self {
        Self::start_with(program, more, "bech32")
    }

    /// A node whose wallets know no segregated witness, and which keeps the transaction that it saw first.
    pub fn start_legacy(program: &Program) -> Self {
        let more = ["-addresstype=legacy", "-changetype=legacy", "-mempoolreplacement=0"];
        Self::start_with(program, &more, "legacy")
    }

    fn start_with(program: &Program, more: &[&str], addresses: &'static str) -> Self {
        let mut node = Self {
            addresses,
            program: program.clone(),
            process: None,
            folder: tempfile::tempdir().unwrap(),
            port: free_port(),
            more: more.iter().map(|&flag| flag.to_owned()).collect(),
        };
        node.run();
        node.call("", "createwallet", &json!([MINER]));
        // More than the 100 blocks after which coins can be spent: no reorganisation of the tests takes that back, which
        // would remove a transfer of such coins from the memory pool.
        node.mine(MINED);
        node.call("", "generatetodescriptor", &json!([120, ANYONE]));
        node
    }

    /// Restarts the node with one more flag.
    pub fn restart_with(&mut self, flag: &str) {
        self.stop();
        self.run_with(flag);
    }

    /// Restarts the stopped process with one more flag.
    pub fn run_with(&mut self, flag: &str) {
        self.more.push(flag.to_owned());
        self.run();
    }

    /// Restarts the stopped process.
    pub fn run(&mut self) {
        assert!(self.process.is_none(), "the node is running");
        self.process = Some(self.spawn());
        let started = Instant::now();
        while let Err((_, problem)) = self.try_call("", "getblockcount", &json!([])) {
            assert!(started.elapsed() < patience(), "the node does not start: {problem}\n{}", self.log());
            let process = self.process.as_mut().unwrap();
            if process.try_wait().unwrap().is_some() {
                // A program that started at the same time took the port. Later starts keep the port that the gateway knows.
                if !self.has(MINER) {
                    self.port = free_port();
                }
                self.process = Some(self.spawn());
            }
            sleep(Duration::from_millis(50));
        }
        for wallet in [MINER, PAYEE].into_iter().filter(|wallet| self.has(wallet)) {
            let _ = self.try_call("", "loadwallet", &json!([wallet]));
        }
    }

    fn has(&self, wallet: &str) -> bool {
        self.folder.path().join("regtest").join("wallets").join(wallet).exists()
    }

    fn spawn(&self) -> Leashed {
        let mut command = Command::new(&self.program.0);
        command.args(["-regtest", "-server", "-listen=0", "-dnsseed=0", "-txindex=1", "-fallbackfee=0.0002"]);
        command.args(["-rpcbind=127.0.0.1", "-rpcallowip=127.0.0.1"]).args(&self.more);
        if self.program.0.ends_with("litecoind") && self.addresses != "legacy" {
            // By default Litecoin Core keeps the transaction that it saw first.
            command.arg("-mempoolreplacement=1");
        }
        command.arg(format!("-datadir={}", self.folder.path().display()));
        command.args([
            format!("-rpcport={}", self.port),
            format!("-rpcuser={USER}"),
            format!("-rpcpassword={PASSWORD}"),
        ]);
        Leashed::spawn(command.stdout(Stdio::null()).stderr(Stdio::null())).unwrap()
    }

    /// The end of its log.
    fn log(&self) -> String {
        let log = std::fs::read_to_string(self.folder.path().join("regtest").join("debug.log"));
        let log = log.unwrap_or_else(|error| error.to_string());
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }

    /// Stops the process gracefully; its state is kept.
    pub fn stop(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        let _ = self.try_call("", "stop", &json!([]));
        let started = Instant::now();
        while process.try_wait().unwrap().is_none() {
            if started.elapsed() > patience() {
                process.end();
            }
            sleep(Duration::from_millis(20));
        }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Its JSON-RPC alone.
    pub fn rpc(&self) -> Rpc {
        Rpc { url: self.url() }
    }

    pub fn try_call(&self, wallet: &str, method: &str, parameters: &Value) -> Result<Value, (i64, String)> {
        self.rpc().try_call(wallet, method, parameters)
    }

    pub fn call(&self, wallet: &str, method: &str, parameters: &Value) -> Value {
        self.rpc().call(wallet, method, parameters)
    }

    pub fn text(&self, wallet: &str, method: &str, parameters: &Value) -> String {
        self.rpc().text(wallet, method, parameters)
    }

    /// Removes the memory pool of a stopped node.
    pub fn forget_pool(&self) {
        std::fs::remove_file(self.folder.path().join("regtest").join("mempool.dat")).unwrap();
    }

    /// Removes a wallet of a stopped node.
    pub fn forget_wallet(&self, name: &str) {
        std::fs::remove_dir_all(self.folder.path().join("regtest").join("wallets").join(name)).unwrap();
    }

    /// A new address of the miner. The type is given, because some programs default to a legacy one.
    pub fn address(&self) -> String {
        self.text(MINER, "getnewaddress", &json!(["", self.addresses]))
    }

    /// A new address of somebody else.
    pub fn payee(&self) -> String {
        if !self.has(PAYEE) {
            self.call("", "createwallet", &json!([PAYEE]));
        }
        self.text(PAYEE, "getnewaddress", &json!(["", self.addresses]))
    }

    /// Mines blocks with all transactions of the memory pool. Returns the hash of the last one.
    pub fn mine(&self, count: u32) -> String {
        let hashes = self.call("", "generatetoaddress", &json!([count, self.address()]));
        hashes.as_array().unwrap().last().unwrap().as_str().unwrap().to_owned()
    }

    /// Mines a block without transactions of the memory pool.
    pub fn mine_empty(&self) {
        self.call("", "generateblock", &json!([self.address(), []]));
    }

    /// Replaces the last blocks by a branch of empty ones that is one block longer.
    pub fn reorganise(&self, depth: u64) {
        let height = self.call("", "getblockcount", &json!([])).as_u64().unwrap();
        let first = self.text("", "getblockhash", &json!([height + 1 - depth]));
        self.call("", "invalidateblock", &json!([first]));
        for _ in 0..=depth {
            self.mine_empty();
        }
    }

    /// Sends coins of the miner. Returns the transaction id.
    pub fn send(&self, address: &str, amount: &str) -> String {
        let id = self.text(MINER, "sendtoaddress", &json!([address, amount]));
        // The wallet answers with an id also when the memory pool refuses the transaction.
        self.call("", "getmempoolentry", &json!([id]));
        id
    }
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(patience()));
    config.build().into()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Coins of the miner, and received amounts. For double spends, which a wallet refuses to make.
impl Node {
    /// A spendable output of the miner with at least one coin.
    pub fn coin(&self) -> Value {
        let coins = self.call(MINER, "listunspent", &json!([1, 9_999_999, [], false, {"minimumAmount": 1}]));
        coins[0].clone()
    }

    /// Spends a coin to an address and signals replaceability. Each use of the same coin pays a higher fee.
    pub fn spend(&self, coin: &Value, address: &str, amount: &str) -> String {
        self.spend_to(coin, &json!({address: amount}), amount)
    }

    /// Spends a coin to several addresses; `sum` is their total. The change is the last output.
    pub fn spend_to(&self, coin: &Value, outputs: &Value, sum: &str) -> String {
        let outputs = outputs.as_object().unwrap().iter();
        let mut outputs: Vec<Value> = outputs.map(|(to, amount)| json!({to: amount})).collect();
        let (have, sent) = (coin["amount"].as_f64().unwrap(), sum.parse::<f64>().unwrap());
        // A replacement must pay more: the fee differs for each amount.
        let fee = 0.001 + 0.01 * (1.0 - sent.min(1.0));
        outputs.push(json!({self.address(): format!("{:.8}", have - sent - fee)}));
        let input = json!([{"txid": coin["txid"], "vout": coin["vout"], "sequence": 1}]);
        let raw = self.text("", "createrawtransaction", &json!([input, outputs]));
        self.sign_and_send(&raw)
    }

    /// Spends a coin to an address for a fee, and does not signal that it can be replaced.
    pub fn spend_finally(&self, coin: &Value, address: &str, amount: f64, fee: f64) -> String {
        let rest = coin["amount"].as_f64().unwrap() - amount - fee;
        let outputs = json!({address: format!("{amount:.8}"), self.address(): format!("{rest:.8}")});
        let input = json!([{"txid": coin["txid"], "vout": coin["vout"], "sequence": u32::MAX}]);
        self.sign_and_send(&self.text("", "createrawtransaction", &json!([input, outputs])))
    }

    fn sign_and_send(&self, raw: &str) -> String {
        let signed = self.call(MINER, "signrawtransactionwithwallet", &json!([raw]));
        self.text("", "sendrawtransaction", &json!([signed["hex"], 0]))
    }

    /// The amounts that arrived at an address of the miner or the payee.
    pub fn received(&self, address: &str) -> Vec<String> {
        let wallets = [MINER, PAYEE].into_iter().filter(|wallet| self.has(wallet));
        wallets.flat_map(|wallet| self.amounts(wallet, address)).collect()
    }

    fn amounts(&self, wallet: &str, address: &str) -> Vec<String> {
        let listed = self.call(wallet, "listsinceblock", &json!(["", 1, true, false]));
        let entries = listed["transactions"].as_array().unwrap().iter();
        let ours = entries.filter(|entry| {
            entry["category"] == "receive"
                && entry["address"] == address
                && entry["confirmations"].as_i64() >= Some(0)
        });
        ours.map(|entry| format!("{:.8}", entry["amount"].as_f64().unwrap())).collect()
    }

    /// The amounts that the gateway's wallet lists at a deposit address.
    pub fn watched(&self, address: &str) -> Vec<String> {
        self.amounts("checkout-deposits", address)
    }
}
