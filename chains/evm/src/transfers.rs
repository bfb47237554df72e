//! Finds the transfers to watched addresses in a range of blocks.
//!
//! The index of a transfer depends only on its transaction, so it stays the same when a reorganisation moves
//! the transaction to another block: 0 is the transaction's own value; 1 + n its n-th log; 2³¹ + n the n-th
//! native transfer that contracts made in it.
//!
//! What one answer says is checked by another: a log by the receipt of its transaction. An entry about which they disagree, or
//! that cannot be read, is set aside.

mod candidates;
mod logs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use alloy_primitives::{Address, B256, U256};
use checkout_core::{Amount, Currency, Network, Pair};
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::watched_addresses::WatchedAddresses;

use self::candidates::{Candidate, TransferPosition};
use crate::node::Node;
use crate::node::answers::Receipt;
use crate::node::block::Block;
use crate::settings::{InternalTransfers, Settings};
use crate::traces::{self, Move, Traced};
use checkout_chain_http::NodeError;

const FIRST_LOG: u32 = 1;
/// From this index on: native transfers that contracts made.
pub(crate) const FIRST_MOVE: u32 = 1 << 31;

/// Native coins of this family have 18 decimals.
pub(crate) const COIN_DECIMALS: u8 = 18;

/// Parts of a transaction that can be set aside. An operator reads them.
pub(crate) const VALUE_AND_LOGS: &str = "value and logs";
pub(crate) const INTERNAL_TRANSFERS: &str = "internal transfers";

pub(crate) struct Reader {
    pub(crate) node: Arc<Node>,
    pub(crate) network: Network,
    pub(crate) native: Option<&'static Pair>,
    pub(crate) internal_transfers: InternalTransfers,
    pub(crate) tokens: BTreeMap<Address, &'static Pair>,
    watched: Arc<dyn WatchedAddresses>,
    gas_account: Option<Address>,
}

/// What blocks have.
#[derive(Default)]
pub(crate) struct Found {
    /// With the heights of their blocks; all are `Unconfirmed`.
    pub(crate) transfers: Vec<(u64, Transfer)>,
    pub(crate) set_aside: Vec<SetAside>,
    /// A node that lags may know more soon.
    pub(crate) may_lag: bool,
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

    pub(crate) async fn read(&self, blocks: &[Block]) -> Result<Found, ChainError> {
        let (mut found, mut candidates) = (Found::default(), Vec::new());
        for block in blocks {
            for odd in &block.odd {
                found.set_aside.push(self.aside(block, odd.name.clone(), VALUE_AND_LOGS, odd.why.clone()));
            }
            if let Some(pair) = self.native {
                values(block, pair.currency, &mut candidates);
                let Traced { moves, untraced } =
                    traces::of_block(&self.node, block, self.internal_transfers).await?;
                moved(block, pair.currency, moves, &mut candidates);
                for (transaction, why) in untraced {
                    found.set_aside.push(self.aside(block, transaction.to_string(), INTERNAL_TRANSFERS, why));
                }
            }
        }
        self.token_transfers(blocks, &mut candidates, &mut found).await?;
        self.complete(blocks, candidates, &mut found).await?;
        Ok(found)
    }

    /// The transfers that contracts made in one transaction.
    pub(crate) async fn internal(&self, block: &Block, moves: Vec<Move>) -> Result<Found, ChainError> {
        let (mut found, mut candidates) = (Found::default(), Vec::new());
        if let Some(pair) = self.native {
            moved(block, pair.currency, moves, &mut candidates);
        }
        self.complete(std::slice::from_ref(block), candidates, &mut found).await?;
        Ok(found)
    }

    /// Only logs of listed contracts: any contract can emit the same log.
    async fn token_transfers(
        &self,
        blocks: &[Block],
        candidates: &mut Vec<Candidate>,
        found: &mut Found,
    ) -> Result<(), NodeError> {
        if self.tokens.is_empty() {
            return Ok(());
        }
        let contracts: Vec<Address> = self.tokens.keys().copied().collect();
        for (block, logs) in blocks.iter().zip(logs::of_blocks(&self.node, blocks, &contracts).await?) {
            let first = candidates.len();
            for (transaction, log) in &logs.found {
                let Some(pair) = self.tokens.get(&log.address) else { continue };
                let candidate =
                    Candidate::of_log(block, (*transaction, log), pair.currency, &candidates[first..]);
                candidates.extend(candidate);
            }
            for (transaction, why) in logs.unknown {
                found.may_lag = true;
                found.set_aside.push(self.aside(
                    block,
                    transaction.to_string(),
                    VALUE_AND_LOGS,
                    why.to_owned(),
                ));
            }
        }
        Ok(())
    }

