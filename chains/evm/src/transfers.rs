//! Finds the transfers to watched addresses in a range of blocks.
//!
//! The index of a transfer depends only on its transaction, so it stays the same when a reorganisation moves
//! the transaction to another block: 0 is the transaction's own value; 1 + n its n-th log; 2³¹ + n the n-th
//! native transfer that contracts made in it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use alloy_primitives::{Address, B256, U256};
use checkout_core::{Amount, Currency, Network, Pair};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::watched_addresses::WatchedAddresses;

use crate::node::Node;
use crate::node::answers::{Block, Log, Receipt};
use crate::settings::{InternalTransfers, Settings};
use crate::{tokens, traces};
use checkout_chain_http::NodeError;

const FIRST_LOG: u32 = 1;
/// From this index on: native transfers that contracts made.
pub(crate) const FIRST_MOVE: u32 = 1 << 31;

/// Native coins of this family have 18 decimals.
pub(crate) const COIN_DECIMALS: u8 = 18;

pub(crate) struct Reader {
    pub(crate) node: Arc<Node>,
    network: Network,
    pub(crate) native: Option<&'static Pair>,
    internal_transfers: InternalTransfers,
    pub(crate) tokens: BTreeMap<Address, &'static Pair>,
    watched: Arc<dyn WatchedAddresses>,
    gas_account: Option<Address>,
}

/// A transfer before its recipient is looked up.
struct Candidate {
    height: u64,
    block: B256,
    seen_at: u64,
    transaction: B256,
    position: TransferPosition,
    currency: Currency,
    from: Address,
    to: Address,
    value: U256,
}

enum TransferPosition {
    Index(u32),
    /// A log, by its index in the block.
    Log(u64),
}

impl Reader {
    pub(crate) fn new(node: Arc<Node>, settings: &Settings, watched: Arc<dyn WatchedAddresses>) -> Self {
        Self {
            node,
            network: settings.network,
            native: settings.native(),
            internal_transfers: settings.internal_transfers,
            tokens: settings.token_pairs().map(|(pair, contract)| (contract, pair)).collect(),
            watched,
            gas_account: settings.gas_account,
        }
    }

    /// Returns transfers with the heights of their blocks; all are `Unconfirmed`.
    pub(crate) async fn transfers(&self, blocks: &[Block]) -> Result<Vec<(u64, Transfer)>, ChainError> {
        let mut candidates = Vec::new();
        if let Some(pair) = self.native {
            for block in blocks {
                self.native_transfers(block, pair.currency, &mut candidates).await?;
            }
        }
        self.token_transfers(blocks, &mut candidates).await?;
        let from_us = |candidate: &Candidate| self.gas_account == Some(candidate.from);
        candidates.retain(|candidate| !candidate.value.is_zero() && !from_us(candidate));
        let ours = self.ours(&candidates).await?;
        candidates.retain(|candidate| ours.contains(&candidate.to));
        let receipts = self.receipts(&candidates).await?;
        let mut found = Vec::new();
        for candidate in &candidates {
            let receipt = &receipts[&candidate.transaction];
            if let Some(transfer) = self.transfer(candidate, receipt)? {
                found.push((candidate.height, transfer));
            }
        }
        Ok(found)
    }

    async fn native_transfers(
        &self,
        block: &Block,
        currency: Currency,
        found: &mut Vec<Candidate>,
    ) -> Result<(), NodeError> {
        let mut add = |transaction, position, from, to, value| {
            let (height, seen_at) = (block.number.to(), block.timestamp.to());
            let block = block.hash;
            found.push(Candidate {
                height,
                block,
                seen_at,
                transaction,
                position,
                currency,
                from,
                to,
                value,
            });
        };
        for transaction in &block.transactions {
            if let Some(to) = transaction.to {
                add(transaction.hash, TransferPosition::Index(0), transaction.from, to, transaction.value);
            }
        }
        for moved in traces::moves(&self.node, block, self.internal_transfers).await? {
            let position = TransferPosition::Index(FIRST_MOVE.saturating_add(moved.position));
            add(moved.transaction, position, moved.from, moved.to, moved.value);
        }
        Ok(())
    }

    /// Only logs of listed contracts: any contract can emit the same log.
    async fn token_transfers(&self, blocks: &[Block], found: &mut Vec<Candidate>) -> Result<(), NodeError> {
        if self.tokens.is_empty() {
            return Ok(());
        }
        let contracts: Vec<Address> = self.tokens.keys().copied().collect();
        let hashes: Vec<B256> = blocks.iter().map(|block| block.hash).collect();
        let logs = self.node.logs(&hashes, &contracts, tokens::TRANSFER).await?;
        for (block, mut logs) in blocks.iter().zip(logs) {
            if logs.is_empty() && block.may_have(&contracts, tokens::TRANSFER) {
                logs = self.logs_of_receipts(block, &contracts).await?;
            }
            for log in logs {
                if log.block_hash != Some(block.hash) || log.removed {
                    return Err(NodeError::malformed("eth_getLogs", "a log of another block"));
                }
                let (Some(pair), Some((from, to, value))) =
                    (self.tokens.get(&log.address), tokens::read_transfer(&log))
                else {
                    continue;
                };
                let (Some(transaction), Some(index)) = (log.transaction_hash, log.log_index) else {
                    return Err(NodeError::malformed("eth_getLogs", "a log without transaction or index"));
                };
                found.push(Candidate {
                    height: block.number.to(),
                    block: block.hash,
                    seen_at: block.timestamp.to(),
                    transaction,
                    position: TransferPosition::Log(index.to()),
                    currency: pair.currency,
                    from,
                    to,
                    value,
                });
            }
        }
        Ok(())
    }

