//! Deposits, read address by address.

mod health;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use checkout_chain_addresses::account_key;
use checkout_core::{Amount, Network};
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer};
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ports::addresses::Addresses;
use checkout_domain::ports::chain::{Chain, ChainError, Changes};
use checkout_domain::ports::clock::Clock;
use checkout_domain::ports::watched_addresses::{GivenAddresses, WatchedAddresses};
use parking_lot::Mutex;

use super::answers::{Block, Status, Transaction};
use super::api::Api;
use super::found::{self, outputs};
use super::schedule::{RECENT, Schedule};
use super::sighting::{Sighting, confirmed, inputs};
use crate::cursor::{self, Cursor, Report, Reported};
use crate::found::mined;
use crate::settings::{Environment, Settings};
use crate::watcher::coin;
use checkout_chain_http::NodeError;

/// Quoted addresses in one look.
const MOST_QUOTED: u32 = 500;

/// Seconds between two looks at quoted addresses while all addresses are asked for after a start.
const BETWEEN: u64 = 10;

/// Confirmed transactions in one answer.
const PAGE: usize = 25;

/// The gateway's parts that the adapter uses.
pub struct Ports {
    pub watched: Arc<dyn WatchedAddresses>,
    pub given: Arc<dyn GivenAddresses>,
    pub addresses: Arc<dyn Addresses>,
    pub clock: Arc<dyn Clock>,
}

pub struct EsploraChain {
    pub(super) network: Network,
    pub(super) environment: Environment,
    pub(super) api: Api,
    pub(super) ports: Ports,
    /// Blocks for which a report is kept.
    kept: u64,
    /// Atoms for 1,000 virtual bytes, when the server has no estimate.
    fallback_fee_rate: u128,
    memory: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    /// Of the cursor that was read from last.
    schedule: Schedule,
    /// The cursor that was returned last, and what holds once it is stored.
    next: Option<(String, Schedule)>,
    /// The second of the last look at quoted addresses.
    looked: Option<u64>,
    tip: Option<Block>,
    /// The hexadecimal bytes of the cursor's transactions, for the case that the server loses them: also of confirmed ones,
    /// which a reorganisation can remove from both chain and memory pool.
    bytes: BTreeMap<String, String>,
    /// Whether the unchanging facts were checked.
    is_verified: bool,
}

/// The questions of one look, and the findings so far.
#[derive(Default)]
struct Look {
    /// The second.
    now: u64,
    /// The quoted addresses are due.
    is_time: bool,
    tip: u64,
    /// The newest block of the cursor is in the chain.
    stands: bool,
    /// Addresses that the server answered about.
    asked: BTreeSet<String>,
    /// Transactions that are in the cursor as the server has them now.
    found: BTreeSet<String>,
    transfers: Vec<Transfer>,
    /// The first one.
    problem: Option<ChainError>,
}

/// Whether an error concerns one object, so that others can be asked for.
fn is_refusal(error: &ChainError) -> bool {
    error.0.downcast_ref::<NodeError>().is_some_and(super::api::is_refusal)
}

impl EsploraChain {
    /// Makes no request. `key` is the value in `[deposit_keys]`; `settings` must name a server. Errors are sentences for
    /// users.
    pub fn new(network: Network, settings: &Settings, key: &str, ports: Ports) -> Result<Self, String> {
        settings.check(network)?;
        account_key(network, key, settings.network.test().is_some()).map_err(|bad| bad.to_string())?;
        let base = settings.esplora.as_deref().unwrap_or_default();
        let (_, fallback_fee_rate) = settings.rates(network);
        Ok(Self {
            network,
            environment: settings.network,
            api: Api::new(base, settings.pause(), Arc::clone(&settings.gate))?,
            ports,
            kept: cursor::kept(network),
            fallback_fee_rate,
            memory: Mutex::default(),
        })
    }

    pub(super) fn is_verified(&self) -> bool {
        self.memory.lock().is_verified
    }

    pub(super) fn note_verified(&self) {
        self.memory.lock().is_verified = true;
    }

