//! A small chain: blocks with transactions and their logs, and transactions that wait.

use std::sync::LazyLock;

use sha3::{Digest as _, Keccak256};

use crate::Fault;
use crate::hostile::{Hostile, Row};

/// `Transfer(address,address,uint256)`
pub const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

#[derive(Clone, Debug)]
pub struct Log {
    /// The contract.
    pub address: String,
    pub topics: Vec<String>,
    pub data: String,
}

/// A call that a contract makes.
#[derive(Clone, Debug)]
pub struct Call {
    pub from: String,
    pub to: String,
    pub wei: u128,
    /// Bytes.
    pub input: usize,
    pub calls: Vec<Call>,
}

#[derive(Clone, Debug, Default)]
pub struct Transaction {
    pub hash: String,
    pub from: String,
    pub to: String,
    pub wei: u128,
    pub logs: Vec<Log>,
    pub calls: Vec<Call>,
    pub failed: bool,
    /// That of a message from Ethereum on a rollup; 0: an account signed it.
    pub message_type: u8,
}

impl Transaction {
    pub(super) fn payer(&self) -> String {
        // The account of the payouts, whose signature is not read.
        if self.from.is_empty() { format!("0x{:040}", 0) } else { self.from.clone() }
    }

    /// What every transaction costs, and more for one that runs code.
    pub fn gas(&self) -> u64 {
        if self.logs.is_empty() && self.calls.is_empty() { 21_000 } else { 90_000 }
    }
}

#[derive(Clone, Debug)]
pub struct Block {
    pub number: u64,
    pub time: u64,
    pub hash: String,
    pub transactions: Vec<Transaction>,
}

/// Those that every chain starts with.
static FIRST: LazyLock<Vec<Block>> = LazyLock::new(|| {
    let first = |number| Block::new(number, 1_800_000_000 + number, Vec::new());
    (0..=400).map(first).collect()
});

#[derive(Clone, Debug)]
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
    pub hostile: Hostile,
    /// The transaction whose answers are odd.
    pub(super) odd: Option<String>,
    /// The blocks that another server behind the same URL has.
    pub(super) elsewhere: usize,
    /// Several servers stand behind the URL: each call is answered by another one. A seed; 0 for a single server.
    pub flips: u64,
    made: u64,
}

impl Chain {
    pub(super) fn new(chain_id: u64) -> Self {
        Self {
            chain_id,
            blocks: FIRST.clone(),
            pending: Vec::new(),
            nonce: 0,
            requests: 0,
            fault: Fault::None,
            lacks_logs: 0,
            lacks_receipts: false,
            hostile: Hostile::default(),
            odd: None,
            elsewhere: 0,
            flips: 0,
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

    /// A contract that moves coins, for the next block. Returns the hash.
    pub fn call(&mut self, from: &str, calls: Vec<Call>) -> String {
        let contract = calls.first().map_or_else(String::new, |call| call.from.clone());
        let hash = self.put(from, &contract, 0, Vec::new());
        self.pending.last_mut().expect("it waits").calls = calls;
        hash
    }

    /// A transaction for the next block. Returns the hash.
    pub fn put(&mut self, from: &str, to: &str, wei: u128, logs: Vec<Log>) -> String {
        self.made += 1;
        let hash = hash(format!("transaction {}", self.made).as_bytes());
        let (from, to) = (from.to_ascii_lowercase(), to.to_ascii_lowercase());
        self.pending.push(Transaction { hash: hash.clone(), from, to, wei, logs, ..Transaction::default() });
        hash
    }

    /// From now on the answers about this transaction are odd.
    pub fn arm(&mut self, row: Row, transaction: &str) {
        self.hostile.arm(row, transaction);
        (self.odd, self.elsewhere) = (Some(transaction.to_owned()), self.blocks.len());
    }

    pub fn disarm(&mut self) {
        self.hostile.disarm();
        self.odd = None;
    }

    /// The last blocks are abandoned. What was in them waits again.
    pub fn reorganise(&mut self, depth: usize) {
        let from = self.blocks.len().saturating_sub(depth);
        let abandoned = self.blocks.split_off(from);
        self.pending.splice(0..0, abandoned.into_iter().flat_map(|block| block.transactions));
    }

    /// The next of several servers: this one, one that lags, or one on a fork. `None`: this one.
    pub(super) fn flip(&mut self) -> Option<Self> {
        if self.flips == 0 {
            return None;
        }
        for shift in [13_i32, -7, 17] {
            let turned = if shift > 0 { self.flips << shift } else { self.flips >> -shift };
            self.flips ^= turned;
        }
        self.elsewhere = self.blocks.len() - 1 - usize::try_from(self.flips >> 8 & 3).unwrap_or(0);
        match self.flips % 8 {
            0 | 1 => Some(self.behind()),
            2 => Some(self.forked()),
            _ => None,
        }
    }

    /// Another server, which lags.
    pub(super) fn behind(&self) -> Self {
        let mut other = self.clone();
        other.blocks.truncate(self.elsewhere);
        other
    }

    /// Another server, which has other blocks with the same transactions.
    pub(super) fn forked(&self) -> Self {
        let mut other = self.clone();
        for block in other.blocks.iter_mut().skip(self.elsewhere) {
            *block = Block::new(block.number, block.time + 1, std::mem::take(&mut block.transactions));
        }
        other
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

    /// That of an empty list, or a mark: proofs are not asked for.
    pub fn root(&self, of: &str) -> String {
        // Yellow Paper, appendix D.
        const EMPTY: &str = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
        if self.transactions.is_empty() {
            EMPTY.to_owned()
        } else {
            hash(format!("{of} {}", self.hash).as_bytes())
        }
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
