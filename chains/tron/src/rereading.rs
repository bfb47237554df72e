//! Reads entries again that were set aside. Another server, or the same one later, can know more.

use alloy_primitives::B256;
use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::held;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::{OutputState, Transfer};
use checkout_domain::ports::ChainError;
use checkout_domain::ports::rereading::{Rejoined, Reread, Rereading};

use crate::TronChain;
use crate::calls::CalledTransfer;
use crate::cursor::{Cursor, transaction_id};
use crate::effects::{Effects, NO_LOG, part};
use crate::node::Of;
use crate::transfers::of_block;

impl TronChain {
    /// Reads a whole block: what was read of it before is the same again.
    async fn block_again(&self, entry: &SetAside) -> Result<Reread, ChainError> {
        let blocks = self.node.blocks(Of::Solid, entry.height, entry.height + 1).await?;
        let Some(block) = blocks.first().filter(|block| block.number() == entry.height) else {
            return Ok(Reread::Still(
                "the server does not have its block among the solidified ones".to_owned(),
            ));
        };
        if transaction_id(block.id) != entry.block {
            return Ok(Reread::Gone);
        }
        Ok(self.reader.confirmed(block).await?.map_or_else(Reread::Still, Reread::Read))
    }

    /// What a transaction without logs was to do, as its block tells it.
    async fn call(&self, entry: &SetAside, id: B256) -> Result<Option<CalledTransfer>, ChainError> {
        if !entry.part.is_empty() && entry.part != NO_LOG {
            return Ok(None);
        }
        let blocks = self.node.blocks(Of::Newest, entry.height, entry.height + 1).await?;
        let block = blocks.first().filter(|block| transaction_id(block.id) == entry.block);
        let block = block.ok_or_else(|| "the server does not have its block".to_owned())?;
        Ok(block.listed()?.calls.remove(&id))
    }
}

#[async_trait]
impl Rereading for TronChain {
    /// One without a block waits for its confirmation, which the next look reports.
    async fn read_again(&self, entry: &SetAside) -> Result<Reread, ChainError> {
        let still = |why: &str| Ok(Reread::Still(why.to_owned()));
        if entry.transaction == of_block(entry.height) {
            return self.block_again(entry).await;
        }
        let Ok(id) = entry.transaction.parse::<B256>() else { return still(&entry.why) };
        if entry.block.is_empty() {
            let why = self.unconfirmed(id, entry.height).await?;
            return Ok(why.map_or_else(|| Reread::Read(Vec::new()), Reread::Still));
        }
        let block = self.node.newest_at(entry.height).await?;
        if block.is_some_and(|block| transaction_id(block.id) != entry.block) {
            return Ok(Reread::Gone);
        }
        let raw = self.node.effects(Of::Newest, id).await?;
        let Some(raw) = raw else { return still("the server does not have it") };
        let effects = match Effects::of(&raw) {
            Ok(effects) if effects.id() == Some(id) => effects,
            _ => return still("the server's answer about it cannot be read"),
        };
        if effects.block_number() != Some(entry.height) {
            return still("the server has it in another block");
        }
        if effects.lacks(&entry.part) {
            return still("the server has its transaction without it");
        }
        let ours = self.reader.ours(&effects, self.call(entry, id).await?.as_ref()).await?;
        let has_no_log = entry.part == NO_LOG;
        if has_no_log && ours.is_empty() {
            return still(&entry.why);
        }
        let is_it = |part: &str| has_no_log || part.is_empty() || entry.part.is_empty() || part == entry.part;
        let (mut transfers, mut odd) = (Vec::new(), Vec::new());
        for candidate in ours {
            match candidate.read {
                Ok(transfer) => transfers.push(transfer),
                Err(why) if is_it(&candidate.part) => return Ok(Reread::Still(why)),
                // It was read, or is an entry of its own.
                Err(_) => odd.push((candidate.to, candidate.currency)),
            }
        }
        let may_be_equal = |own: &Transfer| {
            let mut odd = odd.iter();
            odd.any(|(to, currency)| {
                to.as_ref().is_none_or(|to| *to == own.to) && currency.is_none_or(|coin| coin == own.currency)
            })
        };
        if transfers.iter().any(|own| is_it(&part(own.output.index)) && may_be_equal(own)) {
            return still("a transfer of its transaction that can be equal cannot be read");
        }
        Ok(Reread::Read(transfers))
    }

    /// The next look confirms them.
    async fn rejoin(
        &self,
        cursor: &str,
        entry: &SetAside,
        transfers: Vec<Transfer>,
    ) -> Result<Option<Rejoined>, ChainError> {
        let mut now = Cursor::read(cursor, self.node.genesis())?;
        let read = now.blocks.iter().find(|(height, _)| *height == entry.height).map(|(_, id)| *id);
        let block = match read {
            None if entry.height <= now.solid.0 => {
                self.node.solid_at(entry.height).await?.map(|block| block.id)
            }
            read => read,
        };
        if !entry.block.is_empty() && block.map(transaction_id).as_ref() != Some(&entry.block) {
            return Ok(None);
        }
        // Those of a whole block are confirmed, and were never held.
        let (known, waiting): (Vec<_>, Vec<_>) =
            transfers.into_iter().partition(|transfer| transfer.state == OutputState::Confirmed);
        let mut transfers = held::rejoin(&mut now.held, Network::Trx, entry, waiting)?;
        // What was confirmed is held no more.
        if entry.height <= now.solid.0 {
            for transfer in &mut transfers {
                let id = transfer.output.transaction.parse().map_err(|error| format!("{error}"))?;
                if let Some(why) = self.unconfirmed(id, entry.height).await? {
                    return Err(why.into());
                }
                transfer.state = OutputState::Confirmed;
            }
        }
        transfers.extend(known);
        Ok(Some(Rejoined { transfers, cursor: now.to_text() }))
    }
}
