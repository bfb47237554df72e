//! Typed requests to a node.

pub mod answers;
pub mod block;
mod lenient;

use alloy_primitives::{Address, B256, Bytes, U64, U256};
use checkout_chain_http::gate::Budget;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use self::answers::{Header, Receipt, SeenTransaction};
use self::block::Block;
use crate::rpc::error::is_unknown_block;
use crate::rpc::{Call, Rpc};
use checkout_chain_http::NodeError;

/// Blocks per read.
pub(crate) const BLOCKS: u64 = 20;

#[derive(Debug)]
pub struct Node {
    pub rpc: Rpc,
    chain_id: u64,
    /// Set once the node has confirmed its chain id.
    verified: OnceCell<()>,
}

/// An answer for each call of a batch.
pub type Answers<T> = Result<Vec<Result<T, NodeError>>, NodeError>;

/// A block by number or by tag.
#[derive(Clone, Copy, Debug)]
pub enum At {
    Number(u64),
    Latest,
    Safe,
    Finalized,
    Pending,
}

impl At {
    pub fn json(self) -> Value {
        match self {
            Self::Number(number) => json!(U64::from(number)),
            Self::Latest => json!("latest"),
            Self::Safe => json!("safe"),
            Self::Finalized => json!("finalized"),
            Self::Pending => json!("pending"),
        }
    }
}

impl Node {
    pub fn new(url: &str, chain_id: u64) -> Result<Self, String> {
        Ok(Self { rpc: Rpc::new(url)?, chain_id, verified: OnceCell::new() })
    }