    /// The schedule that belongs to a cursor, and whether it is time for the quoted addresses.
    fn schedule(&self, cursor: &Cursor<Sighting>, text: &str, now: u64) -> (Schedule, bool) {
        let mut memory = self.memory.lock();
        if cursor.newest().is_none() {
            // A first start, or a rescan.
            memory.schedule = Schedule::default();
            return (Schedule::default(), true);
        }
        let Some((_, next)) = memory.next.take_if(|(stored, _)| stored == text) else {
            return (memory.schedule.clone(), true);
        };
        memory.schedule = next;
        let has_waited =
            memory.looked.is_none_or(|looked| now >= looked.saturating_add(BETWEEN) || now < looked);
        (memory.schedule.clone(), memory.schedule.is_round_done() || has_waited)
    }

    async fn read(&self, mut cursor: Cursor<Sighting>) -> Result<Changes, ChainError> {
        let (text, now) = (cursor.text(), self.ports.clock.now());
        let (mut schedule, is_time) = self.schedule(&cursor, &text, now);
        let tip = self.block().await?;
        let newest = cursor.newest().cloned();
        if newest.as_ref().is_some_and(|newest| tip.height < newest.height) {
            // One of several servers that is behind. The health check tells if it stays so.
            return Ok(Changes::new(Vec::new(), text, false));
        }
        let is_new_tip = newest.as_ref().is_none_or(|newest| newest.hash != tip.id);
        let stands = match &newest {
            Some(newest) if is_new_tip => self.is_in_chain(newest).await?,
            newest => newest.is_some(),
        };
        let mut look = Look { now, is_time, tip: tip.height, stands, ..Look::default() };
        self.look(&mut cursor, &mut schedule, &mut look).await?;
        let asked = std::mem::take(&mut look.asked);
        let newest_height = newest.as_ref().map(|newest| newest.height);
        let is_due = |sighting: &Sighting| match sighting.report.state {
            _ if !stands => true,
            // In a block after the newest of the cursor, which another one may have replaced.
            Reported::Confirmed => is_new_tip && Some(sighting.report.height) > newest_height,
            Reported::Vanished => is_new_tip,
            _ => is_new_tip || sighting.outputs.iter().any(|(_, address, _)| asked.contains(address)),
        };
        self.ask_again(&mut cursor, &mut schedule, &mut look, is_due).await;
        match look.problem {
            Some(problem) if look.transfers.is_empty() && asked.is_empty() => return Err(problem),
            // What was found is stored, and the rest is asked for again: the block is not read yet.
            Some(error) => {
                tracing::warn!(network = %self.network, %error, "some addresses or transactions were not read");
            }
            None if is_new_tip => {
                let before: Vec<String> = confirmed(&cursor).map(str::to_owned).collect();
                cursor.advance(cursor::StoredBlock { height: tip.height, hash: tip.id }, self.kept);
                schedule.settle(before.into_iter().filter(|id| !cursor.seen.contains_key(id)));
            }
            None => {}
        }
        let mut memory = self.memory.lock();
        memory.bytes.retain(|id, _| cursor.seen.contains_key(id));
        if is_time {
            memory.looked = Some(now);
        }
        let (text, more) = (cursor.text(), !schedule.is_round_done());
        memory.next = Some((text.clone(), schedule));
        Ok(Changes::new(look.transfers, text, more))
    }

    /// Asks for the transactions of the addresses that are due, until the server does not answer. An error is returned only
    /// if nothing was asked of it.
    async fn look(
        &self,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        look: &mut Look,
    ) -> Result<(), ChainError> {
        let mut due = Vec::new();
        if look.is_time {
            let since = look.now.saturating_sub(RECENT);
            let quoted = self.ports.given.quoted_since(self.network, since, MOST_QUOTED).await?;
            due = schedule.due(&quoted, look.now);
            schedule.keep(&quoted);
        }
        let looked = self.memory.lock().looked;
        let (after, count) = schedule.round(looked.map_or(0, |looked| look.now.saturating_sub(looked)));
        let round = self.ports.given.given_after(self.network, after, count).await?;
        for address in due.iter().chain(&round) {
            if look.asked.contains(address) {
                continue;
            }
            let (read, problem) = match self.transactions(address, cursor, schedule).await {
                Ok(transactions) => (true, self.take(cursor, schedule, look, transactions).await),
                Err(error) if super::api::is_refusal(&error) => {
                    tracing::error!(network = %self.network, address, %error, "an address cannot be read");
                    (true, None)
                }
                Err(error) => (false, Some(error.into())),
            };
            if problem.is_none() {
                schedule.note_asked(address, look.now);
            }
            if read {
                look.asked.insert(address.clone());
            }
            if let Some(problem) = problem {
                let is_over = !is_refusal(&problem);
                look.problem.get_or_insert(problem);
                if is_over {
                    return Ok(());
                }
            }
        }
        if look.problem.is_none() {
            schedule.advance(&round);
        }
        Ok(())
    }

