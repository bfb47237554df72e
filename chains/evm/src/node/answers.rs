//! The parts of a node's answers that are read (execution API specification,
//! <https://github.com/ethereum/execution-apis>).

use alloy_primitives::{Address, B256, Bloom, BloomInput, Bytes, U64, U256};
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    pub hash: B256,
    pub number: U64,
    pub timestamp: U64,
    /// `None` on a chain without EIP-1559.
    pub base_fee_per_gas: Option<U256>,
}

impl Header {
    pub fn height(&self) -> u64 {
        self.number.to()
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    pub hash: B256,
    pub parent_hash: B256,
    pub number: U64,
    pub timestamp: U64,
    /// The bloom filter of the block's logs; `None` on a chain without it.
    pub logs_bloom: Option<Bloom>,
    pub transactions: Vec<Transaction>,
}

impl Block {
    /// Whether the block can have a log of one of these contracts with this topic. Many blocks can have one, and have none.
    pub fn may_have(&self, contracts: &[Address], topic: B256) -> bool {
        let has =
            |bytes: &[u8]| self.logs_bloom.is_none_or(|bloom| bloom.contains_input(BloomInput::Raw(bytes)));
        !self.transactions.is_empty()
            && has(topic.as_slice())
            && contracts.iter().any(|contract| has(contract.as_slice()))
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Transaction {
    pub hash: B256,
    pub from: Address,
    /// `None` for the creation of a contract.
    pub to: Option<Address>,
    pub value: U256,
}

/// A transaction looked up by hash.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenTransaction {
    /// `None` for the creation of a contract.
    pub to: Option<Address>,
    #[serde(default)]
    pub value: U256,
    #[serde(default)]
    pub input: Bytes,
    /// `None` while it is pending.
    pub block_hash: Option<B256>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Log {
    pub address: Address,
    pub topics: Vec<B256>,
    pub data: Bytes,
    pub block_hash: Option<B256>,
    pub transaction_hash: Option<B256>,
    /// Its index among the block's logs.
    pub log_index: Option<U64>,
    #[serde(default)]
    pub removed: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub transaction_hash: B256,
    pub block_hash: B256,
    pub block_number: U64,
    /// The sender of the transaction.
    pub from: Address,
    /// 1 succeeded, 0 reverted.
    pub status: U64,
    pub gas_used: U64,
    pub effective_gas_price: Option<U256>,
    /// For data on Ethereum, besides gas; on chains of the OP Stack.
    pub l1_fee: Option<U256>,
    pub logs: Vec<Log>,
}

impl Receipt {
    pub fn succeeded(&self) -> bool {
        self.status.to::<u64>() == 1
    }

    /// The transaction's cost for its sender, in wei.
    pub fn fee(&self) -> U256 {
        let gas = U256::from(self.gas_used.to::<u64>());
        let gas = gas.saturating_mul(self.effective_gas_price.unwrap_or_default());
        gas.saturating_add(self.l1_fee.unwrap_or_default())
    }
}
