//! The answers of servers. JSON made from protocol buffers leaves out what is zero, empty or false.

use std::collections::BTreeMap;

use alloy_primitives::{B256, hex};
use serde::de::{DeserializeOwned, Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::calls::{CalledTransfer, read_call};
use checkout_chain_http::{Fields, NodeError};

#[derive(Clone, Debug, Deserialize)]
pub struct Block {
    #[serde(rename = "blockID")]
    pub id: B256,
    #[serde(rename = "block_header")]
    header: BlockHeader,
    transactions: Option<Box<RawValue>>,
}

#[derive(Clone, Debug, Deserialize)]
struct BlockHeader {
    raw_data: RawHeader,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawHeader {
    #[serde(default)]
    number: u64,
    #[serde(default)]
    parent_hash: B256,
    /// Milliseconds.
    #[serde(default, deserialize_with = "readable")]
    timestamp: Option<u64>,
    /// Zeros if it has no transactions.
    #[serde(default, deserialize_with = "readable")]
    tx_trie_root: Option<B256>,
}

/// The transactions of a block.
#[derive(Debug, Default)]
pub struct TransactionIds {
    pub ids: Vec<B256>,
    /// Places of those whose id cannot be read.
    pub odd: Vec<usize>,
    pub calls: BTreeMap<B256, CalledTransfer>,
}

impl Block {
    /// Fails if the list cannot be read, or is empty although its header has some.
    pub fn listed(&self) -> Result<TransactionIds, NodeError> {
        let wrong = || {
            let why = format!("the transactions of block {} cannot be read", self.number());
            NodeError::malformed("wallet/getblockbylimitnext", why)
        };
        let raw = self.transactions.as_ref().map_or("[]", |raw| raw.get());
        let entries: Vec<Box<RawValue>> = serde_json::from_str(raw).map_err(|_| wrong())?;
        if entries.is_empty() && self.header.raw_data.tx_trie_root.is_some_and(|root| !root.is_zero()) {
            return Err(wrong());
        }
        let mut listed = TransactionIds::default();
        for (place, entry) in entries.iter().enumerate() {
            let entry = Fields::of(entry).unwrap_or_default();
            let Ok(id) = entry.need("txID") else {
                listed.odd.push(place);
                continue;
            };
            if !listed.ids.contains(&id) {
                listed.ids.push(id);
                listed.calls.extend(read_call(&entry).map(|call| (id, call)));
            }
        }
        Ok(listed)
    }

    pub fn number(&self) -> u64 {
        self.header.raw_data.number
    }

    /// Whether its id, which begins with the number, is of the same height.
    pub fn is_numbered(&self) -> bool {
        self.id.starts_with(&self.number().to_be_bytes())
    }

    pub fn parent(&self) -> B256 {
        self.header.raw_data.parent_hash
    }

    /// UNIX milliseconds; 0 if they cannot be read.
    pub fn millis(&self) -> u64 {
        self.header.raw_data.timestamp.unwrap_or(0)
    }
}

/// What is not needed everywhere is `None` if it cannot be read.
fn readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).ok())
}

/// `{}` means that the item does not exist. Any other answer that lacks a field is an error.
#[derive(Debug)]
pub struct Found<T>(pub Option<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Found<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let fields = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(raw.get());
        if fields.is_ok_and(|fields| fields.is_empty()) {
            return Ok(Self(None));
        }
        serde_json::from_str(raw.get()).map(Some).map(Self).map_err(D::Error::custom)
    }
}

#[derive(Debug, Deserialize)]
pub struct Blocks {
    pub block: Vec<Block>,
}

