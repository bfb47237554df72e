//! Deposits, read address by address.

mod blocks;
mod entries;
mod health;
mod judge;
mod pages;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use checkout_chain_addresses::account_key;
use checkout_core::{Amount, Network};
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer};
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ports::addresses::Addresses;
use checkout_domain::ports::chain::{Chain, ChainError, Changes};
use checkout_domain::ports::clock::Clock;
use checkout_domain::ports::watched_addresses::{GivenAddresses, WatchedAddresses};
use parking_lot::Mutex;

use self::pages::AddressHistory;
use super::answers::{AHEAD, Block, IndexedTransaction};
use super::api::Api;
use super::found::outputs;
use super::schedule::{RECENT, Schedule};
use super::sighting::{Sighting, confirmed};
use crate::cursor::{self, Cursor, Reported};
use crate::found::known_as;
use crate::settings::{Environment, Settings};
use crate::watcher::coin;
use checkout_chain_http::NodeError;

/// Quoted addresses in one look.
const MOST_QUOTED: u32 = 500;

/// Seconds between two looks at quoted addresses while all addresses are asked for after a start.
const BETWEEN: u64 = 10;

/// So many failures before any answer about an address are the server's.
const MOST_FAILED: usize = 3;

/// How often an address fails until an operator is told.
const LISTED: u32 = 10;

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
    /// Height and hash of blocks far below the last one in which transactions were found.
    old_blocks: BTreeSet<(u64, String)>,
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
    /// Entries that were set aside before, and looked at now.
    tried: BTreeSet<String>,
    /// The block is a new one.
    is_new_tip: bool,
    /// Addresses about which the server gave no answer.
    failed: usize,
    transfers: Vec<Transfer>,
    set_aside: Vec<SetAside>,
    /// The first one of the server.
    problem: Option<ChainError>,
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
            kept: cursor::kept(network, &settings.finality),
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
        let is_behind =
            |newest: &cursor::StoredBlock| (1..=AHEAD).contains(&newest.height.saturating_sub(tip.height));
        if newest.as_ref().is_some_and(is_behind) {
            // One of several servers. The health check tells if it stays so. A height far above came from another chain.
            return Ok(Changes::new(Vec::new(), text, false));
        }
        let is_new_tip = newest.as_ref().is_none_or(|newest| newest.hash != tip.id);
        let stands = match &newest {
            Some(newest) if newest.height > tip.height => false,
            Some(newest) if is_new_tip => self.is_in_chain(newest.height, &newest.hash).await?,
            newest => newest.is_some(),
        };
        let mut look = Look { now, is_time, tip: tip.height, stands, is_new_tip, ..Look::default() };
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
        if is_new_tip {
            self.ask_for_odd(&mut cursor, &mut schedule, &mut look).await;
        }
        match look.problem {
            Some(problem) if look.transfers.is_empty() && asked.is_empty() => return Err(problem),
            // What was found is stored, and the rest is asked for again: the block is not read yet.
            Some(error) => {
                tracing::warn!(network = %self.network, %error, "some addresses or transactions were not read");
            }
            None if is_new_tip => {
                let before = confirmed(&cursor);
                cursor.advance(cursor::StoredBlock { height: tip.height, hash: tip.id }, self.kept);
                before.iter().filter(|(id, _)| !cursor.seen.contains_key(id)).for_each(|(id, address)| {
                    schedule.settle(id, address);
                });
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
        Ok(Changes { transfers: look.transfers, set_aside: look.set_aside, cursor: text, more })
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
        let failed = schedule.failed();
        // Those that failed come last, so that they keep no others waiting.
        let others = |address: &&String| !failed.contains(address);
        for address in due.iter().chain(&round).filter(others) {
            if self.ask(address, cursor, schedule, look).await {
                return Ok(());
            }
        }
        schedule.advance(&round);
        for address in &failed {
            if self.ask(address, cursor, schedule, look).await {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reads an address. True if nothing more can be asked of the server.
    async fn ask(
        &self,
        address: &str,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        look: &mut Look,
    ) -> bool {
        if look.asked.contains(address) {
            return false;
        }
        let is_known =
            |id: &str| cursor.seen.contains_key(id) || cursor.unread.contains(&entries::name(id, address));
        let is_final = |id: &str| {
            let is_final =
                |known: &Sighting| known.report.state == Reported::Confirmed && known.pays(address);
            schedule.is_settled(id, address) || cursor.seen.get(id).is_some_and(is_final)
        };
        let listed = pages::of_address(&self.api, address, is_known, is_final).await;
        let AddressHistory { transactions, nameless, problem, .. } = listed;
        for (number, why) in (1..).zip(nameless) {
            self.leave(cursor, look, &format!("{address}:{number}"), why);
        }
        let judged = self.take(cursor, schedule, look, (address, transactions)).await;
        if judged.is_none() && !problem.as_ref().is_some_and(NodeError::is_limit) {
            schedule.note_asked(address, look.now);
        }
        let is_over = match problem {
            None => {
                schedule.note_read(address);
                look.asked.insert(address.to_owned());
                false
            }
            Some(error) => self.fail(address, cursor, schedule, look, error),
        };
        if let Some(problem) = judged {
            look.problem.get_or_insert(problem);
            return true;
        }
        is_over
    }

    /// An address could not be read. True if that is the server's fault, and not one of the address.
    fn fail(
        &self,
        address: &str,
        cursor: &mut Cursor<Sighting>,
        schedule: &mut Schedule,
        look: &mut Look,
        error: NodeError,
    ) -> bool {
        if !error.is_limit() {
            look.failed += 1;
            tracing::warn!(network = %self.network, address, %error, "an address cannot be read, and is asked for again");
            if schedule.note_failed(address) == LISTED {
                self.leave(cursor, look, address, error.to_string());
            }
            if look.failed < MOST_FAILED || !look.asked.is_empty() {
                return false;
            }
        }
        look.problem.get_or_insert(error.into());
        true
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

    fn read_up_to(&self, cursor: &str) -> Option<u64> {
        Cursor::<Sighting>::read(Some(cursor)).ok()?.newest().map(|block| block.height)
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let path = format!("/tx/{}/status", output.transaction);
        let status = self.api.json(&path).await?;
        Ok(self.depth(&path, &status).await?)
    }

    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        let path = format!("/tx/{transaction}");
        let Some(found) = self.api.find::<IndexedTransaction>(&path).await? else { return Ok(None) };
        let confirmations = self.depth(&path, &found.status).await?;
        let outputs = outputs(self.network, &found).into_iter();
        let transfers = outputs.filter_map(|(_, to, atoms)| {
            let amount = Amount::from_atoms(atoms?.into()).ok()?;
            Some(FoundTransfer { currency: coin(self.network), amount, to, tag: None, origin: None })
        });
        Ok(Some(known_as(confirmations, found.is_coinbase(), transfers.collect())))
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
