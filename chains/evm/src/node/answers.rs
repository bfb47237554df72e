//! The parts of a node's answers that are read (execution API specification,
//! <https://github.com/ethereum/execution-apis>).

use alloy_primitives::{Address, B256, Bytes, U64, U256};
use serde::Deserialize;

use super::block::PLAIN_GAS;
use super::lenient::{each, lenient};

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    pub hash: B256,
    pub number: U64,
    pub timestamp: U64,
    /// `None` on a chain without EIP-1559.
    #[serde(default, deserialize_with = "lenient")]
    pub base_fee_per_gas: Option<U256>,
}

impl Header {
    pub fn height(&self) -> u64 {
        self.number.to()
    }
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
    /// The limit.
    #[serde(default, deserialize_with = "lenient")]
    gas: Option<U64>,
    #[serde(rename = "type", default, deserialize_with = "lenient")]
    kind: Option<U64>,
}

/// The highest type of a transaction that an account signs (EIP-7702). Messages from Ethereum to a rollup have higher ones.
const SIGNED: u64 = 4;

impl SeenTransaction {
    /// Whether the account that it names as its sender signed it.
    pub fn is_signed(&self) -> bool {
        self.kind.is_none_or(|kind| kind.to::<u64>() <= SIGNED)
    }

    /// Whether it has no more gas than a transfer costs, and so runs no code.
    pub fn is_plain(&self) -> bool {
        self.gas.is_some_and(|gas| gas.to::<u64>() == PLAIN_GAS)
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Log {
    pub address: Address,
    pub topics: Vec<B256>,
    pub data: Bytes,
    #[serde(default, deserialize_with = "lenient")]
    pub block_hash: Option<B256>,
    #[serde(default, deserialize_with = "lenient")]
    pub transaction_hash: Option<B256>,
    /// Its index among the block's logs. Servers number differently.
    #[serde(default, deserialize_with = "lenient")]
    pub log_index: Option<U64>,
    #[serde(default, deserialize_with = "lenient")]
    pub removed: Option<bool>,
}

impl Log {
    /// What all servers tell alike.
    pub fn content(&self) -> (Address, &[B256], &Bytes) {
        (self.address, &self.topics, &self.data)
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub transaction_hash: B256,
    pub block_hash: B256,
    pub block_number: U64,
    /// 1 succeeded, 0 reverted.
    #[serde(default, deserialize_with = "lenient")]
    status: Option<U64>,
    #[serde(default, deserialize_with = "lenient")]
    pub gas_used: Option<U64>,
    #[serde(default, deserialize_with = "lenient")]
    pub effective_gas_price: Option<U256>,
    /// For data on Ethereum, besides gas; on chains of the OP Stack.
    #[serde(default, deserialize_with = "lenient")]
    pub l1_fee: Option<U256>,
    /// In the order of the block; `None` for one that cannot be read.
    #[serde(default, deserialize_with = "each")]
    pub logs: Vec<Option<Log>>,
}

impl Receipt {
    /// Whether the transaction succeeded. `None` if the node does not tell it.
    pub fn outcome(&self) -> Option<bool> {
        match self.status?.to::<u64>() {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub fn succeeded(&self) -> bool {
        self.outcome() == Some(true)
    }

    /// The transaction's cost for its sender, in wei; 0 as far as the node does not tell it.
    pub fn fee(&self) -> U256 {
        let gas = U256::from(self.gas_used.map_or(0, |gas| gas.to::<u64>()));
        let gas = gas.saturating_mul(self.effective_gas_price.unwrap_or_default());
        gas.saturating_add(self.l1_fee.unwrap_or_default())
    }
}
