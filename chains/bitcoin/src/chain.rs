//! Deposits, read from the node's watch-only wallet.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use checkout_core::{Amount, Currency, Network, pair};
use checkout_gateway::adapters::deposit_keys::account_key;
use checkout_gateway::domain::chain::source::{Check, Tip};
use checkout_gateway::domain::chain::{OutputId, Transfer};
use checkout_gateway::ports::addresses::Addresses;
use checkout_gateway::ports::chain::{Chain, ChainError, Changes};
use checkout_gateway::ports::clock::Clock;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cursor::{self, Block, Cursor, Report, Reported};
use crate::deposit_wallet::DepositWallet;
use crate::mempool::{self, Resent, Waiting};
use crate::rpc::{INVALID_PARAMETER, NOT_FOUND, Node, RpcError};
use crate::sender::{self, Origin};
use crate::settings::{DECIMALS, Environment, Settings};
use crate::transaction::{Decoded, Incoming, Listed, WalletTransaction, receipts};
use crate::{fees, health};

/// Transactions per read.
const BATCH: usize = 100;

pub struct BitcoinChain {
    pub(crate) network: Network,
    pub(crate) environment: Environment,
    pub(crate) node: Node,
    pub(crate) deposits: DepositWallet,
    pub(crate) clock: Arc<dyn Clock>,
    /// Blocks for which a report is kept.
    kept: u64,
    /// Atoms per 1,000 virtual bytes, when the node has no estimate.
    fallback_fee_rate: u128,
}

