//! The logs of token contracts in blocks.
//!
//! `eth_getLogs` has them with few requests. Where its answer is empty although the block's bloom filter allows logs, is refused
//! for its size, or is odd, the receipts of the block are read. A node that lags answers with an empty list instead of an error
//! (Besu #8007, Reth #7371, go-ethereum #26098).

use std::collections::BTreeSet;

use alloy_primitives::{Address, B256};
use serde_json::Value;

use crate::node::Node;
use crate::node::answers::{Log, Receipt};
use crate::node::block::Block;
use crate::tokens::{self, TRANSFER};
use checkout_chain_http::NodeError;

/// Those of one block, each with its transaction, and the transactions whose logs are not known.
#[derive(Debug, Default)]
pub(super) struct Logs {
    pub(super) found: Vec<(B256, Log)>,
    pub(super) unknown: Vec<(B256, &'static str)>,
}

pub(super) async fn of_blocks(
    node: &Node,
    blocks: &[Block],
    contracts: &[Address],
) -> Result<Vec<Logs>, NodeError> {
    let hashes: Vec<B256> = blocks.iter().map(|block| block.hash).collect();
    let answers = node.logs(&hashes, contracts, TRANSFER).await?;
    let mut all = Vec::with_capacity(blocks.len());
    for (block, answer) in blocks.iter().zip(answers) {
        let may_have = block.may_have(contracts, TRANSFER);
        let read = answer.map_err(|error| error.to_string()).and_then(|logs| read(block, contracts, logs));
        all.push(match read {
            Ok(found) if !found.is_empty() || !may_have => Logs { found, ..Logs::default() },
            Err(_) if !may_have => Logs::default(),
            answer => {
                let of_receipts = of_receipts(node, block, contracts).await?;
                let why = answer.err().or((!of_receipts.found.is_empty()).then(|| "it has none".to_owned()));
                if let Some(why) = why {
                    tracing::warn!(
                        block = block.number,
                        why,
                        "the logs of a block are read from its receipts"
                    );
                }
                of_receipts
            }
        });
    }
    Ok(all)
}

/// Fails if one log is not what was asked for: then others can be missing.
fn read(block: &Block, contracts: &[Address], answer: Vec<Value>) -> Result<Vec<(B256, Log)>, String> {
    let mut logs: Vec<(B256, Log)> = Vec::with_capacity(answer.len());
    let mut numbers = BTreeSet::new();
    for log in answer {
        let log: Log = serde_json::from_value(log).map_err(|error| error.to_string())?;
        let Some(transaction) = log.transaction_hash else {
            return Err("a log without transaction".to_owned());
        };
        if log.block_hash != Some(block.hash) || log.removed == Some(true) {
            return Err("a log of another block".to_owned());
        }
        if !contracts.contains(&log.address) || tokens::read_transfer(&log).is_none() {
            return Err("a log of another contract or form".to_owned());
        }
        let Some(number) = log.log_index else { return Err("a log without index".to_owned()) };
        // Listed twice.
        if numbers.insert((transaction, number))
            || !logs.iter().any(|(_, other)| other.content() == log.content())
        {
            logs.push((transaction, log));
        }
    }
    logs.sort_by_key(|(_, log)| log.log_index);
    Ok(logs)
}

async fn of_receipts(node: &Node, block: &Block, contracts: &[Address]) -> Result<Logs, NodeError> {
    let receipts = receipts(node, block).await?;
    let mut logs = Logs::default();
    for hash in block.hashes.iter().flatten() {
        let Some(receipt) = receipts.iter().find(|receipt| receipt.transaction_hash == *hash) else {
            logs.unknown.push((*hash, "the node has no logs of the block, and no receipt of it"));
            continue;
        };
        for log in &receipt.logs {
            match log {
                Some(log) if contracts.contains(&log.address) && log.topics.first() == Some(&TRANSFER) => {
                    logs.found.push((*hash, log.clone()));
                }
                Some(_) => {}
                None => logs.unknown.push((*hash, "a log of its receipt cannot be read")),
            }
        }
    }
    logs.unknown.dedup();
    Ok(logs)
}

/// Those that the node has, from one answer, or else from one for each transaction.
async fn receipts(node: &Node, block: &Block) -> Result<Vec<Receipt>, NodeError> {
    let mut receipts = match node.block_receipts(block.hash).await {
        Err(error) if error.is_limit() => return Err(error),
        answer => answer.unwrap_or_default(),
    };
    receipts.retain(|receipt| receipt.block_hash == block.hash);
    let known: BTreeSet<B256> = receipts.iter().map(|receipt| receipt.transaction_hash).collect();
    let missing: Vec<B256> =
        block.hashes.iter().flatten().filter(|hash| !known.contains(*hash)).copied().collect();
    for answer in node.receipts(&missing).await? {
        receipts.extend(answer.ok().flatten().filter(|receipt| receipt.block_hash == block.hash));
    }
    Ok(receipts)
}
