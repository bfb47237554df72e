//! Watches the deposit account.
//!
//! Only validated ledgers are read. They never change, so a transfer is confirmed when it is first seen and
//! never vanishes. The risk is a gap: a server that lacks ledgers answers as if they were empty. So reading
//! requires a server that has every ledger from the cursor on.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer};
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ports::{Chain, ChainError, Changes};

use crate::answers::{EPOCH, range_of};
use crate::cursor::Cursor;
use crate::health;
use crate::node::{Lookup, Node, Server};
use crate::transfers;

/// Pages per read, before the result is stored.
const PAGES: usize = 5;

/// Ledgers without a transfer advance the stored cursor at this interval, about five minutes, to limit
/// writes.
const QUIET: u32 = 75;

pub struct XrpChain {
    node: Arc<Node>,
    account: String,
}

impl XrpChain {
    /// `account`: the classic address that receives all deposits.
    pub fn new(node: Arc<Node>, account: String) -> Self {
        Self { node, account }
    }

    fn check_history(server: &Server, first: u32) -> Result<(), ChainError> {
        let last = server.validated.seq;
        match range_of(&server.complete_ledgers, last) {
            Some((from, _)) if from <= first => Ok(()),
            _ => Err(format!(
                "the server lacks ledgers between {first} and {last}; it has {}",
                server.complete_ledgers
            )
            .into()),
        }
    }

    async fn read_on(
        &self,
        cursor: &Cursor,
        mut last: u32,
    ) -> Result<(Vec<Transfer>, Cursor, bool), ChainError> {
        let (first, network) = (cursor.next_ledger(), self.node.network());
        let (mut transfers, mut marker, mut now) = (Vec::new(), None, cursor.clone());
        for page in 1.. {
            let answer = self.node.transactions(&self.account, (first, last), marker.as_ref()).await?;
            // One URL may stand for several servers, and this one may have less history than the one asked
            // before.
            if answer.ledger_index_min > first {
                let has = answer.ledger_index_min;
                return Err(format!("the server lacks ledgers before {has}, and {first} must be read").into());
            }
            last = last.min(answer.ledger_index_max);
            for entry in &answer.transactions {
                let at = entry.ledger().filter(|_| entry.validated);
                let ledger =
                    at.ok_or_else(|| "the server listed a transaction that is not validated".to_owned())?;
                if now.is_behind(ledger, entry.meta.index) {
                    continue;
                }
                transfers.extend(transfers::read(entry, &self.account)?);
                now = Cursor::after_transaction(network, ledger, entry.meta.index);
            }
            marker = answer.marker;
            if marker.is_none() {
                // The server of this page may not have the ledger in which the page before ended.
                let end = if last < now.ledger { now } else { Cursor::after_ledger(network, last) };
                return Ok((transfers, end, false));
            }
            if page >= PAGES && now != *cursor {
                return Ok((transfers, now, true));
            }
        }
        unreachable!("pages have no end")
    }
}

#[async_trait]
impl Chain for XrpChain {
    fn network(&self) -> Network {
        Network::Xrp
    }

    /// Starts at the last validated ledger: no payment is older than the first read.
    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        let server = self.node.server().await?;
        let (last, network) = (server.validated.seq, self.node.network());
        let Some(text) = cursor else {
            let cursor = Cursor::after_ledger(network, last).to_text();
            return Ok(Changes::new(Vec::new(), cursor, false));
        };
        let unchanged = || Changes::new(Vec::new(), text.to_owned(), false);
        let known = Cursor::read(text, network)?;
        // A server that is behind has nothing to report.
        if known.next_ledger() > last {
            return Ok(unchanged());
        }
        Self::check_history(&server, known.next_ledger())?;
        let (transfers, now, more) = self.read_on(&known, last).await?;
        if transfers.is_empty() && !more && now.ledger.saturating_sub(known.ledger) < QUIET {
            return Ok(unchanged());
        }
        Ok(Changes::new(transfers, now.to_text(), more))
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let last = self.node.server().await?.validated.seq;
        match self.node.transaction(&output.transaction).await? {
            Lookup::Validated { ledger, result } if result == "tesSUCCESS" => {
                Ok(u64::from(last.saturating_sub(ledger)) + 1)
            }
            _ => Ok(0),
        }
    }

    /// One that is in no validated ledger, which takes four seconds, is not found yet.
    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        let last = self.node.server().await?.validated.seq;
        let Some(entry) = self.node.validated(transaction).await? else { return Ok(None) };
        let ledger = entry.ledger().ok_or_else(|| format!("transaction {transaction} has no ledger"))?;
        let to = entry.tx.destination.clone().unwrap_or_default();
        let transfer = transfers::read(&entry, &to)?;
        Ok(Some(FoundTransaction {
            confirmations: u64::from(last.saturating_sub(ledger)) + 1,
            failed: entry.meta.result != "tesSUCCESS",
            transfers: transfer.map(FoundTransfer::from).into_iter().collect(),
        }))
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        let answer = self.node.last_ledger().await?;
        Ok(Tip {
            height: answer.ledger_index.into(),
            hash: answer.ledger_hash,
            time: Some(EPOCH.saturating_add(answer.ledger.close_time)),
        })
    }

    async fn methods(&self) -> Vec<Check> {
        health::methods(&self.node, &self.account).await
    }

    async fn health(&self) -> Vec<Check> {
        health::checks(&self.node, &self.account).await
    }
}
