//! Deposits, read from the node's watch-only wallet.

pub(crate) mod health;
mod transfers;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use checkout_chain_addresses::account_key;
use checkout_chain_http::fields::is_hash;
use checkout_core::{Currency, Network, pair};
use checkout_domain::chain::found::FoundTransaction;
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ports::addresses::Addresses;
use checkout_domain::ports::chain::{Chain, ChainError, Changes};
use checkout_domain::ports::clock::Clock;
use serde_json::json;

use crate::cursor::{self, Cursor, Report, Reported, StoredBlock};
use crate::deposit_wallet::DepositWallet;
use crate::depth::{BlockHeader, depth, header};
use crate::mempool::{self, Resent, Waiting};
use crate::rpc::{INVALID_PARAMETER, NOT_FOUND, Node, is_about_object, is_usage_of};
use crate::search::Search;
use crate::settings::{Environment, Settings};
use crate::transaction::{Incoming, Listed, Made, Receipts, WalletTransaction};
use crate::{fees, found};
use checkout_chain_http::NodeError;

/// Transactions per read.
const BATCH: usize = 100;

pub struct BitcoinChain {
    pub(crate) network: Network,
    pub(crate) environment: Environment,
    pub(crate) node: Node,
    pub(crate) deposits: Arc<DepositWallet>,
    pub(crate) search: Search,
    /// The node was not found to lack the argument `include_change`.
    lists_change: AtomicBool,
    pub(crate) clock: Arc<dyn Clock>,
    /// Blocks for which a report is kept.
    kept: u64,
    /// Atoms per 1,000 virtual bytes, when the node has no estimate.
    fallback_fee_rate: u128,
}

/// The chain at the time of a look.
struct Look<'a> {
    tip: u64,
    best: &'a str,
    is_new_tip: bool,
}

