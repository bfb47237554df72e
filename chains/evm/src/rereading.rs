//! Reads entries again that were set aside.

use alloy_primitives::B256;
use async_trait::async_trait;
use checkout_domain::chain::held;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::{OutputState, Transfer};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::rereading::{Rejoined, Reread, Rereading};

use crate::cursor::Cursor;
use crate::node::At;
use crate::traces;
use crate::transfers::{Found, INTERNAL_TRANSFERS};
use crate::watcher::EvmChain;

#[async_trait]
impl Rereading for EvmChain {
    async fn read_again(&self, entry: &SetAside) -> Result<Reread, ChainError> {
        self.node.verify().await?;
        let hash = block_of(entry)?;
        // Nodes have abandoned blocks, too, if they are asked by hash.
        let header = self.node.header(At::Number(entry.height)).await?;
        if header.as_ref().is_some_and(|header| header.hash != hash) {
            return Ok(Reread::Gone);
        }
        let Some(block) = self.node.block(hash).await?.filter(|_| header.is_some()) else {
            return Ok(Reread::Still("the node lacks its block".to_owned()));
        };
        // Its transfers have a name now, if they can be read.
        let is_nameless = !block.hashes.iter().flatten().any(|hash| hash.to_string() == entry.transaction);
        if is_nameless && self.has(entry, hash).await? {
            return Ok(Reread::Still("its block does not list it".to_owned()));
        }
        let found = if entry.part == INTERNAL_TRANSFERS {
            let transaction = entry.transaction.parse().map_err(|error| format!("{error}"))?;
            let moves =
                traces::of_transaction(&self.node, transaction, self.reader.internal_transfers).await?;
            self.reader.internal(&block, moves).await?
        } else {
            self.reader.read(&[block]).await?
        };
        let Found { transfers, set_aside, .. } = found;
        let is_it = |odd: &SetAside| odd.transaction == entry.transaction && odd.part == entry.part;
        let still = set_aside.into_iter().find(|odd| is_nameless || is_it(odd));
        if let Some(still) = still {
            return Ok(Reread::Still(still.why));
        }
        let is_of = |transfer: &Transfer| transfer.output.transaction == entry.transaction;
        let transfers = transfers.into_iter().map(|(_, transfer)| transfer);
        Ok(Reread::Read(transfers.filter(|transfer| is_nameless || is_of(transfer)).collect()))
    }

    async fn rejoin(
        &self,
        cursor: &str,
        entry: &SetAside,
        mut transfers: Vec<Transfer>,
    ) -> Result<Option<Rejoined>, ChainError> {
        let mut cursor = Cursor::read(cursor, self.settings.chain_id)?;
        let hash = block_of(entry)?;
        if !self.is_of(&cursor, entry.height, hash).await? {
            return Ok(None);
        }
        let confirmed_to = self.confirmed_to(&cursor, cursor.head().0).await?;
        let is_confirmed = entry.height <= confirmed_to;
        let state = if is_confirmed { OutputState::Confirmed } else { OutputState::Unconfirmed };
        for transfer in &mut transfers {
            transfer.state = state;
        }
        let transfers = held::rejoin(&mut cursor.held, self.settings.network, entry, transfers)?;
        Ok(Some(Rejoined { transfers, cursor: cursor.to_text() }))
    }
}

impl EvmChain {
    /// Whether the node has the transaction of an entry in this block. It has none by a wrong name.
    async fn has(&self, entry: &SetAside, block: B256) -> Result<bool, ChainError> {
        let Ok(transaction) = entry.transaction.parse() else { return Ok(false) };
        let receipt = self.node.receipt(transaction).await?;
        Ok(receipt.is_some_and(|receipt| receipt.block_hash == block))
    }
}

const ELSEWHERE: &str = "the node is on another chain than the one that was read";

impl EvmChain {
    /// Whether a block is of the chain that was read up to a cursor. The node can be on another one meanwhile.
    pub(crate) async fn is_of(&self, cursor: &Cursor, height: u64, hash: B256) -> Result<bool, ChainError> {
        let head = cursor.head();
        if height > head.0 {
            return Ok(false);
        }
        if let Some((_, read)) = cursor.blocks.iter().find(|(block, _)| *block == height) {
            return Ok(*read == hash);
        }
        let headers = self.node.headers(&[head.0, height]).await?;
        match headers.as_slice() {
            [Some(newest), Some(header)] if newest.hash == head.1 => Ok(header.hash == hash),
            _ => Err(ChainError(ELSEWHERE.into())),
        }
    }
}

fn block_of(entry: &SetAside) -> Result<B256, ChainError> {
    entry.block.parse().map_err(|error| ChainError(format!("{error}").into()))
}
