//! The node's best chain and memory pool, in Esplora's form.

use std::collections::BTreeMap;

use checkout_core::Amount;
use checkout_test_nodes::Rpc;
use serde_json::{Value, json};

pub(super) struct Index {
    pub(super) node: Rpc,
    /// From the first one on.
    blocks: Vec<Block>,
    waiting: Vec<Value>,
    /// Transactions as the node writes them: each is looked up once.
    seen: BTreeMap<String, Value>,
}

struct Block {
    hash: String,
    time: u64,
    transactions: Vec<Value>,
}

impl Index {
    pub(super) fn new(node: Rpc) -> Self {
        Self { node, blocks: Vec::new(), waiting: Vec::new(), seen: BTreeMap::new() }
    }

    /// Follows the node.
    pub(super) fn refresh(&mut self) {
        let mut hash = self.node.text("", "getbestblockhash", &json!([]));
        let mut new = Vec::new();
        loop {
            if let Some(at) = self.blocks.iter().position(|block| block.hash == hash) {
                self.blocks.truncate(at + 1);
                break;
            }
            let block = self.node.call("", "getblock", &json!([hash, 2]));
            let parent = block["previousblockhash"].as_str().map(str::to_owned);
            new.push(block);
            let Some(parent) = parent else {
                self.blocks.clear();
                break;
            };
            hash = parent;
        }
        for block in new.into_iter().rev() {
            let hash = block["hash"].as_str().unwrap_or_default().to_owned();
            let time = block["time"].as_u64().unwrap_or_default();
            let status = json!({"confirmed": true, "block_height": self.blocks.len(), "block_hash": hash, "block_time": time});
            let transactions = list(&block["tx"]).iter().map(|tx| self.form(tx, &status)).collect();
            self.blocks.push(Block { hash, time, transactions });
        }
        let ids = self.node.call("", "getrawmempool", &json!([]));
        let waiting = list(&ids).iter().filter_map(|id| self.raw(id.as_str()?));
        let waiting: Vec<Value> = waiting.collect();
        self.waiting = waiting.iter().map(|tx| self.form(tx, &json!({"confirmed": false}))).collect();
    }

    /// As a server that lacks the newest block, until the next refresh.
    pub(super) fn step_back(&mut self) {
        let newest = self.blocks.pop();
        for mut transaction in newest.into_iter().flat_map(|block| block.transactions) {
            if transaction["vin"][0]["is_coinbase"] != true {
                transaction["status"] = json!({"confirmed": false});
                self.waiting.push(transaction);
            }
        }
    }

    fn raw(&mut self, id: &str) -> Option<Value> {
        if let Some(known) = self.seen.get(id) {
            return Some(known.clone());
        }
        let found = self.node.try_call("", "getrawtransaction", &json!([id, true])).ok()?;
        self.seen.insert(id.to_owned(), found.clone());
        Some(found)
    }

    fn form(&mut self, tx: &Value, status: &Value) -> Value {
        let vout: Vec<Value> = list(&tx["vout"]).iter().map(output).collect();
        let mut vin = Vec::new();
        for input in list(&tx["vin"]) {
            let previous = input["txid"].as_str().and_then(|id| self.raw(id));
            let prevout = previous.map(|previous| output(&previous["vout"][index(&input["vout"])]));
            let is_coinbase = input["coinbase"].is_string();
            vin.push(json!({
                "txid": input["txid"].as_str().map_or_else(|| "0".repeat(64), str::to_owned),
                "vout": input["vout"].as_u64().unwrap_or(0xffff_ffff),
                "prevout": prevout, "scriptsig": input["scriptSig"]["hex"], "scriptsig_asm": input["scriptSig"]["asm"],
                "witness": input["txinwitness"], "is_coinbase": is_coinbase, "sequence": input["sequence"],
            }));
        }
        let sum = |outputs: &mut dyn Iterator<Item = &Value>| {
            outputs.filter_map(|output| output["value"].as_u64()).sum::<u64>()
        };
        let (inputs, outputs) = (sum(&mut vin.iter().map(|input| &input["prevout"])), sum(&mut vout.iter()));
        json!({
            "txid": tx["txid"], "version": tx["version"], "locktime": tx["locktime"], "size": tx["size"],
            "weight": tx["weight"], "fee": inputs.saturating_sub(outputs), "vin": vin, "vout": vout, "status": status,
        })
    }