/// `getblockheader`.
#[derive(Deserialize)]
pub(crate) struct Header {
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
        let node = Node::new(settings);
        let deposits = DepositWallet::new(
            network,
            node.clone(),
            &settings.wallet,
            &key.to_string(prefix),
            addresses,
            given,
        );
        let kept = cursor::kept(network);
        let (_, fallback_fee_rate) = settings.rates(network);
        Ok(Self { network, environment: settings.network, node, deposits, clock, kept, fallback_fee_rate })
    }

    async fn read(&self, mut cursor: Cursor) -> Result<Changes, ChainError> {
        let listed = self.listed(&cursor).await?;
        let tip = self.header(&listed.lastblock).await?;
        let is_new_tip = cursor.newest().is_none_or(|newest| newest.hash != listed.lastblock);
        let stands = match cursor.newest() {
            Some(newest) if is_new_tip => self.is_in_chain(&newest.hash).await?,
            _ => true,
        };
        let found = self.found(&cursor, &listed, stands).await?;
        let (mut transfers, mut read, mut more) = (Vec::new(), 0, false);
        for (id, incoming) in found {
            let before = cursor.seen.get(&id).map(|report| report.state);
            // Reported as vanished until a block changes the state of its inputs.
            let rests = incoming.confirmations == 0 && before == Some(Reported::Vanished) && !is_new_tip;
            let best = &listed.lastblock;
            let Some(state) = self.state(&id, &incoming, before, rests, best).await? else { continue };
            let blocks = u64::try_from(incoming.confirmations - 1).unwrap_or(0);
            let report = Report { state, height: tip.height.saturating_sub(blocks) };
            if before == Some(state) {
                if state == Reported::Confirmed {
                    cursor.seen.insert(id, report);
                }
                continue;
            }
            if read == BATCH {
                more = true;
                break;
            }
            read += 1;
            if before.is_some() || state != Reported::Vanished {
                transfers.extend(self.transfers(&id, &incoming, state).await?);
            }
            cursor.seen.insert(id, report);
        }
        if !more {
            cursor.advance(Block { height: tip.height, hash: listed.lastblock }, self.kept);
        }
        Ok(Changes { transfers, cursor: cursor.text(), more })
    }

    /// Returns every transfer whose state may have changed, in its current state.
    async fn found(
        &self,
        cursor: &Cursor,
        listed: &Listed,
        stands: bool,
    ) -> Result<BTreeMap<String, Incoming>, ChainError> {
        let mut found = receipts(&listed.transactions);
        for id in Self::to_ask(cursor, listed, stands) {
            if found.contains_key(&id) {
                continue;
            }
            match self.transaction(&id).await {
                Ok(transaction) => drop(found.insert(id, transaction.incoming())),
                // The node gives no information about it, so it is not reported.
                Err(error) if error.code() == Some(NOT_FOUND) => tracing::error!(
                    network = %self.network, transaction = id,
                    "a transaction that was read from the wallet is not in it any more: is it another wallet? \
                     `checkout chains rescan` finds what is missing"
                ),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(found)
    }

    /// Lists the wallet's transactions since the newest cursor block that the node has, and all unconfirmed
    /// ones.
    async fn listed(&self, cursor: &Cursor) -> Result<Listed, ChainError> {
        for (at, block) in cursor.blocks.iter().enumerate() {
            match self.since(&block.hash).await {
                Ok(listed) => return Ok(listed),
                Err(error) if matches!(error.code(), Some(NOT_FOUND | INVALID_PARAMETER)) => {}
                Err(error) => return Err(error.into()),
            }
            let height: u64 = self.node.call("getblockcount", json!([])).await?;
            if at == 0 && height < block.height {
                return Err(behind(height, block.height));
            }
        }
        Ok(self.since("").await?)
    }

    async fn since(&self, block: &str) -> Result<Listed, RpcError> {
        self.deposits.wallet.call("listsinceblock", json!([block, 1, true, true])).await
    }

    /// Finds transactions that are not in new blocks but whose state may have changed.
    fn to_ask(cursor: &Cursor, listed: &Listed, stands: bool) -> BTreeSet<String> {
        let removed = listed.removed.iter().filter(|entry| entry.category == "receive");
        let seen = cursor.seen.iter().filter(|(_, report)| {
            !stands || matches!(report.state, Reported::Unconfirmed | Reported::Uncertain)
        });
        removed.map(|entry| entry.txid.clone()).chain(seen.map(|(id, _)| id.clone())).collect()
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
    ) -> Result<Option<Reported>, ChainError> {
        match incoming.confirmations {
            1.. => return Ok(Some(Reported::Confirmed)),
            // A conflicting transaction is in the chain.
            ..0 => return Ok(Some(Reported::Vanished)),
            0 => {}
        }
        if let Some(waiting) = mempool::find(&self.node, id).await? {
            return self.waits(incoming, waiting, before).await.map(Some);
        }
        let transaction = self.transaction(id).await?;
        let now: String = self.node.call("getbestblockhash", json!([])).await?;
        if transaction.confirmations != 0 || now != best {
            return Ok(None);
        }
        if rests {
            return Ok(Some(Reported::Vanished));
        }
        Ok(match mempool::resend(&self.node, &transaction.hex).await? {
            // The next read sees it in the memory pool.
            Resent::Taken => Some(waited(before).unwrap_or(Reported::Uncertain)),
            Resent::InChain => None,
            Resent::Conflict => Some(Reported::Vanished),
            // It may still be mined, or be replaced.
            Resent::NotNow => Some(Reported::Uncertain),
        })
    }

    /// Of a transaction in the memory pool. The fee is looked at once, because what is needed changes all the time.
    async fn waits(
        &self,
        incoming: &Incoming,
        waiting: Waiting,
        before: Option<Reported>,
    ) -> Result<Reported, ChainError> {
        if incoming.signals_replacement {
            return Ok(Reported::Uncertain);
        }
        if let Some(known) = waited(before) {
            return Ok(known);
        }
        let needed = fees::needed(&self.node, self.fallback_fee_rate).await?;
        Ok(if waiting.pays(needed) { Reported::Unconfirmed } else { Reported::Uncertain })
    }

    async fn transfers(
        &self,
        id: &str,
        incoming: &Incoming,
        state: Reported,
    ) -> Result<Vec<Transfer>, ChainError> {
        let origin = if state == Reported::Vanished { Origin::default() } else { self.origin(id).await? };
        let fee = origin.fee.unwrap_or(Amount::ZERO).to_text(DECIMALS);
        let currency = coin(self.network);
        let mut transfers = Vec::new();
        // The wallet no longer reports the outputs of a transaction that lost to a conflicting one.
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
                fee: fee.clone(),
                seen_at: incoming.time,
                state: state.output_state(),
                uncertain: state == Reported::Uncertain,
            });
        }
        Ok(transfers)
    }

    /// Returns all outputs of a transaction, including those to other recipients.
    async fn outputs(&self, id: &str) -> Result<Vec<(u32, String, String)>, RpcError> {
        let transaction = self.transaction(id).await?;
        let decoded: Decoded = self.node.call("decoderawtransaction", json!([transaction.hex])).await?;
        let numbered = (0..).zip(&decoded.vout);
        let paid = numbered.filter_map(|(index, output)| {
            Some((index, output.script.address()?.to_owned(), output.value.get().to_owned()))
        });
        Ok(paid.collect())
    }

    async fn origin(&self, id: &str) -> Result<Origin, RpcError> {
        let transaction = self.transaction(id).await?;
        let decoded: Decoded = self.node.call("decoderawtransaction", json!([transaction.hex])).await?;
        let mut origin = sender::origin(&self.node, self.network, &decoded).await?;
        if origin.fee.is_none() {
            origin.fee = mempool::find(&self.node, id).await?.map(|waiting| waiting.fee);
        }
        Ok(origin)
    }

    async fn transaction(&self, id: &str) -> Result<WalletTransaction, RpcError> {
        self.deposits.wallet.call("gettransaction", json!([id, true])).await
    }

    pub(crate) async fn header(&self, hash: &str) -> Result<Header, RpcError> {
        self.node.call("getblockheader", json!([hash])).await
    }

    async fn is_in_chain(&self, hash: &str) -> Result<bool, RpcError> {
        match self.header(hash).await {
            Ok(header) => Ok(header.confirmations >= 0),
            Err(error) if error.code() == Some(NOT_FOUND) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// What was reported of a transaction that waited for a block before.
pub(crate) fn waited(before: Option<Reported>) -> Option<Reported> {
    before.filter(|report| matches!(report, Reported::Unconfirmed | Reported::Uncertain))
}

fn behind(height: u64, read: u64) -> ChainError {
    let problem = format!(
        "the node is at block {height}, and block {read} was read before: it is behind, or on another chain"
    );
    ChainError(Box::new(RpcError::Unknown(problem)))
}

/// The coin of a network.
pub(crate) fn coin(network: Network) -> Currency {
    let own = pair::PAIRS.iter().find(|pair| pair.network == network && pair.contract.is_none());
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

    async fn rescan(&self, height: u64) -> Result<String, ChainError> {
        /// No time limit: a rescan can take hours.
        const DAY: Duration = Duration::from_hours(24);
        self.deposits.open().await?;
        self.deposits.watch_all(self.deposits.given()).await?;
        self.deposits.wallet.call_for::<Value>(DAY, "rescanblockchain", json!([height])).await?;
        Ok(Cursor::<Report>::default().text())
    }

    /// The wallet may be a new one. Blocks that a reorganisation may have replaced are read again.
    async fn unsearched(&self, cursor: &str) -> Result<Option<u64>, ChainError> {
        let cursor = Cursor::<Report>::read(Some(cursor)).map_err(|error| ChainError(Box::new(error)))?;
        Ok(Some(cursor.newest().map_or(0, |newest| newest.height.saturating_sub(self.kept))))
    }

    async fn search(&self, first: u64, last: u64) -> Result<(), ChainError> {
        /// No time limit: one with many wallets or a slow disk takes long.
        const DAY: Duration = Duration::from_hours(24);
        if first > last {
            return Ok(());
        }
        self.deposits.open().await?;
        self.deposits.watch_all(self.deposits.given()).await?;
        self.deposits.wallet.call_for::<Value>(DAY, "rescanblockchain", json!([first, last])).await?;
        Ok(())
    }
}
