//! An anvil node with its own chain.

use alloy_primitives::{Address, B256, Bytes, U256, hex};
use alloy_sol_types::{SolCall, SolValue as _, sol};
use checkout_chain_evm::rpc::Rpc;
use serde_json::{Value, json};

sol! {
    function transfer(address to, uint256 value) returns (bool);
    function transferTwice(address to, uint256 first, uint256 second);
    function pretend(address to, uint256 value) returns (bool);
    function transferAndFail(address to, uint256 value);
    function block_(address account);
    function forward(address to) payable;
    function split(address first, address second) payable;
    function forwardAndFail(address to) payable;
    function tryAndGoOn(address to) payable;
    function dive(address to, uint256 depth) payable;
}

/// The chain id of anvil.
pub(crate) const CHAIN: u64 = 31337;
pub(crate) const ETHER: u64 = 1_000_000_000_000_000_000;

pub(crate) struct Anvil {
    process: checkout_test_nodes::Anvil,
    pub(crate) url: String,
    rpc: Rpc,
    /// A funded account whose key the node has.
    pub(crate) rich: Address,
}

impl Anvil {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Blocks are only mined by [`mine`](Self::mine).
    pub(crate) fn start_with(flags: &[&str]) -> Self {
        let process = checkout_test_nodes::Anvil::start_with(flags);
        let (url, rich) = (process.url(), process.rich.parse().unwrap());
        Self { rpc: Rpc::new(&url).unwrap(), process, url, rich }
    }

    pub(crate) async fn ask<T: serde::de::DeserializeOwned>(&self, method: &'static str, params: Value) -> T {
        self.rpc.call(method, params).await.unwrap()
    }

    pub(crate) async fn mine(&self, blocks: u64) {
        // One by one: several blocks mined at once have all transactions in the first.
        for _ in 0..blocks {
            self.ask::<Value>("evm_mine", json!([])).await;
        }
    }

    pub(crate) async fn height(&self) -> u64 {
        self.ask::<U256>("eth_blockNumber", json!([])).await.to()
    }

    /// Replaces the last blocks by as many new ones with these raw transactions, each paired with its block.
    pub(crate) async fn reorganise(&self, depth: u64, transactions: &[(Bytes, u64)]) {
        self.ask::<Value>("anvil_reorg", json!([depth, transactions])).await;
    }

    pub(crate) async fn send(&self, to: Address, value: u64) -> B256 {
        self.transact(json!({"to": to, "value": U256::from(value)})).await
    }

    pub(crate) async fn call(&self, contract: Address, call: impl SolCall, value: u64) -> B256 {
        let data = Bytes::from(call.abi_encode());
        self.transact(json!({"to": contract, "data": data, "value": U256::from(value)})).await
    }

    /// Deploys a contract of `contracts.json` and returns its address.
    pub(crate) async fn make(&self, name: &str, arguments: Vec<u8>, value: u64) -> (B256, Address) {
        let codes: Value = serde_json::from_str(include_str!("../contracts/contracts.json")).unwrap();
        let code = hex::decode(codes[name].as_str().unwrap()).unwrap();
        let data = Bytes::from([code, arguments].concat());
        let hash = self.transact(json!({"data": data, "value": U256::from(value)})).await;
        self.mine(1).await;
        let receipt: Value = self.ask("eth_getTransactionReceipt", json!([hash])).await;
        (hash, receipt["contractAddress"].as_str().unwrap().parse().unwrap())
    }

    /// The funded account owns the supply.
    pub(crate) async fn token(&self, decimals: u8) -> Address {
        let supply = U256::from(10).pow(U256::from(30));
        self.make("Token", (U256::from(decimals), supply).abi_encode(), 0).await.1
    }

    async fn transact(&self, mut transaction: Value) -> B256 {
        transaction["from"] = json!(self.rich);
        // A fixed gas limit, so that a failing transaction is mined, too.
        transaction["gas"] = json!(U256::from(5_000_000));
        self.ask("eth_sendTransaction", json!([transaction])).await
    }

    pub(crate) async fn raw(&self, transaction: B256) -> Bytes {
        self.ask("eth_getRawTransactionByHash", json!([transaction])).await
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }
}
