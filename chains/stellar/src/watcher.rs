//! Watches the deposit account.
//!
//! A closed ledger never changes, so a transfer is confirmed when it is first seen and never vanishes.
//! Horizon lists payments by paging token, in an order that never changes either. If it has deleted ledgers
//! that are still unread, reading stops with an error.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer};
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ports::{Chain, ChainError, Changes};

use crate::answers::{Operation, Root, seconds};
use crate::cursor::Cursor;
use crate::health;
use crate::node::{Lookup, Node, PAGE};
use crate::transfers::{credits, recipients};

/// The cursor of an account without payments is kept this far behind, about a day. One URL may stand for
/// several servers, and none of them lags by a day.
const FOLLOWS_AT: u32 = 17_280;

pub struct StellarChain {
    node: Arc<Node>,
    account: String,
}

impl StellarChain {
    /// `account`: the `G…` account that receives all deposits.
    pub fn new(node: Arc<Node>, account: String) -> Self {
        Self { node, account }
    }

    /// What an operation brings to an account.
    async fn read(&self, operation: &Operation, account: &str) -> Result<Vec<Transfer>, ChainError> {
        let mut transfers = Vec::new();
        for credit in credits(operation, account) {
            let amount = match credit.amount() {
                Some(amount) => amount.to_owned(),
                None => self.merged(operation, account).await?,
            };
            transfers.push(credit.transfer(operation, account, &amount)?);
        }
        Ok(transfers)
    }

    /// The amount that a merged account brought, which only the operation's effects state.
    async fn merged(&self, operation: &Operation, account: &str) -> Result<String, ChainError> {
        let effects = self.node.effects(&operation.id).await?;
        let mut credited = effects.into_iter().filter(|effect| {
            effect.kind == "account_credited"
                && effect.account == account
                && effect.asset_type.as_deref() == Some("native")
        });
        let amount = credited.next().and_then(|effect| effect.amount);
        amount
            .ok_or_else(|| ChainError::from(format!("the merge {} has no effect on {account}", operation.id)))
    }
}

/// Checks that Horizon has everything after the cursor.
fn check_history(cursor: &Cursor, root: &Root) -> Result<(), ChainError> {
    let (read, first) = (cursor.ledger()?, root.history_elder_ledger);
    if first <= read.saturating_add(1) {
        return Ok(());
    }
    Err(format!(
        "Horizon has no ledgers before {first}, and {read} was the last one read: use a server with a longer history"
    ).into())
}

#[async_trait]
impl Chain for StellarChain {
    fn network(&self) -> Network {
        Network::Xlm
    }

    /// Starts at the last closed ledger: no payment is older than the first read.
    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        let (root, network) = (self.node.root().await?, self.node.passphrase());
        let Some(text) = cursor else {
            let cursor = Cursor::after_ledger(network, root.history_latest_ledger).to_text();
            return Ok(Changes::new(Vec::new(), cursor, false));
        };
        let known = Cursor::read(text, network)?;
        check_history(&known, &root)?;
        let operations = self.node.payments(&self.account, &known.token).await?;
        let mut transfers = Vec::new();
        for operation in &operations {
            transfers.extend(self.read(operation, &self.account).await?);
        }
        let behind = root.history_latest_ledger.saturating_sub(FOLLOWS_AT);
        let cursor = match operations.last() {
            Some(last) => Cursor::new(network, last.paging_token.clone()).to_text(),
            None if known.ledger()? < behind => Cursor::after_ledger(network, behind).to_text(),
            None => text.to_owned(),
        };
        Ok(Changes::new(transfers, cursor, operations.len() >= PAGE))
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let last = self.node.root().await?.history_latest_ledger;
        Ok(match self.node.transaction(&output.transaction).await? {
            Lookup::Successful { ledger } => u64::from(last.saturating_sub(ledger)) + 1,
            Lookup::Failed { .. } | Lookup::NotFound => 0,
        })
    }

    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        let last = self.node.root().await?.history_latest_ledger;
        let confirmations = |ledger: u32| u64::from(last.saturating_sub(ledger)) + 1;
        let ledger = match self.node.transaction(transaction).await? {
            Lookup::Successful { ledger } => ledger,
            Lookup::Failed { ledger } => {
                let confirmations = confirmations(ledger);
                return Ok(Some(FoundTransaction {
                    confirmations,
                    failed: true,
                    ..FoundTransaction::default()
                }));
            }
            Lookup::NotFound => return Ok(None),
        };
        let mut transfers = Vec::new();
        for operation in self.node.operations(transaction).await? {
            for account in recipients(&operation) {
                let found = self.read(&operation, account).await?;
                transfers.extend(found.into_iter().map(FoundTransfer::from));
            }
        }
        let confirmations = confirmations(ledger);
        Ok(Some(FoundTransaction { confirmations, transfers, ..FoundTransaction::default() }))
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        let ledger = self.node.last_ledger().await?;
        Ok(Tip { height: ledger.sequence.into(), hash: ledger.hash, time: seconds(&ledger.closed_at) })
    }

    async fn methods(&self) -> Vec<Check> {
        health::methods(&self.node, &self.account).await
    }

    async fn health(&self) -> Vec<Check> {
        health::checks(&self.node, &self.account).await
    }
}
