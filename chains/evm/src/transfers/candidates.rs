//! Transfers in a block before it is known whose they are and whether they succeeded.

use alloy_primitives::{Address, B256, Bytes, U256};
use checkout_core::Currency;

use crate::node::answers::Log;
use crate::node::block::Block;
use crate::tokens;

/// A transfer of a block.
pub(super) struct Candidate {
    pub(super) height: u64,
    pub(super) block: B256,
    pub(super) seen_at: u64,
    pub(super) transaction: B256,
    pub(super) position: TransferPosition,
    pub(super) currency: Currency,
    pub(super) from: Address,
    pub(super) to: Address,
    pub(super) value: U256,
}

pub(super) enum TransferPosition {
    Index(u32),
    /// A log: the n-th one of the transaction with this content. Its number is the server's.
    Log(Content, usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    contract: Address,
    topics: Vec<B256>,
    data: Bytes,
}

impl Content {
    pub(super) fn of(log: &Log) -> Self {
        Self { contract: log.address, topics: log.topics.clone(), data: log.data.clone() }
    }

    pub(super) fn is_of(&self, log: &Log) -> bool {
        (self.contract, self.topics.as_slice(), &self.data) == (log.address, log.topics.as_slice(), &log.data)
    }
}

impl Candidate {
    pub(super) fn new(
        block: &Block,
        transaction: B256,
        position: TransferPosition,
        currency: Currency,
        (from, to, value): (Address, Address, U256),
    ) -> Self {
        let Block { number: height, hash: block, timestamp: seen_at, .. } = *block;
        Self { height, block, seen_at, transaction, position, currency, from, to, value }
    }

    /// `logs`: those of the block that were added before. `None` for an event of another form.
    pub(super) fn of_log(
        block: &Block,
        (transaction, log): (B256, &Log),
        currency: Currency,
        before: &[Self],
    ) -> Option<Self> {
        let moved = tokens::read_transfer(log)?;
        let content = Content::of(log);
        let is_same = |candidate: &&Self| {
            candidate.transaction == transaction
                && matches!(&candidate.position, TransferPosition::Log(other, _) if *other == content)
        };
        let number = before.iter().filter(is_same).count();
        Some(Self::new(block, transaction, TransferPosition::Log(content, number), currency, moved))
    }
}