/// The effects of a transaction in a block.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Info {
    pub id: B256,
    /// In sun.
    #[serde(default)]
    pub fee: u64,
    #[serde(default)]
    pub block_number: u64,
    #[serde(default)]
    pub block_time_stamp: u64,
    /// `FAILED`, or nothing; [`DONE`] where defaults are written.
    pub result: Option<String>,
    #[serde(default)]
    pub receipt: Receipt,
    #[serde(default)]
    pub log: Vec<Log>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct Receipt {
    /// Of a contract's execution: `SUCCESS`, `REVERT`, `OUT_OF_ENERGY` …; plain transfers have none.
    pub result: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Log {
    pub address: String,
    #[serde(default)]
    pub topics: Vec<B256>,
    #[serde(default)]
    pub data: String,
}

/// `code` of java-tron's `core/Tron.proto`, as it is spelled there.
pub(crate) const DONE: &str = "SUCESS";

pub(crate) const SUCCESS: &str = "SUCCESS";

impl Info {
    /// A contract ran to its end.
    pub fn is_success(&self) -> bool {
        !self.has_failed() && self.receipt.result.as_deref() == Some(SUCCESS)
    }

    /// It ran a contract that did not get to its end, or was refused. A plain transfer runs none.
    pub fn has_failed(&self) -> bool {
        let is_not = |said: &Option<String>, good| said.as_deref().is_some_and(|said| said != good);
        is_not(&self.result, DONE) || is_not(&self.receipt.result, SUCCESS)
    }

    pub fn outcome(&self) -> &str {
        self.receipt.result.as_deref().or(self.result.as_deref()).unwrap_or("no result")
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct AccountState {
    /// In sun.
    pub balance: u64,
    pub address: Option<String>,
    /// `Contract`, or nothing for the account of a person.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Resources {
    #[serde(rename = "freeNetLimit")]
    free_bandwidth: u64,
    #[serde(rename = "freeNetUsed")]
    free_bandwidth_used: u64,
    #[serde(rename = "NetLimit")]
    bandwidth: u64,
    #[serde(rename = "NetUsed")]
    bandwidth_used: u64,
    #[serde(rename = "EnergyLimit")]
    energy: u64,
    #[serde(rename = "EnergyUsed")]
    energy_used: u64,
}

impl Resources {
    /// Of the two stores of bandwidth a transaction uses one, not both.
    pub fn bandwidth(&self) -> u64 {
        let free = self.free_bandwidth.saturating_sub(self.free_bandwidth_used);
        free.max(self.bandwidth.saturating_sub(self.bandwidth_used))
    }

    pub fn energy(&self) -> u64 {
        self.energy.saturating_sub(self.energy_used)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Parameters {
    #[serde(rename = "chainParameter")]
    pub all: Vec<Parameter>,
}

#[derive(Debug, Deserialize)]
pub struct Parameter {
    pub key: String,
    #[serde(default)]
    pub value: i64,
}

/// A call of a contract that is not put on the chain.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Constant {
    pub result: CallResult,
    pub energy_used: u64,
    pub constant_result: Vec<String>,
    transaction: CallTransaction,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct CallResult {
    pub result: bool,
    pub code: Option<String>,
    message: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CallTransaction {
    ret: Vec<CallRet>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CallRet {
    ret: Option<String>,
}

impl Constant {
    /// The contract refused.
    pub fn is_reverted(&self) -> bool {
        self.result.result && self.transaction.ret.iter().any(|ret| ret.ret.as_deref() == Some("FAILED"))
    }

    pub fn message(&self) -> String {
        let code = self.result.code.clone().unwrap_or_else(|| "failed".to_owned());
        format!("{code}: {}", message(self.result.message.as_deref()))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Broadcast {
    pub result: bool,
    pub code: Option<String>,
    message: Option<String>,
}

impl Broadcast {
    pub fn message(&self) -> String {
        message(self.message.as_deref())
    }
}

/// Servers write messages in hexadecimal digits or as they are.
fn message(text: Option<&str>) -> String {
    let text = text.unwrap_or_default();
    let decoded = hex::decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers of the reference of java-tron, shortened.
    #[test]
    fn answers_of_the_documentation() {
        let header = r#"{"blockID": "0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e",
            "block_header": {"raw_data": {"number": 66987565,
            "txTrieRoot": "faf8fe3858339ead25cc892461c82a59b84dca4a51c45b026676bf3f45a352a2",
            "witness_address": "41b2f713d57dbcec679d93a8849fa0cd0e4db594ba",
            "parentHash": "0000000003fe262c85cd6b02033f4c3e5c1efa35de256a17bd906dc61fb1aeed",
            "version": 34, "timestamp": 1777445121000}, "witness_signature": "5b3c"}}"#;
        let block: Found<Block> = serde_json::from_str(header).unwrap();
        let block = block.0.unwrap();
        assert_eq!(
            (block.number(), block.millis(), block.listed().is_err()),
            (66_987_565, 1_777_445_121_000, true)
        );
        assert!(serde_json::from_str::<Found<Block>>("{}").unwrap().0.is_none());
        assert!(serde_json::from_str::<Found<Block>>(r#"{"blockID": 1}"#).is_err());
        let info = r#"{"id": "ff44a2823a870c12f12a4ca6e7647650356bc2bb5e02c5855312cf2db4c950c1", "fee": 267000,
            "blockNumber": 66987565, "blockTimeStamp": 1777445121000, "contractResult": [""], "receipt": {"net_fee": 267000}}"#;
        let info: Info = serde_json::from_str(info).unwrap();
        assert!(!info.is_success(), "a plain transfer ran no contract");
    }

    /// An empty list is left out, and only then has the header a root of zeros.
    #[test]
    fn a_list_of_transactions_that_contradicts_its_header_is_none() {
        let check = |root: &str, transactions: &str, expected: Option<(usize, &[usize])>| {
            let text = format!(
                r#"{{"blockID": "{0}", "block_header": {{"raw_data": {{"txTrieRoot": "{1}"}}}}{transactions}}}"#,
                "0".repeat(64),
                root.repeat(64)
            );
            let listed = serde_json::from_str::<Block>(&text).unwrap().listed().ok();
            let counts = listed.as_ref().map(|listed| (listed.ids.len(), &listed.odd[..]));
            assert_eq!(counts, expected, "{text}");
        };
        check("0", "", Some((0, &[])));
        check("7", "", None);
        check("7", r#", "transactions": null"#, None);
        check("7", r#", "transactions": {}"#, None);
        check("7", r#", "transactions": []"#, None);
        check("0", r#", "transactions": []"#, Some((0, &[])));
        check("7", r#", "transactions": [null, {}]"#, Some((0, &[0, 1])));
        let id = "ab".repeat(32);
        check("7", &format!(r#", "transactions": [{{"txID": "{id}"}}, {{"txID": 1e999}}]"#), Some((1, &[1])));
    }

    #[test]
    fn messages_are_read() {
        let check = |text: &str, expected: &str| assert_eq!(message(Some(text)), expected);
        check("436f6e747261637420", "Contract ");
        check("not hexadecimal", "not hexadecimal");
        check("", "");
    }
}