    /// Keeps the transfers to watched addresses whose transactions succeeded.
    async fn complete(
        &self,
        blocks: &[Block],
        mut candidates: Vec<Candidate>,
        found: &mut Found,
    ) -> Result<(), ChainError> {
        let from_us = |candidate: &Candidate| self.gas_account == Some(candidate.from);
        candidates.retain(|candidate| !candidate.value.is_zero() && !from_us(candidate));
        let ours = self.ours(&candidates).await?;
        candidates.retain(|candidate| ours.contains(&candidate.to));
        let receipts = self.receipts(&candidates).await?;
        for candidate in &candidates {
            match receipts.get(&candidate.transaction).map(|receipt| self.transfer(candidate, receipt)) {
                Some(Ok(transfer)) => found.transfers.extend(transfer.map(|one| (candidate.height, one))),
                other => {
                    let why = other.and_then(Result::err).unwrap_or("the node has no receipt of it");
                    let block = blocks.iter().find(|block| block.hash == candidate.block);
                    found.may_lag = true;
                    found.set_aside.extend(block.map(|block| {
                        self.aside(block, candidate.transaction.to_string(), candidate.part(), why.to_owned())
                    }));
                }
            }
        }
        found.set_aside.dedup_by(|one, other| {
            (&one.transaction, &one.part, &one.block) == (&other.transaction, &other.part, &other.block)
        });
        Ok(())
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

    /// Those that the node has, of the block in which the transfer was found.
    async fn receipts(&self, candidates: &[Candidate]) -> Result<BTreeMap<B256, Receipt>, NodeError> {
        let blocks: BTreeMap<B256, B256> =
            candidates.iter().map(|candidate| (candidate.transaction, candidate.block)).collect();
        let hashes: Vec<B256> = blocks.keys().copied().collect();
        let mut known = BTreeMap::new();
        let is_whole = |hash: &B256, receipt: &Receipt| {
            receipt.transaction_hash == *hash
                && blocks.get(hash) == Some(&receipt.block_hash)
                && receipt.outcome().is_some()
        };
        for (hash, answer) in hashes.iter().zip(self.node.receipts(&hashes).await?) {
            known.extend(
                answer
                    .ok()
                    .flatten()
                    .filter(|receipt| is_whole(hash, receipt))
                    .map(|receipt| (*hash, receipt)),
            );
        }
        // Another kind of answer can have what this one lacks.
        let lacking: BTreeSet<B256> =
            hashes.iter().filter(|hash| !known.contains_key(*hash)).map(|hash| blocks[hash]).collect();
        for block in lacking {
            match self.node.block_receipts(block).await {
                Err(error) if error.is_limit() => return Err(error),
                Err(_) => {}
                Ok(all) => {
                    let whole =
                        all.into_iter().filter(|receipt| is_whole(&receipt.transaction_hash, receipt));
                    known.extend(whole.map(|receipt| (receipt.transaction_hash, receipt)));
                }
            }
        }
        Ok(known)
    }

    /// Returns `None` for failed transfers and for amounts that overflow.
    fn transfer(&self, candidate: &Candidate, receipt: &Receipt) -> Result<Option<Transfer>, &'static str> {
        if !receipt.succeeded() {
            // Such a transaction has no logs, and its contracts move nothing.
            return match candidate.position {
                TransferPosition::Index(0) => Ok(None),
                _ => Err("its receipt says that it failed, and another answer what it moved"),
            };
        }
        let index = match &candidate.position {
            TransferPosition::Index(index) => *index,
            TransferPosition::Log(content, number) => {
                let mut same = (0..)
                    .zip(&receipt.logs)
                    .filter(|(_, log)| log.as_ref().is_some_and(|log| content.is_of(log)));
                let place = same.nth(*number).map(|(place, _)| FIRST_LOG.saturating_add(place));
                place.ok_or("its receipt lacks a log of the block")?
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

    fn aside(&self, block: &Block, transaction: String, part: &str, why: String) -> SetAside {
        let (network, height, block) = (self.network, block.number, block.hash.to_string());
        SetAside { network, transaction, part: part.to_owned(), height, block, why }
    }
}

impl Candidate {
    fn part(&self) -> &'static str {
        match self.position {
            TransferPosition::Index(FIRST_MOVE..) => INTERNAL_TRANSFERS,
            _ => VALUE_AND_LOGS,
        }
    }
}

fn values(block: &Block, currency: Currency, candidates: &mut Vec<Candidate>) {
    for transaction in &block.transactions {
        if let Some(to) = transaction.to {
            let (position, value) = (TransferPosition::Index(0), (transaction.from, to, transaction.value));
            candidates.push(Candidate::new(block, transaction.hash, position, currency, value));
        }
    }
}

fn moved(block: &Block, currency: Currency, moves: Vec<Move>, candidates: &mut Vec<Candidate>) {
    for Move { transaction, position, from, to, value } in moves {
        let position = TransferPosition::Index(FIRST_MOVE.saturating_add(position));
        candidates.push(Candidate::new(block, transaction, position, currency, (from, to, value)));
    }
}

pub(crate) fn amount(value: U256) -> Option<Amount> {
    Amount::from_atoms(u128::try_from(value).ok()?).ok()
}

/// Converts wei to a decimal amount of the native coin.
pub(crate) fn amount_text(wei: U256) -> String {
    amount(wei).unwrap_or(Amount::MAX).to_text(COIN_DECIMALS)
}
