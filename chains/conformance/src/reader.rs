//! Reads a chain like the gateway: in batches, each with the previous cursor.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use checkout_core::Network;
use checkout_domain::chain::recognise::{Facts, KnownTransfer, recognise};
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::chain::Chain;
use checkout_test_support::patience;

/// An address with a tag is written with `?dt=`.
fn is_to(transfer: &Transfer, address: &str) -> bool {
    match &transfer.tag {
        Some(tag) => {
            address.strip_prefix(&transfer.to).and_then(|rest| rest.strip_prefix("?dt=")) == Some(tag)
        }
        None => transfer.to == address,
    }
}

/// By transaction and index.
pub type Deposits = BTreeMap<(String, u32), Transfer>;

struct Known(Transfer);

impl KnownTransfer for Known {
    fn output(&self, _: Network) -> OutputId {
        self.0.output.clone()
    }

    fn is_same(&self, transfer: &Transfer) -> bool {
        let Transfer { currency, amount, to, from, tag, .. } = &self.0;
        let facts = Facts { currency: *currency, amount: *amount, to, from };
        facts.are_possible_of(transfer) && (to, tag) == (&transfer.to, &transfer.tag)
    }

    fn is_gone(&self) -> bool {
        self.0.state == OutputState::Vanished
    }
}

/// Records a batch like the gateway's store, which knows a transfer again under another index.
pub fn record(deposits: &mut Deposits, mut batch: Vec<Transfer>) {
    let Some(network) = batch.first().map(|first| first.output.network) else { return };
    let read: BTreeSet<&str> = batch.iter().map(|read| read.output.transaction.as_str()).collect();
    let known = deposits.values().filter(|known| read.contains(known.output.transaction.as_str()));
    let mut known: Vec<Known> = known.cloned().map(Known).collect();
    recognise(&mut known, network, &mut batch.iter_mut().collect::<Vec<_>>());
    for transfer in batch {
        deposits.insert((transfer.output.transaction.clone(), transfer.output.index), transfer);
    }
}

#[derive(Clone, Default)]
pub struct Reader {
    pub cursor: Option<String>,
    /// The last report of each output.
    pub known: Deposits,
    /// Number of reports.
    pub reports: usize,
    /// Entries that could not be read.
    pub set_aside: Vec<SetAside>,
}

impl Reader {
    /// Reads all new reports.
    pub async fn read(&mut self, chain: &dyn Chain) {
        self.try_read(chain).await.expect("the chain can be read");
    }

    /// The same, or why the chain cannot be read. As in the gateway, nothing is stored while the cursor stays.
    pub async fn try_read(&mut self, chain: &dyn Chain) -> Result<(), String> {
        loop {
            let changes = chain.changes(self.cursor.as_deref()).await.map_err(|error| error.to_string())?;
            if self.cursor.as_ref() == Some(&changes.cursor) {
                return Ok(());
            }
            self.note(changes.transfers, chain.network());
            self.set_aside.extend(changes.set_aside);
            self.cursor = Some(changes.cursor);
            if !changes.more {
                return Ok(());
            }
        }
    }

    pub fn note(&mut self, transfers: Vec<Transfer>, network: Network) {
        assert!(transfers.iter().all(|transfer| transfer.output.network == network));
        self.reports += transfers.len();
        record(&mut self.known, transfers);
    }

    /// Reads until the transfers to an address are in these states.
    pub async fn until(
        &mut self,
        chain: &dyn Chain,
        address: &str,
        expected: &[OutputState],
    ) -> Vec<Transfer> {
        let started = Instant::now();
        loop {
            self.read(chain).await;
            let found = self.to(address);
            let states: Vec<OutputState> = found.iter().map(|transfer| transfer.state).collect();
            if states == expected {
                return found;
            }
            assert!(started.elapsed() < patience(), "{address}: {states:?}, not {expected:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Reads until there is something new.
    pub(crate) async fn until_moved(&mut self, chain: &dyn Chain) {
        let (started, before) = (Instant::now(), self.cursor.clone());
        while self.cursor == before {
            assert!(started.elapsed() < patience(), "{before:?}: nothing new");
            tokio::time::sleep(Duration::from_millis(100)).await;
            self.read(chain).await;
        }
    }

    /// The confirmations of the transfers that wait at this cursor.
    pub(crate) async fn waiting(&self, chain: &dyn Chain) -> Vec<(OutputId, u64)> {
        let cursor = self.cursor.as_deref().expect("the chain was read");
        chain.waiting(cursor).await.expect("the chain can be read")
    }

    /// The transfers to an address.
    pub fn to(&self, address: &str) -> Vec<Transfer> {
        self.known.values().filter(|transfer| is_to(transfer, address)).cloned().collect()
    }
}
