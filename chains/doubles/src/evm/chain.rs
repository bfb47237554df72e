//! A small chain: blocks with transactions and their logs, and transactions that wait.

use sha3::{Digest as _, Keccak256};

use crate::Fault;

/// `Transfer(address,address,uint256)`
pub const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

#[derive(Clone, Debug)]
pub struct Log {
    /// The contract.
    pub address: String,
    pub topics: Vec<String>,
    pub data: String,
}

#[derive(Clone, Debug)]
pub struct Transaction {
    pub hash: String,
    pub from: String,
    pub to: String,
    pub wei: u128,
    pub logs: Vec<Log>,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub number: u64,
    pub time: u64,
    pub hash: String,
    pub transactions: Vec<Transaction>,
}

#[derive(Debug)]
pub struct Chain {
    pub chain_id: u64,
    /// By height.
    pub blocks: Vec<Block>,
    /// In no block.
    pub pending: Vec<Transaction>,
    /// Of the account of the payouts.
    pub nonce: u64,
    pub requests: u64,
    pub fault: Fault,
    /// So many answers to `eth_getLogs` are empty.
    pub lacks_logs: u32,
    /// Receipts are missing, too.
    pub lacks_receipts: bool,
    made: u64,
}

impl Chain {
    pub(super) fn new(chain_id: u64) -> Self {
        let first = |number| Block::new(number, 1_800_000_000 + number, Vec::new());
        Self {
            chain_id,
            blocks: (0..=400).map(first).collect(),
            pending: Vec::new(),
            nonce: 0,
            requests: 0,
            fault: Fault::None,
            lacks_logs: 0,
            lacks_receipts: false,
            made: 0,
        }
    }

    /// Mines what waits.
    pub fn mine(&mut self, time: u64) {
        let transactions = std::mem::take(&mut self.pending);
        self.blocks.push(Block::new(self.blocks.len() as u64, time, transactions));
    }

    /// A transfer of a token, for the next block. Returns the hash.
    pub fn transfer(&mut self, contract: &str, from: &str, to: &str, value: u128) -> String {
        let word =
            |address: &str| format!("0x{:0>64}", address.trim_start_matches("0x").to_ascii_lowercase());
        let log = Log {
            address: contract.to_ascii_lowercase(),
            topics: vec![TRANSFER.to_owned(), word(from), word(to)],
            data: format!("0x{value:064x}"),
        };
        self.put(from, contract, 0, vec![log])
    }

    /// A transaction for the next block. Returns the hash.
    pub fn put(&mut self, from: &str, to: &str, wei: u128, logs: Vec<Log>) -> String {
        self.made += 1;
        let hash = hash(format!("transaction {}", self.made).as_bytes());
        let (from, to) = (from.to_ascii_lowercase(), to.to_ascii_lowercase());
        self.pending.push(Transaction { hash: hash.clone(), from, to, wei, logs });
        hash
    }

    pub fn head(&self) -> &Block {
        self.blocks.last().expect("a chain has a first block")
    }
}

impl Block {
    fn new(number: u64, time: u64, transactions: Vec<Transaction>) -> Self {
        let hash = hash(format!("block {number} of {time}").as_bytes());
        Self { number, time, hash, transactions }
    }

    /// Yellow Paper, section 4.3.1: three bits of each contract and topic.
    pub fn bloom(&self) -> String {
        let mut bloom = [0_u8; 256];
        let logs = self.transactions.iter().flat_map(|transaction| &transaction.logs);
        for text in logs.flat_map(|log| log.topics.iter().chain([&log.address])) {
            let digest = Keccak256::digest(hex::decode(&text[2..]).expect("logs are hexadecimal"));
            for pair in digest[..6].chunks(2) {
                let bit = usize::from(u16::from_be_bytes([pair[0], pair[1]])) & 2047;
                bloom[255 - bit / 8] |= 1 << (bit % 8);
            }
        }
        format!("0x{}", hex::encode(bloom))
    }
}

pub fn hash(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(Keccak256::digest(bytes)))
}