impl BitcoinChain {
    /// `key` is the value in `[deposit_keys]`; `given` is the number of addresses given out so far. Makes no
    /// request. Errors are sentences for users.
    pub fn new(
        network: Network,
        settings: &Settings,
        key: &str,
        addresses: Arc<dyn Addresses>,
        given: u32,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, String> {
        settings.check(network)?;
        let is_test = settings.network.test().is_some();
        let key = account_key(network, key, is_test).map_err(|bad| bad.to_string())?;
        let prefix = if is_test { bip32::Prefix::TPUB } else { bip32::Prefix::XPUB };
        let node = Node::new(network, settings);
        let descriptor = format!("{}({}/0/*)", key.kind.name(), key.key.to_string(prefix));
        let deposits =
            DepositWallet::new(network, node.clone(), &settings.wallet, descriptor, addresses, given);
        let kept = cursor::kept(network, &settings.finality);
        let (_, fallback_fee_rate) = settings.rates(network);
        Ok(Self {
            network,
            environment: settings.network,
            node,
            deposits: Arc::new(deposits),
            search: Search::default(),
            lists_change: AtomicBool::new(true),
            clock,
            kept,
            fallback_fee_rate,
        })
    }

    pub(crate) fn lists_change(&self) -> bool {
        self.lists_change.load(Ordering::Relaxed)
    }

    async fn read(&self, mut cursor: Cursor) -> Result<Changes, ChainError> {
        self.deposits.watch_given().await?;
        let listed = self.listed(&cursor).await?;
        let known = cursor.newest().filter(|newest| newest.hash == listed.lastblock);
        let (is_new_tip, tip) = match known {
            Some(known) => (false, known.height),
            None => (true, self.placed(&listed.lastblock).await?.height),
        };
        if is_new_tip {
            self.complete(&cursor).await?;
        }
        let stands = match cursor.newest() {
            Some(newest) if is_new_tip => self.is_in_chain(&newest.hash).await?,
            newest => newest.is_some(),
        };
        let mut receipts = Receipts::of(&listed.transactions, self.network);
        let is_lost = |id: &str| cursor.seen.get(id).is_some_and(|known| known.state == Reported::Vanished);
        receipts.doubt(|id, incoming| incoming.confirmations < 0 && !is_lost(id));
        let asked = self.to_ask(&cursor, &listed, (stands, is_new_tip));
        let mut set_aside = Vec::new();
        if is_new_tip {
            for number in 1..=receipts.nameless {
                let why = "the wallet lists it without a readable txid".to_owned();
                set_aside.push(self.set_aside(&format!("wallet:{number}"), tip, why));
            }
        }
        let (found, mut unread) = self.found(&mut cursor, receipts, &asked, (tip, &mut set_aside)).await?;
        let look = Look { tip, best: &listed.lastblock, is_new_tip };
        let (mut transfers, mut read, mut more) = (Vec::new(), 0, false);
        for (id, incoming) in found {
            if read == BATCH {
                more = true;
                break;
            }
            let before = cursor.seen.get(&id).copied();
            let is_known = before.is_some() || asked.contains(&id);
            let (report, changed) = match self.report(&id, &incoming, before, is_known, &look).await {
                Ok(Some(reported)) => reported,
                Ok(None) => continue,
                Err(error) => {
                    set_aside.extend(self.leave_out(&cursor, &id, tip, error).await?);
                    unread.insert(id);
                    continue;
                }
            };
            cursor.unread.remove(&id);
            if let Some(changed) = changed {
                read += 1;
                transfers.extend(changed);
            }
            cursor.seen.insert(id, report);
        }
        cursor.unread.append(&mut unread);
        if !more {
            cursor.advance(StoredBlock { height: tip, hash: listed.lastblock }, self.kept);
        }
        Ok(Changes { transfers, set_aside, cursor: cursor.text(), more })
    }

    /// An error about one transaction concerns no other. It is set aside once, and asked for again, also after its block is behind the
    /// cursor. The node can fail at one transaction for ever, too; then it answers about others.
    async fn leave_out(
        &self,
        cursor: &Cursor,
        id: &str,
        height: u64,
        error: NodeError,
    ) -> Result<Option<SetAside>, NodeError> {
        let is_alone = matches!(error, NodeError::Unreachable(_))
            && self.node.call::<String>("getbestblockhash", json!([])).await.is_ok();
        if !is_alone && !is_about_object(&error) {
            return Err(error);
        }
        let is_new = !cursor.unread.contains(id);
        Ok(is_new.then(|| self.set_aside(id, height, error.to_string())))
    }

    fn set_aside(&self, name: &str, height: u64, why: String) -> SetAside {
        let (transaction, part, block) = (name.to_owned(), String::new(), String::new());
        SetAside { network: self.network, transaction, part, height, block, why }
    }

    /// Returns an error while the wallet lacks blocks: they are searched first, from the cursor.
    async fn complete(&self, cursor: &Cursor) -> Result<(), ChainError> {
        if self.deposits.is_complete().await? {
            return Ok(());
        }
        let Some(newest) = cursor.newest() else {
            // Nothing was read before, or all was just searched.
            return Ok(self.deposits.is_searched().await?);
        };
        let from = newest.height.saturating_sub(self.kept);
        let told = self.search.go_on(&self.deposits, from);
        Err(ChainError(Box::new(NodeError::Unreachable(told))))
    }

    /// The record of a transaction, and its transfers if they changed; `None` if the chain moved meanwhile.
    async fn report(
        &self,
        id: &str,
        incoming: &Incoming,
        before: Option<Report>,
        is_known: bool,
        look: &Look<'_>,
    ) -> Result<Option<(Report, Option<Vec<Transfer>>)>, NodeError> {
        let known = before.map(|report| report.state);
        // Reported as vanished until a block changes the state of its inputs.
        let rests = incoming.confirmations == 0 && known == Some(Reported::Vanished) && !look.is_new_tip;
        let Some(state) = self.state(id, incoming, known, rests, look.best).await? else { return Ok(None) };
        let blocks = u64::try_from(incoming.confirmations.saturating_sub(1)).unwrap_or(0);
        let report = Report { state, height: look.tip.saturating_sub(blocks) };
        let has_moved = before.is_some_and(|before| before.is_confirmed_before(report));
        if let Some(before) = before.filter(|before| before.state == state && !has_moved) {
            let report = if state == Reported::Confirmed { report } else { before };
            return Ok(Some((report, None)));
        }
        let is_news = is_known || state != Reported::Vanished;
        let mut transfers = if is_news { self.transfers(id, incoming, state).await? } else { Vec::new() };
        if has_moved {
            let left: Vec<Transfer> = transfers.iter().map(Transfer::unconfirmed).collect();
            transfers.splice(0..0, left);
        }
        Ok(Some((report, Some(transfers))))
    }

    /// Returns every transfer whose state may have changed, in its current state; and those that the node cannot tell about. What is odd in
    /// the list is asked for.
    async fn found(
        &self,
        cursor: &mut Cursor,
        receipts: Receipts,
        asked: &BTreeSet<String>,
        (height, set_aside): (u64, &mut Vec<SetAside>),
    ) -> Result<(BTreeMap<String, Incoming>, BTreeSet<String>), NodeError> {
        let (mut found, mut unread) = (receipts.found, BTreeSet::new());
        for id in asked.union(&receipts.odd) {
            if found.contains_key(id) {
                continue;
            }
            match self.transaction(id).await.and_then(|transaction| transaction.incoming(self.network)) {
                Ok(incoming) => drop(found.insert(id.clone(), incoming)),
                // The node gives no information about it, so it is not reported.
                Err(error) if error.number() == Some(NOT_FOUND) => {
                    cursor.unread.remove(id);
                    tracing::error!(
                        network = %self.network, transaction = id,
                        "a transaction that was read from the wallet is not in it any more: is it another wallet? \
                         `checkout chains rescan` finds what is missing"
                    );
                }
                Err(error) => {
                    set_aside.extend(self.leave_out(cursor, id, height, error).await?);
                    unread.insert(id.clone());
                }
            }
        }
        Ok((found, unread))
    }

    /// Lists the wallet's transactions since the newest cursor block that the node has, and all unconfirmed
    /// ones.
    async fn listed(&self, cursor: &Cursor) -> Result<Listed, ChainError> {
        for (at, block) in cursor.blocks.iter().enumerate() {
            match self.since(&block.hash).await {
                Ok(listed) => return Ok(listed),
                Err(error) if matches!(error.number(), Some(NOT_FOUND | INVALID_PARAMETER)) => {}
                Err(error) => return Err(error.into()),
            }
            let height: u64 = self.node.call("getblockcount", json!([])).await?;
            if at == 0 && height < block.height {
                return Err(behind(height, block.height));
            }
        }
        Ok(self.since("").await?)
    }

    /// With what the wallet takes for change, because a descriptor wallet takes every payment from its own addresses for that.
    /// Bitcoin Core has the argument since version 24.
    async fn since(&self, block: &str) -> Result<Listed, NodeError> {
        const METHOD: &str = "listsinceblock";
        let wallet = &self.deposits.wallet;
        if self.lists_change() {
            match wallet.call(METHOD, json!([block, 1, true, true, true])).await {
                Err(error) if is_usage_of(&error, METHOD) => {
                    self.lists_change.store(false, Ordering::Relaxed);
                }
                answer => return answer,
            }
        }
        wallet.call(METHOD, json!([block, 1, true, true])).await
    }

    /// Finds transactions that are not in new blocks but whose state may have changed.
    fn to_ask(
        &self,
        cursor: &Cursor,
        listed: &Listed,
        (stands, is_new_tip): (bool, bool),
    ) -> BTreeSet<String> {
        let removed = Receipts::of(listed.removed.as_deref().unwrap_or_default(), self.network);
        let removed = removed.found.into_keys().chain(removed.odd);
        let seen = cursor.seen.iter().filter(|(_, report)| match report.state {
            Reported::Unconfirmed | Reported::Uncertain => true,
            Reported::Vanished => is_new_tip || !stands,
            Reported::Confirmed => !stands,
        });
        let unread = cursor.unread.iter().filter(|id| is_hash(id)).cloned();
        removed.chain(seen.map(|(id, _)| id.clone())).chain(unread).collect()
    }

    /// Returns `None` if the chain moved during the request; the next read reports it. A transaction in
    /// `rests` is not sent again.
    async fn state(
        &self,
        id: &str,
        incoming: &Incoming,
        before: Option<Reported>,
        rests: bool,
        best: &str,
    ) -> Result<Option<Reported>, NodeError> {
        match (incoming.confirmations, incoming.made) {
            // Nobody can spend them yet.
            (1.., Made::ByBlock { is_mature: false }) => return Ok(Some(Reported::Uncertain)),
            (1.., _) => return Ok(Some(Reported::Confirmed)),
            // A conflicting transaction is in the chain, or the block that made it is not.
            (..0, _) | (0, Made::ByBlock { .. }) => return Ok(Some(Reported::Vanished)),
            (0, Made::BySender) => {}
        }
        if let Some(waiting) = mempool::find(&self.node, id).await? {
            return self.waits(id, incoming, waiting, before).await.map(Some);
        }
        let transaction = self.transaction(id).await?;
        let now: String = self.node.call("getbestblockhash", json!([])).await?;
        if transaction.confirmations != 0 || now != best {
            return Ok(None);
        }
        if rests {
            return Ok(Some(Reported::Vanished));
        }
        Ok(match mempool::resend(&self.node, self.network, &transaction.hex).await? {
            // The next read sees it in the memory pool.
            Resent::Taken => Some(waited(before).unwrap_or(Reported::Uncertain)),
            Resent::InChain => None,
            Resent::Conflict => Some(Reported::Vanished),
            // It may still be mined, or be replaced.
            Resent::NotNow => Some(Reported::Uncertain),
        })
    }

    /// Of a transaction in the memory pool. The fee is looked at once, because what is needed changes all the time; a proof of
    /// a double spend can come at any time. An instant deposit that is proven then does not count until it is in a block.
    async fn waits(
        &self,
        id: &str,
        incoming: &Incoming,
        waiting: Waiting,
        before: Option<Reported>,
    ) -> Result<Reported, NodeError> {
        let is_replaceable = self.network.spec().replaceable;
        if is_replaceable && incoming.signals_replacement {
            return Ok(Reported::Uncertain);
        }
        let was_instant = matches!(before, Some(Reported::Unconfirmed | Reported::Vanished));
        if was_instant && mempool::is_proven_double(&self.node, id).await? {
            return Ok(Reported::Vanished);
        }
        if let Some(known) = waited(before) {
            return Ok(known);
        }
        // A replacement of what it spends takes it along.
        if is_replaceable && waiting.has_parents {
            return Ok(Reported::Uncertain);
        }
        let needed = fees::needed(&self.node, self.fallback_fee_rate).await?;
        let is_safe = waiting.pays(needed) && !mempool::is_proven_double(&self.node, id).await?;
        Ok(if is_safe { Reported::Unconfirmed } else { Reported::Uncertain })
    }

    async fn transaction(&self, id: &str) -> Result<WalletTransaction, NodeError> {
        let found: WalletTransaction = self.deposits.wallet.call("gettransaction", json!([id, true])).await?;
        if found.txid.eq_ignore_ascii_case(id) {
            return Ok(found);
        }
        Err(NodeError::malformed("gettransaction", "it is another transaction"))
    }

    /// Fails for a height that is not the block's: a cursor that is far above the chain would wait for it.
    async fn placed(&self, hash: &str) -> Result<BlockHeader, NodeError> {
        let header = header(&self.node, hash).await?;
        let there: String = self.node.call("getblockhash", json!([header.height])).await?;
        if there == hash {
            return Ok(header);
        }
        Err(NodeError::malformed("getblockheader", "another block is at its height"))
    }

    async fn is_in_chain(&self, hash: &str) -> Result<bool, NodeError> {
        match header(&self.node, hash).await {
            Ok(header) => Ok(header.confirmations >= 0),
            Err(error) if error.number() == Some(NOT_FOUND) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// The earlier report of a transaction that waited for a block.
pub(crate) fn waited(before: Option<Reported>) -> Option<Reported> {
    before.filter(|report| matches!(report, Reported::Unconfirmed | Reported::Uncertain))
}

fn behind(height: u64, read: u64) -> ChainError {
    let problem = format!(
        "the node is at block {height}, and block {read} was read before: it is behind, or on another chain"
    );
    ChainError(Box::new(NodeError::Unreachable(problem)))
}

/// The coin of a network.
pub(crate) fn coin(network: Network) -> Currency {
    let own = pair::EVERY_PAIR.iter().find(|pair| pair.network == network && pair.contract.is_none());
    own.expect("every network has a coin").currency
}

#[async_trait]
impl Chain for BitcoinChain {
    fn network(&self) -> Network {
        self.network
    }

    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        let cursor = Cursor::read(cursor).map_err(|error| ChainError(Box::new(error)))?;
        self.read(cursor.by_transaction()).await
    }

    fn read_up_to(&self, cursor: &str) -> Option<u64> {
        Cursor::<Report>::read(Some(cursor)).ok()?.newest().map(|block| block.height)
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let transaction = self.transaction(&output.transaction).await?;
        let depth = depth(&self.node, transaction.confirmations, transaction.blockhash.as_deref()).await?;
        Ok(u64::try_from(depth).unwrap_or(0))
    }

    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        Ok(found::look_up((self.network, coin(self.network)), &self.node, &self.deposits.wallet, transaction)
            .await?)
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        let hash: String = self.node.call("getbestblockhash", json!([])).await?;
        let header = self.placed(&hash).await?;
        Ok(Tip { height: header.height, hash, time: Some(header.time) })
    }

    async fn health(&self) -> Vec<Check> {
        health::look(self).await
    }

    async fn watch(&self, _: &str, index: u32) -> Result<(), ChainError> {
        Ok(self.deposits.watch(index).await?)
    }

    async fn rescan(&self, height: u64) -> Result<(), ChainError> {
        self.deposits.open().await?;
        self.deposits.watch_given().await?;
        self.deposits.scan(json!([height])).await?;
        Ok(self.deposits.is_searched().await?)
    }

    async fn rescan_cursor(&self, _: u64, stored: Option<&str>) -> Result<String, ChainError> {
        Ok(Cursor::<Report>::before_blocks(stored).text())
    }

    /// The wallet may be a new one. Blocks that a reorganisation may have replaced are read again.
    async fn unsearched(&self, cursor: &str) -> Result<Option<u64>, ChainError> {
        let cursor = Cursor::<Report>::read(Some(cursor)).map_err(|error| ChainError(Box::new(error)))?;
        Ok(Some(cursor.newest().map_or(0, |newest| newest.height.saturating_sub(self.kept))))
    }

    async fn search(&self, first: u64, last: u64) -> Result<(), ChainError> {
        if first > last {
            return Ok(());
        }
        self.deposits.open().await?;
        self.deposits.watch_given().await?;
        let has_end = self.node.dialect.has_wallets;
        self.deposits.scan(if has_end { json!([first, last]) } else { json!([first]) }).await?;
        Ok(())
    }
}
