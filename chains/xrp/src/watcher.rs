//! Watches the deposit account.
//!
//! Only validated ledgers are read. They never change, so a transfer is confirmed when it is first seen and
//! never vanishes. The risk is a gap: a server that lacks ledgers answers as if they were empty. So reading
//! requires a server that has every ledger from the cursor on.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer};
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::ports::rereading::Rereading;
use checkout_domain::ports::{Chain, ChainError, Changes};
use serde_json::Value;

use crate::answers::{AccountTransactions, EPOCH, SUCCESS, range_of};
use crate::cursor::Cursor;
use crate::health;
use crate::look::ListReading;
use crate::node::{Lookup, Node, Server};
use crate::not_credited;
use crate::place::Place;
use crate::transfers;

/// Pages per read, before the result is stored.
const PAGES: usize = 5;

/// Pages of a list that is not in order, which is read to its end.
const MOST_PAGES: usize = 1_000;

/// Ledgers without a transfer advance the stored cursor at this interval, about five minutes, to limit
/// writes.
const QUIET: u32 = 75;

pub struct XrpChain {
    pub(crate) node: Arc<Node>,
    pub(crate) account: String,
}

impl XrpChain {
    /// `account`: the classic address that receives all deposits.
    pub fn new(node: Arc<Node>, account: String) -> Self {
        Self { node, account }
    }

    pub(crate) fn check_history(server: &Server, first: u32) -> Result<(), ChainError> {
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

    /// Reads all entries after the cursor, in whatever order they come, or the first pages of them if they come in order.
    pub(crate) async fn read_on(
        &self,
        cursor: &Cursor,
        last: u32,
        place: Option<Place>,
    ) -> Result<ListReading, ChainError> {
        let first = cursor.next_ledger();
        let mut look = ListReading::new(self.node.network(), (first, last), place, cursor);
        let (mut marker, mut read_to) = (None, last);
        for page in 1..=MOST_PAGES {
            let taken = match self.page((first, last), marker.as_ref()).await {
                Ok(answer) => self.take(&mut look, &answer, cursor).await.map(|()| answer),
                Err(error) => Err(error),
            };
            let answer = match taken {
                Err(_) if look.is_in_order && look.last != *cursor => return Ok(look.cut(cursor, true)),
                answer => answer?,
            };
            read_to = read_to.min(answer.ledger_index_max);
            if answer.marker.is_none() {
                // The server of this page may not have the ledger in which the page before ended.
                let is_behind = read_to < look.end.ledger;
                return Ok(if is_behind { look.cut(cursor, false) } else { look.whole(read_to) });
            }
            marker = answer.marker;
            if page >= PAGES && look.is_in_order && look.end != *cursor {
                return Ok(look.cut(cursor, true));
            }
        }
        Err(format!("the server's list of ledgers {first} to {last} does not end").into())
    }

    async fn take(
        &self,
        look: &mut ListReading,
        answer: &AccountTransactions,
        cursor: &Cursor,
    ) -> Result<(), ChainError> {
        for raw in &answer.transactions {
            look.take(raw, cursor, &self.account, &self.node).await?;
        }
        Ok(())
    }

    /// What stands between may give the list of another network, or of a server that lacks its end.
    async fn check_list(&self, server: &Server, look: &ListReading) -> Result<(), ChainError> {
        let Some(account) = self.node.account_in(&self.account, &server.validated.hash).await? else {
            return Ok(());
        };
        let unknown = || "the server does not tell which ledger changed the account".to_owned();
        Ok(look.check(account.changed.ok_or_else(unknown)?)?)
    }

    async fn page(
        &self,
        (first, last): (u32, u32),
        marker: Option<&Value>,
    ) -> Result<AccountTransactions, ChainError> {
        let answer = self.node.transactions(&self.account, (first, last), marker).await?;
        // One URL may stand for several servers, and this one may have less history than the one asked before.
        if answer.ledger_index_min > first {
            let has = answer.ledger_index_min;
            return Err(format!("the server lacks ledgers before {has}, and {first} must be read").into());
        }
        if answer.ledger_index_max < first {
            let has = answer.ledger_index_max;
            return Err(format!("the server has ledgers up to {has} only, and {first} must be read").into());
        }
        if marker.is_some() && answer.marker.as_ref() == marker {
            return Err("the server gave the same page again (marker)".to_owned().into());
        }
        Ok(answer)
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
            Self::check_history(&server, last)?;
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
        let look = self.read_on(&known, last, None).await?;
        let ListReading { transfers, set_aside, end, more, .. } = &look;
        let is_quiet = transfers.is_empty() && set_aside.is_empty() && !*more;
        if is_quiet && end.ledger.saturating_sub(known.ledger) < QUIET {
            return Ok(unchanged());
        }
        if !look.more {
            self.check_list(&server, &look).await?;
        }
        let ListReading { transfers, set_aside, end, more, .. } = look;
        Ok(Changes { transfers, set_aside, cursor: end.to_text(), more })
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let last = self.node.last().await?;
        match self.node.transaction(&output.transaction).await? {
            Lookup::Validated { ledger, result } if result == SUCCESS => {
                Ok(u64::from(last.saturating_sub(ledger)) + 1)
            }
            _ => Ok(0),
        }
    }

    /// One that is in no validated ledger, which takes four seconds, is not found yet.
    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        let last = self.node.last().await?;
        let Some(entry) = self.node.validated(transaction).await? else { return Ok(None) };
        let ledger = entry.ledger().ok_or_else(|| format!("transaction {transaction} has no ledger"))?;
        let to = entry.tx().and_then(|tx| tx.get::<String>("Destination"));
        let transfer = to.and_then(|to| transfers::read(&entry, &to.unwrap_or_default()));
        Ok(Some(FoundTransaction {
            confirmations: u64::from(last.saturating_sub(ledger)) + 1,
            failed: entry.result().is_ok_and(|result| result != SUCCESS),
            unclear: transfer.is_err(),
            transfers: transfer.ok().flatten().map(FoundTransfer::from).into_iter().collect(),
            not_credited: not_credited::read(&entry),
        }))
    }

    fn rereading(&self) -> Option<&dyn Rereading> {
        Some(self)
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