    /// Brings transactions of the server into the cursor, as many as it can tell about.
    async fn take(
        &self,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        look: &mut Look,
        transactions: Vec<(String, Transaction)>,
    ) -> Option<ChainError> {
        let mut problem = None;
        for (id, transaction) in transactions {
            // One in a block needs no more answers.
            let is_known = transaction.status.confirmed;
            if look.found.contains(&id) || (problem.is_some() && !is_known) {
                continue;
            }
            match self.update(cursor, schedule, &id, &transaction, (look.tip, look.stands)).await {
                Ok(transfers) => {
                    look.transfers.extend(transfers);
                    look.found.insert(id);
                }
                Err(error) => problem = problem.or(Some(error)),
            }
        }
        problem
    }

    /// The transactions of an address, back to the first one that is known.
    async fn transactions(
        &self,
        address: &str,
        cursor: &Cursor<Sighting>,
        schedule: &Schedule,
    ) -> Result<Vec<(String, Transaction)>, NodeError> {
        let mut page: Vec<Transaction> = self.api.json(&format!("/address/{address}/txs")).await?;
        let mut all = Vec::new();
        loop {
            let in_blocks = page.iter().filter(|transaction| transaction.status.confirmed).count();
            let last = page.last().map(|transaction| transaction.txid.clone());
            all.extend(page.into_iter().map(|transaction| (transaction.txid.clone(), transaction)));
            let Some(last) = last.filter(|_| in_blocks >= PAGE) else { return Ok(all) };
            let is_known = |report: &Sighting| report.report.state == Reported::Confirmed;
            if schedule.is_settled(&last) || cursor.seen.get(&last).is_some_and(is_known) {
                return Ok(all);
            }
            page = self.api.json(&format!("/address/{address}/txs/chain/{last}")).await?;
        }
    }

    /// Asks for transactions of the cursor that were not found, until the server does not answer.
    async fn ask_again(
        &self,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        look: &mut Look,
        is_due: impl Fn(&Sighting) -> bool,
    ) {
        let due = cursor.seen.iter().filter(|(id, sighting)| !look.found.contains(*id) && is_due(sighting));
        let due: Vec<String> = due.map(|(id, _)| id.clone()).collect();
        for id in due {
            if look.problem.as_ref().is_some_and(|problem| !is_refusal(problem)) {
                return;
            }
            let answer = match self.api.find::<Transaction>(&format!("/tx/{id}")).await {
                Ok(Some(transaction)) => {
                    self.update(cursor, schedule, &id, &transaction, (look.tip, look.stands)).await
                }
                Ok(None) => self.lose(cursor, &id, look.stands).await,
                Err(error) => Err(error.into()),
            };
            match answer {
                Ok(transfers) => look.transfers.extend(transfers),
                Err(error) => drop(look.problem.get_or_insert(error)),
            }
        }
    }