    /// A node that lags can answer `eth_getLogs` with an empty list instead of an error (Besu #8007, Reth #7371, go-ethereum
    /// #26098). What the block's bloom filter allows is looked for in its receipts; a node that lacks one of them is asked
    /// again in the next round.
    async fn logs_of_receipts(&self, block: &Block, contracts: &[Address]) -> Result<Vec<Log>, NodeError> {
        let hashes: Vec<B256> = block.transactions.iter().map(|transaction| transaction.hash).collect();
        let mut logs = Vec::new();
        for receipt in self.node.receipts(&hashes).await? {
            match receipt {
                Some(receipt) if receipt.block_hash == block.hash => logs.extend(receipt.logs),
                _ => {
                    let why = format!("the node has no logs and not all receipts of block {}", block.number);
                    return Err(NodeError::malformed("eth_getLogs", why));
                }
            }
        }
        logs.retain(|log| contracts.contains(&log.address) && log.topics.first() == Some(&tokens::TRANSFER));
        if !logs.is_empty() {
            tracing::warn!(network = %self.network, block = %block.number, logs = logs.len(),
                "the node answered eth_getLogs without the logs that are in its receipts");
        }
        Ok(logs)
    }

    async fn ours(&self, candidates: &[Candidate]) -> Result<BTreeSet<Address>, ChainError> {
        let recipients: BTreeSet<Address> = candidates.iter().map(|candidate| candidate.to).collect();
        if recipients.is_empty() {
            return Ok(BTreeSet::new());
        }
        let texts: Vec<String> = recipients.iter().map(|address| address.to_checksum(None)).collect();
        let ours = self.watched.ours(self.network, &texts).await?;
        Ok(ours.iter().filter_map(|text| text.parse().ok()).collect())
    }

    async fn receipts(&self, candidates: &[Candidate]) -> Result<BTreeMap<B256, Receipt>, NodeError> {
        let blocks: BTreeMap<B256, B256> =
            candidates.iter().map(|candidate| (candidate.transaction, candidate.block)).collect();
        let hashes: Vec<B256> = blocks.keys().copied().collect();
        let receipts = self.node.receipts(&hashes).await?;
        let receipt = |(hash, receipt): (B256, Option<Receipt>)| match receipt {
            Some(receipt) if blocks.get(&hash) == Some(&receipt.block_hash) => Ok((hash, receipt)),
            // The chain was reorganised in the meantime, or another node answered.
            _ => Err(NodeError::malformed("eth_getTransactionReceipt", "it is of another block")),
        };
        hashes.into_iter().zip(receipts).map(receipt).collect()
    }

    /// Returns `None` for failed transfers and for amounts that overflow.
    fn transfer(&self, candidate: &Candidate, receipt: &Receipt) -> Result<Option<Transfer>, NodeError> {
        if !receipt.succeeded() {
            return Ok(None);
        }
        let index = match candidate.position {
            TransferPosition::Index(index) => index,
            TransferPosition::Log(position) => {
                let index = own_index(position, &receipt.logs);
                index.ok_or_else(|| {
                    NodeError::malformed("eth_getTransactionReceipt", "it lacks a log of the block")
                })?
            }
        };
        let Some(amount) = amount(candidate.value) else {
            tracing::error!(transaction = %candidate.transaction, "a transfer exceeds the largest amount and is not credited");
            return Ok(None);
        };
        Ok(Some(Transfer {
            output: OutputId { network: self.network, transaction: candidate.transaction.to_string(), index },
            currency: candidate.currency,
            amount,
            to: candidate.to.to_checksum(None),
            tag: None,
            from: candidate.from.to_checksum(None),
            from_tag: None,
            other_senders: Vec::new(),
            fee: amount_text(receipt.fee()),
            seen_at: candidate.seen_at,
            state: OutputState::Unconfirmed,
            uncertain: false,
        }))
    }
}

/// Returns the index in the transaction of the log with this index in the block.
fn own_index(position: u64, logs: &[Log]) -> Option<u32> {
    let own = logs.iter().position(|log| log.log_index.is_some_and(|index| index.to::<u64>() == position))?;
    FIRST_LOG.checked_add(u32::try_from(own).ok()?)
}

pub(crate) fn amount(value: U256) -> Option<Amount> {
    Amount::from_atoms(u128::try_from(value).ok()?).ok()
}

/// Converts wei to a decimal amount of the native coin.
pub(crate) fn amount_text(wei: U256) -> String {
    amount(wei).unwrap_or(Amount::MAX).to_text(COIN_DECIMALS)
}
