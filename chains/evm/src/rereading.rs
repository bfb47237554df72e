//! Reads entries again that were set aside.

use alloy_primitives::B256;
use async_trait::async_trait;
use checkout_domain::chain::held::Held;
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
        let hash: B256 = entry.block.parse().map_err(|error| format!("{error}"))?;
        let Some(block) = self.node.block(hash).await? else {
            let is_read = self.is_read(entry).await?;
            let lacks = || Reread::Still("the node lacks its block".to_owned());
            return Ok(if is_read { lacks() } else { Reread::Read(Vec::new()) });
        };
        let found = if entry.part == INTERNAL_TRANSFERS {
            let transaction = entry.transaction.parse().map_err(|error| format!("{error}"))?;
            let moves =
                traces::of_transaction(&self.node, transaction, self.reader.internal_transfers).await?;
            self.reader.internal(&block, moves).await?
        } else {
            self.reader.read(&[block]).await?
        };
        let Found { transfers, set_aside, .. } = found;
        let still =
            set_aside.into_iter().find(|odd| odd.transaction == entry.transaction && odd.part == entry.part);
        if let Some(still) = still {
            return Ok(Reread::Still(still.why));
        }
        let is_of = |transfer: &Transfer| transfer.output.transaction == entry.transaction;
        let transfers = transfers.into_iter().map(|(_, transfer)| transfer);
        // One that had no hash in its block has one now, if it can be read.
        let is_nameless = entry.transaction.contains(':');
        Ok(Reread::Read(transfers.filter(|transfer| is_nameless || is_of(transfer)).collect()))
    }

    async fn rejoin(
        &self,
        cursor: &str,
        entry: &SetAside,
        transfers: Vec<Transfer>,
    ) -> Result<Option<Rejoined>, ChainError> {
        let mut cursor = Cursor::read(cursor, self.settings.chain_id)?;
        if entry.height > cursor.head().0 || !self.is_read(entry).await? {
            return Ok(None);
        }
        let confirmed_to = self.confirmed_to(self.node.latest().await?.height()).await?;
        let is_confirmed = entry.height <= confirmed_to;
        let state = if is_confirmed { OutputState::Confirmed } else { OutputState::Unconfirmed };
        let is_held = |transfer: &Transfer| cursor.held.iter().any(|held| held.is_same(transfer));
        let mut transfers: Vec<Transfer> =
            transfers.into_iter().filter(|transfer| !is_held(transfer)).collect();
        for transfer in &mut transfers {
            transfer.state = state;
            cursor.held.push(Held::new(entry.height, transfer));
        }
        Ok(Some(Rejoined { transfers, cursor: cursor.to_text() }))
    }
}

impl EvmChain {
    /// Whether the block of an entry is of the node's chain.
    async fn is_read(&self, entry: &SetAside) -> Result<bool, ChainError> {
        let header = self.node.header(At::Number(entry.height)).await?;
        Ok(header.is_some_and(|header| header.hash.to_string() == entry.block))
    }
}