    /// Brings a transaction of the server into the cursor.
    async fn update(
        &self,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        id: &str,
        transaction: &Transaction,
        (tip, stands): (u64, bool),
    ) -> Result<Vec<Transfer>, ChainError> {
        if schedule.is_settled(id) {
            return Ok(Vec::new());
        }
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
        let outputs = match known {
            Some(known) if !known.outputs.is_empty() => known.outputs.clone(),
            _ => self.ours(found::outputs(self.network, transaction)).await?,
        };
        if outputs.is_empty() {
            // It spends from an address, such as the merchant's own.
            if state == Reported::Confirmed {
                schedule.settle([id.to_owned()]);
            }
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
        let transfers = if before == Some(state) {
            Vec::new()
        } else {
            found::transfers(self.network, id, &sighting, Some(transaction))
        };
        if before != Some(state) || state == Reported::Confirmed {
            cursor.seen.insert(id.to_owned(), sighting);
        }
        Ok(transfers)
    }

    /// Judges a transaction that the server does not have any more.
    async fn lose(
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
        let path = format!("/block-height/{}", known.report.height);
        let block = self.api.find_text(&path).await?;
        let is_other = block.is_some_and(|hash| known.block.as_deref() != Some(hash.trim()));
        if is_other || stands {
            return Ok(!is_other);
        }
        // Asked again, because nothing asks for what is confirmed once the new chain is read.
        Err(NodeError::malformed(&path, "the servers of the URL do not agree about the chain"))
    }

    /// Only those of payments.
    async fn ours(&self, outputs: Vec<(u32, String, u64)>) -> Result<Vec<(u32, String, u64)>, ChainError> {
        let addresses: Vec<String> = outputs.iter().map(|(_, address, _)| address.clone()).collect();
        let ours = self.ports.watched.ours(self.network, &addresses).await?;
        Ok(outputs.into_iter().filter(|(_, address, _)| ours.contains(address)).collect())
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

    /// The last block of the best chain.
    pub(super) async fn block(&self) -> Result<Block, NodeError> {
        let hash = self.api.text("/blocks/tip/hash").await?;
        if let Some(known) = self.memory.lock().tip.clone().filter(|known| known.id == hash.trim()) {
            return Ok(known);
        }
        let block: Block = self.api.json(&format!("/block/{}", hash.trim())).await?;
        self.memory.lock().tip = Some(block.clone());
        Ok(block)
    }

    async fn is_in_chain(&self, block: &cursor::StoredBlock) -> Result<bool, NodeError> {
        let hash = self.api.text(&format!("/block-height/{}", block.height)).await?;
        Ok(hash.trim() == block.hash)
    }
}

#[async_trait]
impl Chain for EsploraChain {
    fn network(&self) -> Network {
        self.network
    }

    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        let cursor = Cursor::<Sighting>::read(cursor).map_err(|error| ChainError(Box::new(error)))?;
        self.read(cursor).await
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let status: Status = self.api.json(&format!("/tx/{}/status", output.transaction)).await?;
        let Some(height) = status.block_height.filter(|_| status.confirmed) else { return Ok(0) };
        Ok((self.block().await?.height + 1).saturating_sub(height))
    }

    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        let Some(found): Option<Transaction> = self.api.find(&format!("/tx/{transaction}")).await? else {
            return Ok(None);
        };
        let height = found.status.block_height.filter(|_| found.status.confirmed);
        let confirmations = match height {
            Some(height) => (self.block().await?.height + 1).saturating_sub(height),
            None => 0,
        };
        let outputs = outputs(self.network, &found).into_iter();
        let transfers = outputs.filter_map(|(_, to, atoms)| {
            let amount = Amount::from_atoms(atoms.into()).ok()?;
            Some(FoundTransfer { currency: coin(self.network), amount, to, tag: None, origin: None })
        });
        let transfers = transfers.collect();
        Ok(Some(if found.is_coinbase() {
            mined(confirmations, transfers)
        } else {
            FoundTransaction { confirmations, transfers, ..FoundTransaction::default() }
        }))
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        let block = self.block().await?;
        Ok(Tip { height: block.height, hash: block.id, time: Some(block.timestamp) })
    }

    async fn health(&self) -> Vec<Check> {
        health::look(self).await
    }

    async fn rescan(&self, _: u64) -> Result<(), ChainError> {
        Ok(())
    }

    /// Asks for every address again.
    async fn rescan_cursor(&self, _: u64, stored: Option<&str>) -> Result<String, ChainError> {
        Ok(Cursor::<Sighting>::before_blocks(stored).text())
    }
}