    /// No more calls than this.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self { rpc: self.rpc.with_budget(budget), ..self }
    }

    /// No more calls in one request than this.
    #[must_use]
    pub fn with_batches_of(self, most: usize) -> Self {
        Self { rpc: self.rpc.with_batches_of(most), ..self }
    }

    pub fn chain_id(&self) -> u64 {
        self.chain_id
    }

    /// Fails if the node is on another chain than the configured one.
    pub async fn verify(&self) -> Result<(), NodeError> {
        let verify = || async {
            let found = self.rpc.call::<U64>("eth_chainId", json!([])).await?.to::<u64>();
            if found == self.chain_id {
                return Ok(());
            }
            let why = format!("the node is on chain {found}, and {} is configured", self.chain_id);
            Err(NodeError::malformed("eth_chainId", why))
        };
        self.verified.get_or_try_init(verify).await.copied()
    }

    pub async fn latest(&self) -> Result<Header, NodeError> {
        self.header(At::Latest).await?.ok_or_else(|| NodeError::malformed("eth_getBlockByNumber", "no block"))
    }

    /// Returns `None` if the node does not have the block.
    pub async fn header(&self, at: At) -> Result<Option<Header>, NodeError> {
        match self.rpc.call("eth_getBlockByNumber", json!([at.json(), false])).await {
            // Some nodes say so in words.
            Err(error) if is_unknown_block(&error) => Ok(None),
            answer => answer,
        }
    }

    /// Blocks from that of a receipt to the newest one, of which both must be where they say: one false height would make the
    /// transaction as deep as it likes. Of fewer than `awaited` blocks that is not asked.
    pub async fn depth(&self, receipt: &Receipt, awaited: u64) -> Result<u64, NodeError> {
        let latest = self.latest().await?;
        let (first, last): (u64, u64) = (receipt.block_number.to(), latest.height());
        let blocks = last.saturating_add(1).saturating_sub(first);
        if blocks < awaited {
            return Ok(blocks);
        }
        let found = self.headers(&[first, last]).await?;
        for (expected, header) in [receipt.block_hash, latest.hash].iter().zip(&found) {
            if header.as_ref().is_none_or(|header| header.hash != *expected) {
                let why = format!("block {expected} is not at its height, or not yet");
                return Err(NodeError::malformed("eth_getBlockByNumber", why));
            }
        }
        Ok(blocks)
    }

    /// Returns `None` if the node does not have the block.
    pub async fn headers(&self, numbers: &[u64]) -> Result<Vec<Option<Header>>, NodeError> {
        let call =
            |number: &u64| -> Call { ("eth_getBlockByNumber", json!([At::Number(*number).json(), false])) };
        self.rpc.all(&numbers.iter().map(call).collect::<Vec<_>>()).await
    }

    /// Returns blocks with their transactions.
    pub async fn blocks(&self, numbers: &[u64]) -> Answers<Option<Block>> {
        let call =
            |number: &u64| -> Call { ("eth_getBlockByNumber", json!([At::Number(*number).json(), true])) };
        self.rpc.batch(&numbers.iter().map(call).collect::<Vec<_>>()).await
    }

    pub async fn block(&self, hash: B256) -> Result<Option<Block>, NodeError> {
        match self.rpc.call("eth_getBlockByHash", json!([hash, true])).await {
            Err(error) if is_unknown_block(&error) => Ok(None),
            answer => answer,
        }
    }

    /// Returns the logs of each block with this first topic. Requests them by block hash: if the block has
    /// left the chain, the node returns an error, whereas a range of numbers would return the logs of other
    /// blocks.
    pub async fn logs(&self, blocks: &[B256], contracts: &[Address], topic: B256) -> Answers<Vec<Value>> {
        let call = |hash: &B256| -> Call {
            ("eth_getLogs", json!([{"blockHash": hash, "address": contracts, "topics": [topic]}]))
        };
        self.rpc.batch(&blocks.iter().map(call).collect::<Vec<_>>()).await
    }

    pub async fn logs_of(
        &self,
        block: B256,
        contracts: &[Address],
        topic: B256,
    ) -> Result<Vec<Value>, NodeError> {
        let answer = self.logs(&[block], contracts, topic).await?.pop();
        answer.unwrap_or_else(|| Err(NodeError::malformed("eth_getLogs", "no answer")))
    }

    /// Returns `None` if the node does not have a receipt.
    pub async fn receipts(&self, transactions: &[B256]) -> Answers<Option<Receipt>> {
        let call = |hash: &B256| -> Call { ("eth_getTransactionReceipt", json!([hash])) };
        self.rpc.batch(&transactions.iter().map(call).collect::<Vec<_>>()).await
    }

    /// All receipts of a block, each as far as it can be read.
    pub async fn block_receipts(&self, block: B256) -> Result<Vec<Receipt>, NodeError> {
        let all: Option<Vec<Value>> = self.rpc.call("eth_getBlockReceipts", json!([block])).await?;
        let read = |one| serde_json::from_value(one).ok();
        Ok(all.unwrap_or_default().into_iter().filter_map(read).collect())
    }

    /// An error for a receipt of another transaction, or one that does not say whether the transaction succeeded.
    pub async fn receipt(&self, transaction: B256) -> Result<Option<Receipt>, NodeError> {
        const METHOD: &str = "eth_getTransactionReceipt";
        let receipt: Option<Receipt> = self.rpc.call(METHOD, json!([transaction])).await?;
        match receipt {
            Some(other) if other.transaction_hash != transaction => {
                Err(NodeError::malformed(METHOD, "it is of another transaction"))
            }
            Some(receipt) if receipt.outcome().is_none() => {
                Err(NodeError::malformed(METHOD, "it has no status"))
            }
            receipt => Ok(receipt),
        }
    }

    /// Includes pending transactions.
    pub async fn transaction(&self, hash: B256) -> Result<Option<SeenTransaction>, NodeError> {
        self.rpc.call("eth_getTransactionByHash", json!([hash])).await
    }

    pub async fn balance(&self, account: Address, at: At) -> Result<U256, NodeError> {
        self.rpc.call("eth_getBalance", json!([account, at.json()])).await
    }

    /// Returns the code of an account; empty if it has none.
    pub async fn code(&self, account: Address, at: At) -> Result<Bytes, NodeError> {
        self.rpc.call("eth_getCode", json!([account, at.json()])).await
    }

    /// Returns the number of transactions that an account sent.
    pub async fn nonce(&self, account: Address, at: At) -> Result<u64, NodeError> {
        let count: U64 = self.rpc.call("eth_getTransactionCount", json!([account, at.json()])).await?;
        Ok(count.to())
    }

    pub async fn read_contract(&self, contract: Address, data: Bytes, at: At) -> Result<Bytes, NodeError> {
        self.rpc.call("eth_call", json!([{"to": contract, "data": data}, at.json()])).await
    }

    pub async fn send_raw(&self, bytes: &[u8]) -> Result<B256, NodeError> {
        self.rpc.call("eth_sendRawTransaction", json!([Bytes::copy_from_slice(bytes)])).await
    }
}
