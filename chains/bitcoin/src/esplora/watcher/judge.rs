//! What becomes of a transaction that the server has, or has not any more.

use checkout_domain::chain::Transfer;
use checkout_domain::ports::chain::ChainError;

use super::super::answers::{IndexedTransaction, Status};
use super::super::found;
use super::super::schedule::Schedule;
use super::super::sighting::{Sighting, inputs};
use super::EsploraChain;
use super::blocks::disagreement;
use crate::cursor::{Cursor, Report, Reported};
use checkout_chain_http::NodeError;

/// More than all coins of a network, in atoms.
const MOST: u64 = 10_000_000_000_000_000;

impl EsploraChain {
    /// Brings a transaction of the server into the cursor. `address`: whose list has it, if it was found so.
    pub(super) async fn update(
        &self,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        (id, address): (&str, Option<&str>),
        transaction: &IndexedTransaction,
        (tip, stands): (u64, bool),
    ) -> Result<Vec<Transfer>, ChainError> {
        if address.is_some_and(|address| schedule.is_settled(id, address)) {
            return Ok(Vec::new());
        }
        if let Some(fault) = transaction.fault(tip) {
            return Err(NodeError::malformed(&format!("/tx/{id}"), fault).into());
        }
        self.is_of_chain(cursor, id, &transaction.status, tip).await?;
        let known = cursor.seen.get(id);
        if let Some(known) = known
            && !transaction.status.confirmed
            && self.stays(known, stands).await?
        {
            return Ok(Vec::new());
        }
        let before = known.map(|sighting| sighting.report.state);
        let state =
            found::state(&self.api, self.network, transaction, before, self.fallback_fee_rate, tip).await?;
        let report = Report { state, height: transaction.status.block_height.unwrap_or(tip) };
        let mut outputs = known.map_or_else(Vec::new, |known| known.outputs.clone());
        let old = outputs.len();
        // Those that could not be read before are added.
        if outputs.is_empty() || address.is_some_and(|address| known.is_none_or(|known| !known.pays(address)))
        {
            let ours = self.ours(id, found::outputs(self.network, transaction)).await?;
            let is_new = |(index, ..): &(u32, String, u64)| outputs.iter().all(|(known, ..)| known != index);
            let new: Vec<_> = ours.into_iter().filter(is_new).collect();
            outputs.extend(new);
        }
        let is_to = |address: &&str| outputs.iter().all(|(_, to, _)| to != address);
        if let Some(address) = address.filter(is_to).filter(|_| state == Reported::Confirmed) {
            // It spends from the address, such as the merchant's own.
            schedule.settle(id, address);
        }
        if outputs.is_empty() {
            return Ok(Vec::new());
        }
        // Those below are too old for the cursor.
        if report.height > tip.saturating_sub(self.kept) {
            self.remember(id).await;
        }
        let first = transaction.status.block_time.unwrap_or_else(|| self.ports.clock.now());
        let time = known.map_or(first, |known| known.time);
        let block = transaction.status.block_hash.clone();
        let sighting = Sighting { report, outputs, inputs: inputs(transaction), time, block };
        let has_moved = known.is_some_and(|known| known.report.is_confirmed_before(report));
        let mut transfers = found::transfers(self.network, id, &sighting, Some(transaction));
        if has_moved {
            let left: Vec<Transfer> = transfers.iter().take(old).map(Transfer::unconfirmed).collect();
            transfers.splice(0..0, left);
        } else if before == Some(state) {
            transfers.drain(..old);
        }
        if !transfers.is_empty() || state == Reported::Confirmed {
            cursor.seen.insert(id.to_owned(), sighting);
        }
        Ok(transfers)
    }

    /// Judges a transaction that the server does not have any more.
    pub(super) async fn lose(
        &self,
        cursor: &mut Cursor<Sighting>,
        id: &str,
        stands: bool,
    ) -> Result<Vec<Transfer>, ChainError> {
        let Some(sighting) = cursor.seen.get_mut(id) else { return Ok(Vec::new()) };
        if self.stays(sighting, stands).await? {
            return Ok(Vec::new());
        }
        let before = sighting.report.state;
        let bytes = self.memory.lock().bytes.get(id).cloned();
        if before == Reported::Vanished {
            if let Some(bytes) = bytes {
                // Its parent may be back. A server that refuses it says nothing new.
                let _ = self.api.send(bytes).await;
            }
            return Ok(Vec::new());
        }
        sighting.report.state = found::missing(&self.api, id, sighting, bytes).await?;
        if sighting.report.state == before {
            return Ok(Vec::new());
        }
        Ok(found::transfers(self.network, id, sighting, None))
    }

    /// Whether a transaction that is in no block of the server is in one nevertheless. Behind one URL there can be several servers:
    /// one that is behind does not have the block yet, and then only another block in its place takes the transaction out.
    async fn stays(&self, known: &Sighting, stands: bool) -> Result<bool, NodeError> {
        if known.report.state != Reported::Confirmed {
            return Ok(false);
        }
        let height = known.report.height;
        let block = self.hash_at(height).await?;
        let is_other = block.is_some_and(|hash| known.block.as_ref() != Some(&hash));
        if is_other || stands {
            return Ok(!is_other);
        }
        // Asked again, because nothing asks for what is confirmed once the new chain is read.
        Err(disagreement(height))
    }

    /// Fails for a transaction whose block is not the one at its height. Behind one URL a server can be on a fork, and what is confirmed
    /// there need not be in the chain.
    async fn is_of_chain(
        &self,
        cursor: &Cursor<Sighting>,
        id: &str,
        status: &Status,
        tip: u64,
    ) -> Result<(), NodeError> {
        let Status { confirmed: true, block_height: Some(height), block_hash: Some(hash), .. } = status
        else {
            return Ok(());
        };
        let is_read = cursor.newest().is_some_and(|newest| newest.height >= *height);
        let is_same = |known: &Sighting| known.block.as_ref() == Some(hash) && known.report.height == *height;
        let is_known = is_read && cursor.seen.get(id).is_some_and(is_same);
        if is_known || *height > tip || self.is_in_chain(*height, hash).await? {
            return Ok(());
        }
        Err(NodeError::malformed(&format!("/tx/{id}"), "its block is not in the chain"))
    }

    /// Only those of payments.
    async fn ours(
        &self,
        id: &str,
        outputs: Vec<(u32, String, Option<u64>)>,
    ) -> Result<Vec<(u32, String, u64)>, ChainError> {
        let addresses: Vec<String> = outputs.iter().map(|(_, address, _)| address.clone()).collect();
        let ours = self.ports.watched.ours(self.network, &addresses).await?;
        let wrong =
            |index| NodeError::malformed(&format!("/tx/{id}"), format!("output {index} has no amount"));
        let ours = outputs.into_iter().filter(|(_, address, _)| ours.contains(address));
        let amounts = ours.map(|(index, address, atoms)| {
            let atoms = atoms.filter(|atoms| *atoms <= MOST).ok_or_else(|| wrong(index))?;
            Ok((index, address, atoms))
        });
        amounts.collect()
    }

    async fn remember(&self, id: &str) {
        if self.memory.lock().bytes.contains_key(id) {
            return;
        }
        // Without them it is not sent again, which wallets do, too.
        if let Ok(hex) = self.api.text(&format!("/tx/{id}/hex")).await {
            self.memory.lock().bytes.insert(id.to_owned(), hex);
        }
    }
}
