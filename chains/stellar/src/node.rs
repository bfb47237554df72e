//! Typed requests to Horizon.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use checkout_chain_http::gate::Budget;
use serde::de::DeserializeOwned;

use crate::answers::{Account, Effect, FeeStats, Found, Ledger, Listed, Operation, Page, Root, Submitted};
use crate::horizon::{Horizon, is_not_found};
use checkout_chain_http::NodeError;

/// Operations in one page; Horizon caps it at this.
pub const PAGE: usize = 200;

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

    /// Returns the account's incoming and outgoing payments after a paging token, oldest first.
    pub async fn payments(&self, account: &str, cursor: &str) -> Result<Vec<Operation>, NodeError> {
        let limit = PAGE.to_string();
        let query = [("cursor", cursor), ("order", "asc"), ("limit", &limit), ("join", "transactions")];
        self.records(&format!("accounts/{account}/payments"), &query).await
    }

    /// Returns the operations of a transaction.
    pub async fn operations(&self, hash: &str) -> Result<Vec<Operation>, NodeError> {
        let limit = PAGE.to_string();
        let query = [("limit", limit.as_str()), ("join", "transactions")];
        self.records(&format!("transactions/{hash}/operations"), &query).await
    }

    pub async fn effects(&self, operation: &str) -> Result<Vec<Effect>, NodeError> {
        self.records(&format!("operations/{operation}/effects"), &[("limit", "200")]).await
    }

    pub async fn last_ledger(&self) -> Result<Ledger, NodeError> {
        let ledgers = self.records("ledgers", &[("order", "desc"), ("limit", "1")]).await?;
        ledgers.into_iter().next().ok_or_else(|| NodeError::malformed("ledgers", "the list is empty"))
    }

    /// The same on every server that has it.
    pub async fn ledger(&self, sequence: u32) -> Result<Ledger, NodeError> {
        self.horizon.get(&format!("ledgers/{sequence}"), &[]).await
    }

    /// Also returns the ledger whose state the answer shows; `None` if the server does not name it.
    pub async fn account_at(&self, address: &str) -> Result<Option<(Account, Option<u32>)>, NodeError> {
        match self.horizon.get_state(&format!("accounts/{address}")).await {
            Ok(found) => Ok(Some(found)),
            Err(error) if is_not_found(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the account's transactions before a paging token, the failed ones, too, newest first.
    pub async fn newest_transactions(
        &self,
        account: &str,
        before: Option<&str>,
    ) -> Result<Vec<Listed>, NodeError> {
        let limit = PAGE.to_string();
        let mut query = vec![("order", "desc"), ("limit", limit.as_str()), ("include_failed", "true")];
        query.extend(before.map(|token| ("cursor", token)));
        self.records(&format!("accounts/{account}/transactions"), &query).await
    }

    /// Returns `None` if the account does not exist.
    pub async fn account(&self, address: &str) -> Result<Option<Account>, NodeError> {
        match self.horizon.get(&format!("accounts/{address}"), &[]).await {
            Ok(account) => Ok(Some(account)),
            Err(error) if is_not_found(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub async fn transaction(&self, hash: &str) -> Result<Lookup, NodeError> {
        match self.horizon.get(&format!("transactions/{hash}"), &[]).await {
            Ok(Found { successful: true, ledger }) => Ok(Lookup::Successful { ledger }),
            Ok(Found { successful: false, ledger }) => Ok(Lookup::Failed { ledger }),
            Err(error) if is_not_found(&error) => Ok(Lookup::NotFound),
            Err(error) => Err(error),
        }
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

    async fn records<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<Vec<T>, NodeError> {
        Ok(self.horizon.get::<Page<T>>(path, query).await?.embedded.records)
    }
}
