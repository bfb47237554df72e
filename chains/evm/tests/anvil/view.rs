//! The gateway's view of a chain, built from reported changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use alloy_primitives::{Address, B256};
use async_trait::async_trait;
use checkout_chain_evm::{EvmChain, InternalTransfers, Node, Settings};
use checkout_core::{Currency, Network};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::chain::{Chain as _, ChainError};
use checkout_domain::ports::store::Stored;
use checkout_domain::ports::system_clock::SystemClock;
use checkout_domain::ports::watched_addresses::WatchedAddresses;

use crate::node::{Anvil, CHAIN};

#[derive(Default)]
pub(crate) struct Watched(Mutex<BTreeSet<String>>);

impl Watched {
    pub(crate) fn add(&self, address: Address) {
        self.0.lock().unwrap().insert(address.to_checksum(None));
    }
}

#[async_trait]
impl WatchedAddresses for Watched {
    async fn ours(&self, _: Network, addresses: &[String]) -> Stored<Vec<String>> {
        let ours = self.0.lock().unwrap();
        Ok(addresses.iter().filter(|address| ours.contains(*address)).cloned().collect())
    }
}

pub(crate) struct View {
    pub(crate) chain: EvmChain,
    pub(crate) settings: Settings,
    watched: Arc<Watched>,
    pub(crate) cursor: Option<String>,
    pub(crate) known: BTreeMap<OutputId, Transfer>,
}

pub(crate) fn settings(anvil: &Anvil) -> Settings {
    Settings { chain_id: CHAIN, confirmations: 3, ..Settings::new(Network::Eth, anvil.url.clone()) }
}

/// The n-th watched address.
pub(crate) fn ours(number: u8) -> Address {
    Address::repeat_byte(0xA0).with_last(number)
}

trait WithLast {
    fn with_last(self, byte: u8) -> Self;
}

impl WithLast for Address {
    fn with_last(mut self, byte: u8) -> Self {
        self.0[19] = byte;
        self
    }
}

impl View {
    /// Watches addresses 1 to 9.
    pub(crate) async fn of(settings: Settings) -> Self {
        let watched = Arc::new(Watched::default());
        watched.0.lock().unwrap().extend((1..10).map(|number| ours(number).to_checksum(None)));
        let chain = chain(&settings, &watched);
        let mut view = Self { chain, settings, watched, cursor: None, known: BTreeMap::new() };
        view.look().await;
        view
    }

    pub(crate) async fn with_token(anvil: &Anvil, token: Address) -> Self {
        let tokens = BTreeMap::from([(Currency::Usdt, token)]);
        Self::of(Settings { tokens, ..settings(anvil) }).await
    }

    pub(crate) fn watch(&self, address: Address) {
        self.watched.add(address);
    }

    /// Reads up to the tip and returns the reports in order.
    pub(crate) async fn try_look(&mut self) -> Result<Vec<Transfer>, ChainError> {
        let mut news = Vec::new();
        loop {
            let changes = self.chain.changes(self.cursor.as_deref()).await?;
            let is_same = self.cursor.as_ref() == Some(&changes.cursor);
            assert!(!is_same || changes.transfers.is_empty(), "transfers without a new cursor would be lost");
            self.cursor = Some(changes.cursor);
            for transfer in &changes.transfers {
                self.known.insert(transfer.output.clone(), transfer.clone());
            }
            news.extend(changes.transfers);
            if !changes.more || is_same {
                return Ok(news);
            }
        }
    }

    pub(crate) async fn look(&mut self) -> Vec<Transfer> {
        self.try_look().await.unwrap()
    }

    /// Simulates a restart: only the stored cursor remains.
    pub(crate) fn restart(&mut self) {
        self.chain = chain(&self.settings, &self.watched);
    }

    pub(crate) fn see_internal_transfers_by(&mut self, way: InternalTransfers) {
        self.settings.internal_transfers = way;
        self.restart();
    }
}

pub(crate) fn chain(settings: &Settings, watched: &Arc<Watched>) -> EvmChain {
    let node = Arc::new(Node::new(&settings.url, settings.chain_id).unwrap());
    let watched = Arc::clone(watched) as Arc<dyn WatchedAddresses>;
    EvmChain::new(settings.clone(), node, watched, Arc::new(SystemClock))
}

/// Recipient, amount and state.
pub(crate) type Row = (u8, u128, OutputState);

pub(crate) fn rows(transfers: &[Transfer]) -> Vec<Row> {
    transfers
        .iter()
        .map(|transfer| {
            let to: Address = transfer.to.parse().unwrap();
            assert_eq!(transfer.to, to.to_checksum(None), "in the normal form");
            (to[19], transfer.amount.atoms(), transfer.state)
        })
        .collect()
}

pub(crate) fn output(transaction: B256, index: u32) -> OutputId {
    OutputId { network: Network::Eth, transaction: transaction.to_string(), index }
}