    pub(super) fn height(&self) -> usize {
        self.blocks.len() - 1
    }

    pub(super) fn hash_at(&self, height: usize) -> Option<String> {
        self.blocks.get(height).map(|block| block.hash.clone())
    }

    pub(super) fn block(&self, hash: &str) -> Option<Value> {
        let height = self.blocks.iter().position(|block| block.hash == hash)?;
        let block = &self.blocks[height];
        let previous = height.checked_sub(1).and_then(|below| self.hash_at(below));
        Some(json!({
            "id": hash, "height": height, "timestamp": block.time, "tx_count": block.transactions.len(),
            "previousblockhash": previous,
        }))
    }

    /// The memory pool, then from the newest block down.
    fn all(&self) -> impl Iterator<Item = &Value> {
        self.waiting.iter().chain(self.mined())
    }

    fn mined(&self) -> impl Iterator<Item = &Value> {
        self.blocks.iter().rev().flat_map(|block| block.transactions.iter().rev())
    }

    pub(super) fn transaction(&self, id: &str) -> Option<Value> {
        self.all().find(|tx| tx["txid"] == id).cloned()
    }

    pub(super) fn hex(&mut self, id: &str) -> Option<String> {
        self.transaction(id)?;
        Some(self.raw(id)?["hex"].as_str()?.to_owned())
    }

    /// electrs does not look whether the output exists.
    pub(super) fn outspend(&self, id: &str, output: &str) -> Value {
        let spends =
            |input: &Value| input["txid"] == id && output.parse::<u64>().is_ok_and(|at| input["vout"] == at);
        let spender = self.all().find(|tx| list(&tx["vin"]).iter().any(spends));
        spender.map_or_else(
            || json!({"spent": false}),
            |spender| json!({"spent": true, "txid": spender["txid"], "status": spender["status"]}),
        )
    }

    /// Waiting transactions, and those in blocks.
    pub(super) fn of_address(&self, address: &str) -> (Vec<Value>, Vec<Value>) {
        let is_of = |output: &Value| output["scriptpubkey_address"] == address;
        let concerns = |tx: &&Value| {
            list(&tx["vout"]).iter().any(is_of)
                || list(&tx["vin"]).iter().any(|input| is_of(&input["prevout"]))
        };
        let found = |all: &mut dyn Iterator<Item = &Value>| all.filter(concerns).cloned().collect();
        (found(&mut self.waiting.iter()), found(&mut self.mined()))
    }

    pub(super) fn is_valid(&self, address: &str) -> bool {
        self.node.call("", "validateaddress", &json!([address]))["isvalid"] == true
    }

    /// Empty while the node has none, as on regtest.
    pub(super) fn fee_estimates(&self) -> Value {
        let estimate = self.node.call("", "estimatesmartfee", &json!([6]));
        estimate["feerate"].as_f64().map_or_else(|| json!({}), |rate| json!({"6": rate * 100_000.0}))
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn index(value: &Value) -> usize {
    value.as_u64().and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX)
}

fn output(output: &Value) -> Value {
    let script = &output["scriptPubKey"];
    let coins = output["value"].as_f64().map(|value| format!("{value:.8}"));
    let atoms = coins.and_then(|text| Amount::parse(&text, 8).ok()).map_or(0, Amount::atoms);
    let atoms = u64::try_from(atoms).unwrap_or(u64::MAX);
    let mut form = json!({
        "scriptpubkey": script["hex"], "scriptpubkey_asm": script["asm"], "scriptpubkey_type": script["type"], "value": atoms,
    });
    // Litecoin Core writes a list.
    let address = script["address"].as_str().or_else(|| script["addresses"][0].as_str());
    if let Some(address) = address {
        form["scriptpubkey_address"] = json!(address);
    }
    form
}
