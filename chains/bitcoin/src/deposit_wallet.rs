//! The node's watch-only wallet for deposit addresses.
//!
//! Nodes with SQLite use descriptor wallets: the wallet imports the account's public key and a range. Older
//! wallets, and those of Bitcoin Cash and Dogecoin, import each address. Dogecoin Core has a single wallet, which may hold keys,
//! too: payouts do not spend what is only watched. Either way the watched range extends beyond the
//! last address that was given to a payer, and grows before it is reached.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use checkout_core::Network;
use checkout_domain::ports::addresses::Addresses;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::rpc::{INVALID_PARAMETER, Node};
use checkout_chain_http::NodeError;

/// Addresses to watch beyond the last one given out. Covers addresses that are given out a second time after
/// the database is restored from a backup.
const AHEAD: u32 = 200;

/// The label of [`MARK`] while the wallet lacks blocks. The wallet itself remembers that, so that it is known whichever process
/// stops at whichever moment.
const MISSING: &str = "checkout: blocks are missing";

/// The index of the address that has the label; it is never given out.
const MARK: u32 = (1 << 31) - 1;

/// No time limit: a search can take hours.
const DAY: Duration = Duration::from_hours(24);

/// Addresses per request.
const CHUNK: usize = 500;

pub(crate) struct DepositWallet {
    network: Network,
    node: Node,
    pub(crate) wallet: Node,
    pub(crate) name: String,
    addresses: Arc<dyn Addresses>,
    /// `wpkh(xpub…/0/*)`, without checksum.
    descriptor: String,
    /// All indexes below this are watched.
    watched: Mutex<u32>,
    /// The same value, readable without the lock.
    certain: AtomicU32,
    /// All indexes below this have been given to payers.
    given: AtomicU32,
}

/// `getwalletinfo`.
#[derive(Deserialize)]
pub(crate) struct WalletInfo {
    #[serde(default)]
    pub(crate) private_keys_enabled: Option<bool>,
    #[serde(default)]
    pub(crate) descriptors: bool,
    /// The progress of a rescan, or `false`.
    #[serde(default)]
    pub(crate) scanning: Value,
    /// 0 if the wallet is locked; absent if it has no passphrase.
    #[serde(default)]
    pub(crate) unlocked_until: Option<u64>,
}

/// What a wallet says of an address.
#[derive(Deserialize)]
pub(crate) struct AddressInfo {
    #[serde(default)]
    ismine: bool,
    #[serde(default)]
    iswatchonly: bool,
}

impl AddressInfo {
    pub(crate) fn is_known(&self) -> bool {
        self.ismine || self.iswatchonly
    }
}

#[derive(Deserialize)]
struct Imported {
    success: bool,
    #[serde(default)]
    error: Option<ImportError>,
}

#[derive(Deserialize)]
struct ImportError {
    message: String,
}

impl DepositWallet {
    /// `descriptor` is that of the addresses, such as `wpkh(xpub…/0/*)`, without checksum; `given` is the number of indexes given
    /// out so far.
    pub(crate) fn new(
        network: Network,
        node: Node,
        name: &str,
        descriptor: String,
        addresses: Arc<dyn Addresses>,
        given: u32,
    ) -> Self {
        Self {
            network,
            wallet: node.wallet(name),
            name: node.dialect.wallet_name(name),
            node,
            addresses,
            descriptor,
            watched: Mutex::new(0),
            certain: AtomicU32::new(0),
            given: AtomicU32::new(given),
        }
    }

    /// Loads the wallet, or creates it.
    pub(crate) async fn open(&self) -> Result<WalletInfo, NodeError> {
        if !self.node.dialect.has_wallets {
            return self.wallet.call("getwalletinfo", json!([])).await;
        }
        let loaded: Vec<String> = self.node.call("listwallets", json!([])).await?;
        if !loaded.contains(&self.name) {
            match self.node.call::<Value>("loadwallet", json!([self.name])).await {
                Ok(_) => {}
                Err(error @ (NodeError::Unreachable(_) | NodeError::Limited(_))) => return Err(error),
                // The wallet does not exist or cannot be loaded. If creating it fails too, the first error
                // gives the reason.
                Err(error) => self.create().await.map_err(|_| error)?,
            }
        }
        self.wallet.call("getwalletinfo", json!([])).await
    }

    async fn create(&self) -> Result<(), NodeError> {
        let legacy = json!({"wallet_name": self.name, "disable_private_keys": true, "blank": true});
        let mut modern = legacy.clone();
        modern["descriptors"] = json!(true);
        modern["load_on_startup"] = json!(true);
        match self.node.call::<Value>("createwallet", modern).await {
            Ok(_) => {}
            // Built without SQLite, or older than descriptor wallets.
            Err(error) if error.says("sqlite") || error.number() == Some(INVALID_PARAMETER) => {
                self.node.call::<Value>("createwallet", legacy).await?;
            }
            Err(error) => return Err(error),
        }
        tracing::warn!(network = %self.network, wallet = self.name, "created a wallet to watch deposits");
        Ok(())
    }

    /// Returns the number of indexes given out.
    pub(crate) fn given(&self) -> u32 {
        self.given.load(Ordering::Relaxed)
    }

    /// Watches an index before it is given out.
    pub(crate) async fn watch(&self, index: u32) -> Result<(), NodeError> {
        let count = index.saturating_add(1);
        let given = self.given.fetch_max(count, Ordering::Relaxed);
        // Long before the last one is reached, so that an address that is not watched was lost.
        if count.saturating_add(AHEAD / 2) <= self.certain.load(Ordering::Acquire) {
            return Ok(());
        }
        self.watch_up_to(count, given).await
    }

