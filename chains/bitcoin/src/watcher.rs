//! Deposits, read from the node's watch-only wallet.

pub(crate) mod health;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use checkout_chain_addresses::account_key;
use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::chain::found::FoundTransaction;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ports::addresses::Addresses;
use checkout_domain::ports::chain::{Chain, ChainError, Changes};
use checkout_domain::ports::clock::Clock;
use serde::Deserialize;
use serde_json::json;

use crate::cursor::{self, Cursor, Report, Reported, StoredBlock};
use crate::deposit_wallet::DepositWallet;
use crate::mempool::{self, Resent, Waiting};
use crate::rpc::{INVALID_PARAMETER, NOT_FOUND, Node, is_about_object, is_usage_of};
use crate::search::Search;
use crate::sender::{self, Origin};
use crate::settings::{DECIMALS, Environment, Settings};
use crate::transaction::{Decoded, Incoming, Listed, Made, WalletTransaction, made_by, receipts};
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

/// `getblockheader`.
#[derive(Deserialize)]
pub(crate) struct BlockHeader {
    pub(crate) height: u64,
    pub(crate) time: u64,
    /// -1 if the block is not on the best chain.
    confirmations: i64,
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
        let kept = cursor::kept(network);
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
        let tip = self.header(&listed.lastblock).await?;
        let is_new_tip = cursor.newest().is_none_or(|newest| newest.hash != listed.lastblock);
        if is_new_tip {
            self.complete(&cursor).await?;
        }
        let stands = match cursor.newest() {
            Some(newest) if is_new_tip => self.is_in_chain(&newest.hash).await?,
            newest => newest.is_some(),
        };
        let asked = Self::to_ask(&cursor, &listed, stands);
        let (found, mut unread) = self.found(&cursor, &listed, &asked).await?;
        let look = Look { tip: tip.height, best: &listed.lastblock, is_new_tip };
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
                    self.leave_out(&cursor, &id, error)?;
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
            cursor.advance(StoredBlock { height: tip.height, hash: listed.lastblock }, self.kept);
        }
        Ok(Changes::new(transfers, cursor.text(), more))
    }

    /// An error about one transaction concerns no other. It is asked for again, also after its block is behind the cursor.
    fn leave_out(&self, cursor: &Cursor, id: &str, error: NodeError) -> Result<(), NodeError> {
        if !is_about_object(&error) {
            return Err(error);
        }
        if !cursor.unread.contains(id) {
            tracing::error!(network = %self.network, transaction = id, %error,
                "the node does not tell about a transaction; it is asked again, and the others are read");
        }
        Ok(())
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
        let blocks = u64::try_from(incoming.confirmations - 1).unwrap_or(0);
        let report = Report { state, height: look.tip.saturating_sub(blocks) };
        if let Some(before) = before.filter(|before| before.state == state) {
            let report = if state == Reported::Confirmed { report } else { before };
            return Ok(Some((report, None)));
        }
        let is_news = is_known || state != Reported::Vanished;
        let transfers = if is_news { self.transfers(id, incoming, state).await? } else { Vec::new() };
        Ok(Some((report, Some(transfers))))
    }

    /// Returns every transfer whose state may have changed, in its current state; and those that the node cannot tell about.
    async fn found(
        &self,
        cursor: &Cursor,
        listed: &Listed,
        asked: &BTreeSet<String>,
    ) -> Result<(BTreeMap<String, Incoming>, BTreeSet<String>), NodeError> {
        let (mut found, mut unread) = (receipts(&listed.transactions), BTreeSet::new());
        for id in asked.iter().cloned() {
            if found.contains_key(&id) {
                continue;
            }
            match self.transaction(&id).await {
                Ok(transaction) => drop(found.insert(id, transaction.incoming())),
                // The node gives no information about it, so it is not reported.
                Err(error) if error.number() == Some(NOT_FOUND) => tracing::error!(
                    network = %self.network, transaction = id,
                    "a transaction that was read from the wallet is not in it any more: is it another wallet? \
                     `checkout chains rescan` finds what is missing"
                ),
                Err(error) => {
                    self.leave_out(cursor, &id, error)?;
                    unread.insert(id);
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
    fn to_ask(cursor: &Cursor, listed: &Listed, stands: bool) -> BTreeSet<String> {
        let removed =
            listed.removed.iter().filter(|entry| made_by(&entry.category, entry.generated).is_some());
        let seen = cursor.seen.iter().filter(|(_, report)| {
            !stands || matches!(report.state, Reported::Unconfirmed | Reported::Uncertain)
        });
        let ids = removed.map(|entry| entry.txid.clone()).chain(seen.map(|(id, _)| id.clone()));
        ids.chain(cursor.unread.iter().cloned()).collect()
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

    async fn transfers(
        &self,
        id: &str,
        incoming: &Incoming,
        state: Reported,
    ) -> Result<Vec<Transfer>, NodeError> {
        // What a block pays out has no sender.
        let has_origin = state != Reported::Vanished && incoming.made == Made::BySender;
        let origin = if has_origin { self.origin(id).await? } else { Origin::default() };
        let fee = origin.fee.unwrap_or(Amount::ZERO).to_text(DECIMALS);
        let currency = coin(self.network);
        let mut transfers = Vec::new();
        // The wallet no longer reports the outputs of a transaction that lost to a conflicting one, and does not report all of one that
        // it sent to itself.
        let lost = if incoming.outputs.is_empty() { self.outputs(id).await? } else { Vec::new() };
        for (index, address, amount) in incoming.outputs.iter().chain(&lost) {
            let (Some(to), Some(amount)) =
                (sender::normal_form(self.network, address), sender::amount(amount))
            else {
                tracing::warn!(network = %self.network, transaction = id, index, address, "an output has an unexpected script type");
                continue;
            };
            transfers.push(Transfer {
                output: OutputId { network: self.network, transaction: id.to_owned(), index: *index },
                currency,
                amount,
                to,
                tag: None,
                from: origin.from.clone().unwrap_or_default(),
                from_tag: None,
                other_senders: origin.others.clone(),
                fee: fee.clone(),
                seen_at: incoming.time,
                state: state.output_state(),
                uncertain: state == Reported::Uncertain,
            });
        }
        Ok(transfers)
    }

    /// Returns all outputs of a transaction, including those to other recipients.
    async fn outputs(&self, id: &str) -> Result<Vec<(u32, String, String)>, NodeError> {
        let transaction = self.transaction(id).await?;
        let decoded: Decoded = self.node.call("decoderawtransaction", json!([transaction.hex])).await?;
        let numbered = (0..).zip(&decoded.vout);
        let paid = numbered.filter_map(|(index, output)| {
            Some((index, output.script.address()?.to_owned(), output.value.get().to_owned()))
        });
        Ok(paid.collect())
    }

    async fn origin(&self, id: &str) -> Result<Origin, NodeError> {
        let transaction = self.transaction(id).await?;
        let decoded: Decoded = self.node.call("decoderawtransaction", json!([transaction.hex])).await?;
        let mut origin = sender::origin(&self.node, self.network, self.environment, &decoded).await?;
        if origin.fee.is_none() {
            origin.fee = mempool::find(&self.node, id).await?.map(|waiting| waiting.fee);
        }
        Ok(origin)
    }

    async fn transaction(&self, id: &str) -> Result<WalletTransaction, NodeError> {
        self.deposits.wallet.call("gettransaction", json!([id, true])).await
    }

    pub(crate) async fn header(&self, hash: &str) -> Result<BlockHeader, NodeError> {
        self.node.call("getblockheader", json!([hash])).await
    }

    async fn is_in_chain(&self, hash: &str) -> Result<bool, NodeError> {
        match self.header(hash).await {
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
        self.read(cursor).await
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let transaction = self.transaction(&output.transaction).await?;
        Ok(u64::try_from(transaction.confirmations).unwrap_or(0))
    }

    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        Ok(found::look_up((self.network, coin(self.network)), &self.node, &self.deposits.wallet, transaction)
            .await?)
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        let hash: String = self.node.call("getbestblockhash", json!([])).await?;
        let header = self.header(&hash).await?;
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
