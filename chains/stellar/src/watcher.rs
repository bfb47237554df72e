//! Watches the deposit account.
//!
//! A closed ledger never changes, so a transfer is confirmed when it is first seen and never vanishes.
//! Horizon lists payments by paging token, in an order that never changes either. If it has deleted ledgers
//! that are still unread, reading stops with an error.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::found::{FoundTransaction, FoundTransfer};
use checkout_domain::chain::set_aside::SetAside;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ports::rereading::Rereading;
use checkout_domain::ports::{Chain, ChainError, Changes};

use crate::answers::{Root, seconds};
use crate::cursor::Cursor;
use crate::health;
use crate::look::PageReading;
use crate::node::{Lookup, Node};
use crate::operation::Operation;
use crate::place::Place;
use crate::transfers::{credits, recipients};

/// The cursor of an account without payments is kept this far behind, about a day. One URL may stand for
/// several servers, and none of them lags by a day.
const FOLLOWS_AT: u32 = 17_280;

pub struct StellarChain {
    pub(crate) node: Arc<Node>,
    pub(crate) account: String,
}

impl StellarChain {
    /// `account`: the `G…` account that receives all deposits.
    pub fn new(node: Arc<Node>, account: String) -> Self {
        Self { node, account }
    }

    /// What an operation brings to an account, by its part, or why that cannot be told. An error is one of the server.
    pub(crate) async fn read(
        &self,
        operation: &Operation,
        account: &str,
    ) -> Result<Vec<(String, Result<Option<Transfer>, String>)>, ChainError> {
        let mut all = Vec::new();
        for (part, credit) in credits(operation, account) {
            let transfer = match credit {
                Ok(credit) => {
                    let amount = match credit.amount() {
                        Some(amount) => Ok(amount.to_owned()),
                        None => self.merged(operation, account).await?,
                    };
                    amount.and_then(|amount| credit.transfer(operation, account, &amount))
                }
                Err(why) => Err(why),
            };
            all.push((part, transfer));
        }
        Ok(all)
    }

    /// The amount that a merged account brought, which only the operation's effects state.
    async fn merged(
        &self,
        operation: &Operation,
        account: &str,
    ) -> Result<Result<String, String>, ChainError> {
        let Some(id) = operation.id() else { return Ok(Err("it has no id".to_owned())) };
        let effects = match self.node.effects(id).await {
            Ok(effects) => effects,
            Err(error) if error.is_limit() => return Err(error.into()),
            Err(error) => return Ok(Err(error.to_string())),
        };
        let credited = effects.into_iter().filter(|effect| {
            effect.kind == "account_credited"
                && effect.account == account
                && effect.asset_type.as_deref() == Some("native")
        });
        let mut amounts: Vec<String> = credited.filter_map(|effect| effect.amount).collect();
        amounts.dedup();
        Ok(match <[String; 1]>::try_from(amounts) {
            Ok([amount]) => Ok(amount),
            Err(_) => Err("it is a merge without its effect on the account".to_owned()),
        })
    }

    /// Whether the first payment after the cursor is the one with this number. Of a page in another order nothing else shows that none
    /// was left out before.
    async fn is_next(&self, cursor: &Cursor, first: u64) -> Result<bool, ChainError> {
        let next = self.node.next_payment(&self.account, &cursor.token).await?;
        let next = next.first().and_then(|raw| Operation::of(raw).ok()?.id());
        Ok(next == Some(first))
    }

    /// Named by its transaction, otherwise by its own number, or by its place in the page.
    fn set_aside(operation: Option<&Operation>, page: &str, part: &str, why: String) -> SetAside {
        let id = operation.and_then(Operation::id);
        let name = operation.and_then(Operation::hash).or_else(|| Some(Place::of_operation(id?).to_string()));
        let own = operation.and_then(Operation::part);
        let parts = [own.as_deref().unwrap_or_default(), part];
        SetAside {
            network: Network::Xlm,
            transaction: name.unwrap_or_else(|| page.to_owned()),
            part: parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
            height: id.map_or(0, |id| id >> 32),
            block: String::new(),
            why,
        }
    }
}