    /// Watches all indexes that were given out, plus the look-ahead.
    pub(crate) async fn watch_given(&self) -> Result<(), NodeError> {
        let given = self.given();
        self.watch_up_to(given.max(1), given).await
    }

    /// Watches all indexes below `count`, plus the look-ahead; payers have those below `given`.
    async fn watch_up_to(&self, count: u32, given: u32) -> Result<(), NodeError> {
        let mut watched = self.watched.lock().await;
        if count.saturating_add(AHEAD / 2) <= *watched {
            return Ok(());
        }
        let end = count.saturating_add(AHEAD);
        let start = self.first_unknown(*watched, end).await?;
        if start < end {
            let info = self.open().await?;
            if start < given {
                // First, because nobody could tell afterwards.
                self.label(MISSING).await?;
            }
            if info.descriptors {
                self.import_range(end).await?;
            } else {
                self.import_addresses(start, end).await?;
            }
            if !self.knows(end - 1).await? {
                let problem =
                    "the wallet does not watch the imported addresses; does it belong to another key?";
                return Err(NodeError::Unreachable(problem.to_owned()));
            }
        }
        *watched = end;
        self.certain.store(end, Ordering::Release);
        Ok(())
    }

    /// Whether it has seen all blocks since the first address was given out, as far as it knows.
    pub(crate) async fn is_complete(&self) -> Result<bool, NodeError> {
        let given = self.given();
        if given > 0 && !self.knows(given - 1).await? {
            self.doubt().await;
            self.watch_given().await?;
        }
        Ok(!self.lacks_blocks().await?)
    }

    /// Whether blocks came before it watched addresses that payers had, and were not searched since.
    pub(crate) async fn lacks_blocks(&self) -> Result<bool, NodeError> {
        lacks_blocks(&self.wallet).await
    }

    /// It has all blocks now.
    pub(crate) async fn is_searched(&self) -> Result<(), NodeError> {
        if self.lacks_blocks().await? { self.label("").await } else { Ok(()) }
    }

    async fn label(&self, label: &str) -> Result<(), NodeError> {
        let address = self.address(MARK)?;
        let (method, parameters) = if self.node.dialect.has_wallets {
            ("setlabel", json!([address, label]))
        } else {
            // Labels an address that it knows, too; `false`: without a search.
            ("importaddress", json!([address, label, false]))
        };
        self.wallet.call::<Value>(method, parameters).await.map(drop)
    }

    /// Searches blocks for payments to all addresses.
    pub(crate) async fn scan(&self, blocks: Value) -> Result<(), NodeError> {
        self.wallet.call_for::<Value>(DAY, self.node.dialect.rescan, blocks).await.map(drop)
    }

    /// Clears the cached range, because the wallet may have been replaced.
    pub(crate) async fn doubt(&self) {
        *self.watched.lock().await = 0;
        self.certain.store(0, Ordering::Release);
    }

    /// Returns the first index in `low..=high` that the wallet does not watch. If it watches an index, it
    /// watches all lower ones.
    async fn first_unknown(&self, mut low: u32, mut high: u32) -> Result<u32, NodeError> {
        if self.knows(high - 1).await? {
            return Ok(high);
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if self.knows(middle).await? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// Returns whether the wallet watches an index.
    pub(crate) async fn knows(&self, index: u32) -> Result<bool, NodeError> {
        let (method, address) = (self.node.dialect.describe_address, self.address(index)?);
        let info: AddressInfo = self.wallet.call(method, json!([address])).await?;
        Ok(info.is_known())
    }

    /// The address in the form in which the gateway gives it out.
    pub(crate) fn address(&self, index: u32) -> Result<String, NodeError> {
        let address = self.addresses.address(self.network, index);
        address.ok_or_else(|| NodeError::Unreachable(format!("there is no deposit address {index}")))
    }

    async fn import_range(&self, end: u32) -> Result<(), NodeError> {
        #[derive(Deserialize)]
        struct Described {
            checksum: String,
        }
        let described: Described = self.node.call("getdescriptorinfo", json!([self.descriptor])).await?;
        let text = format!("{}#{}", self.descriptor, described.checksum);
        let request = json!([{"desc": text, "range": [0, end - 1], "timestamp": "now", "active": false}]);
        let results: Vec<Imported> = self.wallet.call("importdescriptors", json!([request])).await?;
        all_imported(&results)
    }

    async fn import_addresses(&self, start: u32, end: u32) -> Result<(), NodeError> {
        let indexes: Vec<u32> = (start..end).collect();
        for chunk in indexes.chunks(CHUNK) {
            let mut requests = Vec::with_capacity(chunk.len());
            for index in chunk {
                let address = self.address(*index)?;
                requests.push(
                    json!({"scriptPubKey": {"address": address}, "timestamp": "now", "watchonly": true}),
                );
            }
            let results: Vec<Imported> =
                self.wallet.call("importmulti", json!([requests, {"rescan": false}])).await?;
            all_imported(&results)?;
        }
        Ok(())
    }
}

pub(crate) async fn lacks_blocks(deposits: &Node) -> Result<bool, NodeError> {
    if !deposits.dialect.has_wallets {
        let marked: Vec<String> = deposits.call("getaddressesbyaccount", json!([MISSING])).await?;
        return Ok(!marked.is_empty());
    }
    let labels: Vec<String> = deposits.call("listlabels", json!([])).await?;
    Ok(labels.iter().any(|label| label == MISSING))
}

fn all_imported(results: &[Imported]) -> Result<(), NodeError> {
    let Some(failed) = results.iter().find(|result| !result.success) else { return Ok(()) };
    let why = failed.error.as_ref().map_or("no reason", |error| &error.message);
    Err(NodeError::Unreachable(format!("the wallet refuses an address: {why}")))
}
