//! Typed requests to Horizon.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_chain_http::gate::Budget;
use serde_json::value::RawValue;

use crate::answers::{Account, Effect, FeeStats, Found, Ledger, Page, Root, Submitted};
use crate::horizon::{Horizon, is_not_found};
use checkout_chain_http::{Fields, NodeError};

/// Records in one page; Horizon caps it at this, and a server may give fewer.
const PAGE: &str = "200";

/// Pages of a list that is read to its end.
const MOST_PAGES: usize = 1_000;

#[derive(Debug)]
pub struct Node {
    horizon: Horizon,
    passphrase: String,
}

/// The result of a transaction.
pub enum Lookup {
    Successful {
        ledger: u32,
    },
    /// Failed: it took its fee and sequence number, and nothing else.
    Failed {
        ledger: u32,
    },
    NotFound,
}

impl Node {
    /// `passphrase`: of the network that the server must be on.
    pub fn new(url: &str, passphrase: &str) -> Result<Self, String> {
        Ok(Self { horizon: Horizon::new(url)?, passphrase: passphrase.to_owned() })
    }

    /// No more requests than this.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self { horizon: self.horizon.with_budget(budget), ..self }
    }

    pub fn passphrase(&self) -> &str {
        &self.passphrase
    }

    pub async fn any_root(&self) -> Result<Root, NodeError> {
        self.horizon.get("", &[]).await
    }

    /// Fails if the server is on another network.
    pub async fn root(&self) -> Result<Root, NodeError> {
        let root = self.any_root().await?;
        if root.network_passphrase == self.passphrase {
            return Ok(root);
        }
        let (found, expected) = (&root.network_passphrase, &self.passphrase);
        Err(NodeError::malformed("/", format!("the server is on '{found}', and '{expected}' is configured")))
    }

    /// Returns a page of the account's incoming and outgoing payments after a paging token, oldest first.
    pub async fn payments(&self, account: &str, cursor: &str) -> Result<Vec<Box<RawValue>>, NodeError> {
        self.payments_after(account, cursor, PAGE).await
    }

    /// Returns the first payment after a paging token.
    pub async fn next_payment(&self, account: &str, cursor: &str) -> Result<Vec<Box<RawValue>>, NodeError> {
        self.payments_after(account, cursor, "1").await
    }

    async fn payments_after(
        &self,
        account: &str,
        cursor: &str,
        limit: &str,
    ) -> Result<Vec<Box<RawValue>>, NodeError> {
        let query = [("cursor", cursor), ("order", "asc"), ("limit", limit), ("join", "transactions")];
        self.records(&format!("accounts/{account}/payments"), &query).await
    }

    /// Returns the operations of a transaction.
    pub async fn operations(&self, hash: &str) -> Result<Vec<Box<RawValue>>, NodeError> {
        self.all(&format!("transactions/{hash}/operations"), &[("join", "transactions")]).await
    }

    /// Returns those that can be read.
    pub async fn effects(&self, operation: u64) -> Result<Vec<Effect>, NodeError> {
        let all = self.all(&format!("operations/{operation}/effects"), &[]).await?;
        let all = all.iter().filter_map(|raw| serde_json::from_str(raw.get()).ok());
        let own = format!("{operation}-");
        Ok(all.filter(|effect: &Effect| effect.paging_token.starts_with(&own)).collect())
    }

    /// The last ledger, as two answers of the server have it: nothing is read before a cursor that was set to a wrong one, and
    /// confirmations are counted to it.
    pub async fn last(&self, root: &Root) -> Result<u32, NodeError> {
        Ok(root.history_latest_ledger.min(self.last_ledger().await?.sequence))
    }

    pub async fn last_ledger(&self) -> Result<Ledger, NodeError> {
        let ledgers = self.records("ledgers", &[("order", "desc"), ("limit", "1")]).await?;
        let last = ledgers.first().ok_or_else(|| NodeError::malformed("ledgers", "the list is empty"))?;
        serde_json::from_str(last.get()).map_err(|error| NodeError::malformed("ledgers", error))
    }

    /// The same on every server that has it.
    pub async fn ledger(&self, sequence: u32) -> Result<Ledger, NodeError> {
        let ledger: Ledger = self.horizon.get(&format!("ledgers/{sequence}"), &[]).await?;
        is_about("ledgers", ledger.sequence == sequence)?;
        Ok(ledger)
    }

    /// Also returns the ledger whose state the answer shows; `None` if the server does not name it.
    pub async fn account_at(&self, address: &str) -> Result<Option<(Account, Option<u32>)>, NodeError> {
        match self.horizon.get_state::<Account>(&format!("accounts/{address}")).await {
            Ok((account, ledger)) => {
                is_about("accounts", account.is(address))?;
                Ok(Some((account, ledger)))
            }
            Err(error) if is_not_found(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns a page of the account's transactions before a paging token, the failed ones, too, newest first.
    pub async fn newest_transactions(
        &self,
        account: &str,
        before: Option<&str>,
    ) -> Result<Vec<Box<RawValue>>, NodeError> {
        let mut query = vec![("order", "desc"), ("limit", PAGE), ("include_failed", "true")];
        query.extend(before.map(|token| ("cursor", token)));
        self.records(&format!("accounts/{account}/transactions"), &query).await
    }

    /// Returns `None` if the account does not exist.
    pub async fn account(&self, address: &str) -> Result<Option<Account>, NodeError> {
        Ok(self.account_at(address).await?.map(|(account, _)| account))
    }

    pub async fn transaction(&self, hash: &str) -> Result<Lookup, NodeError> {
        let found: Found = match self.horizon.get(&format!("transactions/{hash}"), &[]).await {
            Ok(found) => found,
            Err(error) if is_not_found(&error) => return Ok(Lookup::NotFound),
            Err(error) => return Err(error),
        };
        is_about("transactions", found.is(hash))?;
        let ledger = found.ledger;
        Ok(if found.successful { Lookup::Successful { ledger } } else { Lookup::Failed { ledger } })
    }

    /// Returns the fee per operation needed for the next ledger, in stroops.
    pub async fn fee(&self) -> Result<u32, NodeError> {
        let stats: FeeStats = self.horizon.get("fee_stats", &[]).await?;
        let read = |text: &str| text.parse::<u32>().map_err(|error| NodeError::malformed("fee_stats", error));
        Ok(read(&stats.last_ledger_base_fee)?.max(read(&stats.fee_charged.p95)?))
    }

    /// The preliminary result: `PENDING`, `DUPLICATE`, `TRY_AGAIN_LATER` or `ERROR`.
    pub async fn submit(&self, envelope: &[u8]) -> Result<String, NodeError> {
        let text = STANDARD.encode(envelope);
        let answer: Submitted = self.horizon.post("transactions_async", ("tx", &text)).await?;
        Ok(answer.tx_status)
    }

    /// Reads pages until one is empty.
    async fn all(&self, path: &str, query: &[(&str, &str)]) -> Result<Vec<Box<RawValue>>, NodeError> {
        let (mut all, mut after) = (Vec::new(), None::<String>);
        for _ in 0..MOST_PAGES {
            let mut query = [query, &[("limit", PAGE)]].concat();
            query.extend(after.as_deref().map(|token| ("cursor", token)));
            let page = self.records(path, &query).await?;
            let last = page.iter().rev().find_map(|raw| token(raw));
            // A server that does not know the cursor gives the same page again.
            if last == after {
                return Ok(all);
            }
            all.extend(page);
            if last.is_none() {
                return Ok(all);
            }
            after = last;
        }
        Err(NodeError::malformed(path, "the list does not end"))
    }

    async fn records(&self, path: &str, query: &[(&str, &str)]) -> Result<Vec<Box<RawValue>>, NodeError> {
        Ok(self.horizon.get::<Page>(path, query).await?.embedded.records)
    }
}

/// What stands between may give the answer to another question.
fn is_about(path: &str, is_it: bool) -> Result<(), NodeError> {
    if is_it { Ok(()) } else { Err(NodeError::malformed(path, "it is about another one")) }
}

/// The paging token of a record.
pub fn token(raw: &RawValue) -> Option<String> {
    Fields::of(raw).ok()?.need("paging_token").ok()
}