/// The highest number that an operation can have: a server behind the same URL can be ahead, but not by a day.
pub(crate) fn most(root: &Root) -> u64 {
    u64::from(root.history_latest_ledger.saturating_add(FOLLOWS_AT)) << 32
}

/// The number of an operation without its place in the transaction.
fn transaction_of(operation: u64) -> u64 {
    operation >> 12
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
            let cursor = Cursor::after_ledger(network, self.node.last(&root).await?).to_text();
            return Ok(Changes::new(Vec::new(), cursor, false));
        };
        let known = Cursor::read(text, network)?;
        let read_to = known.ledger()?;
        check_history(&known, &root)?;
        let page = self.node.payments(&self.account, &known.token).await?;
        let token = known.number()?;
        let look = PageReading::of(&page, &self.account, token, most(&root))?;
        if let Some((first, _)) = look.range.filter(|_| !look.is_in_order)
            && !self.is_next(&known, first).await?
        {
            return Err("Horizon gave payments in another order than was asked for".to_owned().into());
        }
        let (mut transfers, mut set_aside) = (Vec::new(), Vec::new());
        let numbered = look.numbered.iter().map(|operation| (String::new(), operation));
        let others = look.others.iter().map(|(place, operation)| (place.to_string(), operation));
        for (page, operation) in numbered.chain(others) {
            let operation = match operation {
                Ok(operation) => operation,
                Err(why) => {
                    set_aside.push(Self::set_aside(None, &page, "", why.clone()));
                    continue;
                }
            };
            if operation.id().is_some_and(|id| look.twice.contains(&id)) {
                let why = "it is there twice, and not the same".to_owned();
                set_aside.push(Self::set_aside(Some(operation), &page, "", why));
                continue;
            }
            // Without the rest of its transaction it cannot be told from an equal one that is known. It is read again with it.
            let is_rest = operation.id().is_some_and(|id| transaction_of(id) == transaction_of(token));
            for (part, read) in self.read(operation, &self.account).await? {
                match read {
                    Ok(Some(_)) if is_rest => {
                        let why = "its transaction began on the page before".to_owned();
                        set_aside.push(Self::set_aside(Some(operation), &page, &part, why));
                    }
                    Ok(transfer) => transfers.extend(transfer),
                    Err(why) => set_aside.push(Self::set_aside(Some(operation), &page, &part, why)),
                }
            }
        }
        let follows = |last: u32| last.saturating_sub(FOLLOWS_AT);
        let mut behind = read_to;
        if page.is_empty() && follows(root.history_latest_ledger) > read_to {
            behind = follows(self.node.last(&root).await?);
        }
        let cursor = match look.range {
            Some((_, last)) => Cursor::new(network, last.to_string()).with(look.behind).to_text(),
            None if behind > read_to => Cursor::after_ledger(network, behind).to_text(),
            None => known.listing(set_aside.len()).map_or_else(|| text.to_owned(), |cursor| cursor.to_text()),
        };
        // The server's page can be smaller than ours: only an empty one is the last.
        Ok(Changes { transfers, set_aside, cursor, more: look.range.is_some() })
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        let last = self.node.last(&self.node.root().await?).await?;
        Ok(match self.node.transaction(&output.transaction).await? {
            Lookup::Successful { ledger } => u64::from(last.saturating_sub(ledger)) + 1,
            Lookup::Failed { .. } | Lookup::NotFound => 0,
        })
    }

    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        let last = self.node.last(&self.node.root().await?).await?;
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
        for raw in self.node.operations(transaction).await? {
            let wrong = |why: String| format!("transaction {transaction} cannot be read: {why}");
            // It names its own transaction, and the one that this carries.
            if !raw.get().contains(&transaction.to_ascii_lowercase()) {
                return Err(wrong("the server gave an operation of another one".to_owned()).into());
            }
            let operation = Operation::of(&raw).map_err(wrong)?;
            for account in recipients(&operation) {
                for (_, found) in self.read(&operation, &account).await? {
                    transfers.extend(found.map_err(wrong)?.map(FoundTransfer::from));
                }
            }
        }
        let confirmations = confirmations(ledger);
        Ok(Some(FoundTransaction { confirmations, transfers, ..FoundTransaction::default() }))
    }

    fn rereading(&self) -> Option<&dyn Rereading> {
        Some(self)
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
