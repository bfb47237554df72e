//! Typed requests to a server.

use checkout_chain_http::gate::Budget;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::NetworkId;
use crate::answers::{
    Account, AccountInfo, AccountTransactions, Blob, Fee, Found, Info, LedgerAnswer, ServerInfo, Submitted,
    Validated,
};
use crate::entry::LedgerEntry;
use crate::rpc::Rpc;
use checkout_chain_http::NodeError;

/// Transactions per page of an account's list; servers cap it at this.
const PAGE: u32 = 200;

#[derive(Debug)]
pub struct Node {
    rpc: Rpc,
    network: NetworkId,
}

/// The status of a transaction.
pub enum Lookup {
    /// In a validated ledger, with its result code.
    Validated { ledger: u32, result: String },
    /// In an open or closed ledger that is not validated.
    Pending,
    /// Not in the ledgers that the server has.
    NotFound,
}

/// An account as of a validated ledger.
pub struct AccountAt {
    pub account: Account,
    pub ledger: u32,
}

/// A server that is on the right network and has a validated ledger.
pub struct Server {
    pub complete_ledgers: String,
    pub validated: Validated,
}

impl Node {
    pub fn new(url: &str, network: NetworkId) -> Result<Self, String> {
        Ok(Self { rpc: Rpc::new(url)?, network })
    }

    /// No more requests than this.
    #[must_use]
    pub fn with_budget(self, budget: Option<Budget>) -> Self {
        Self { rpc: self.rpc.with_budget(budget), ..self }
    }

    pub fn network(&self) -> NetworkId {
        self.network
    }

    pub async fn info(&self) -> Result<Info, NodeError> {
        Ok(self.rpc.call::<ServerInfo>("server_info", json!({})).await?.info)
    }

    /// Fails if the server is on another network.
    pub async fn server(&self) -> Result<Server, NodeError> {
        let wrong = |why: String| Err(NodeError::malformed("server_info", why));
        let info = self.info().await?;
        let found = info.network_id.unwrap_or(0);
        if found != self.network {
            return wrong(format!("the server is on network {found}, and {} is configured", self.network));
        }
        match info.validated_ledger {
            Some(validated) => Ok(Server { complete_ledgers: info.complete_ledgers, validated }),
            None => wrong("the server has no validated ledger yet".to_owned()),
        }
    }

    /// From the last validated ledger; `None` if the account does not exist.
    pub async fn account(&self, address: &str) -> Result<Option<Account>, NodeError> {
        self.account_by(address, json!({"account": address, "ledger_index": "validated"})).await
    }

    /// As of the ledger with this hash, which no other network has; `None` if the account does not exist.
    pub async fn account_in(&self, address: &str, ledger_hash: &str) -> Result<Option<Account>, NodeError> {
        self.account_by(address, json!({"account": address, "ledger_hash": ledger_hash})).await
    }

    async fn account_by(&self, address: &str, params: Value) -> Result<Option<Account>, NodeError> {
        match self.rpc.call::<AccountInfo>("account_info", params).await {
            Ok(AccountInfo { account_data, .. }) => {
                is_about("account_info", address, account_data.account.as_deref())?;
                Ok(Some(account_data))
            }
            Err(error) if error.is("actNotFound") => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The account and the validated ledger that shows it so, in one answer of one server.
    pub async fn account_at(&self, address: &str) -> Result<Option<AccountAt>, NodeError> {
        let params = json!({"account": address, "ledger_index": "validated"});
        match self.rpc.call::<AccountInfo>("account_info", params).await {
            Ok(AccountInfo { account_data: account, ledger_index: Some(ledger), validated: true }) => {
                is_about("account_info", address, account.account.as_deref())?;
                Ok(Some(AccountAt { account, ledger }))
            }
            Ok(_) => Err(NodeError::malformed("account_info", "the validated ledger is not named")),
            Err(error) if error.is("actNotFound") => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the account's transactions in all ledgers that the server has, newest first.
    pub async fn newest_transactions(
        &self,
        account: &str,
        marker: Option<&Value>,
    ) -> Result<AccountTransactions, NodeError> {
        let params = json!({
            "account": account, "ledger_index_min": -1, "ledger_index_max": -1, "forward": false, "limit": PAGE
        });
        self.page(account, params, marker).await
    }

    /// Returns the account's transactions in these ledgers, oldest first.
    pub async fn transactions(
        &self,
        account: &str,
        (first, last): (u32, u32),
        marker: Option<&Value>,
    ) -> Result<AccountTransactions, NodeError> {
        let params = json!({
            "account": account, "ledger_index_min": first, "ledger_index_max": last, "forward": true, "limit": PAGE
        });
        self.page(account, params, marker).await
    }

    async fn page(
        &self,
        account: &str,
        mut params: Value,
        marker: Option<&Value>,
    ) -> Result<AccountTransactions, NodeError> {
        if let Some(marker) = marker {
            params["marker"] = marker.clone();
        }
        let answer: AccountTransactions = self.rpc.call("account_tx", params).await?;
        is_about("account_tx", account, answer.account.as_deref())?;
        Ok(answer)
    }

    pub async fn transaction(&self, hash: &str) -> Result<Lookup, NodeError> {
        let params = json!({"transaction": hash, "binary": false});
        let found = match self.rpc.call::<Found>("tx", params).await {
            Ok(found) => found,
            Err(error) if error.is("txnNotFound") => return Ok(Lookup::NotFound),
            Err(error) => return Err(error),
        };
        is_about("tx", hash, found.hash.as_deref())?;
        match found {
            Found { validated: true, ledger_index: Some(ledger), meta: Some(meta), .. } => {
                Ok(Lookup::Validated { ledger, result: meta.result })
            }
            Found { validated: true, .. } => {
                Err(NodeError::malformed("tx", "the ledger or the metadata is missing"))
            }
            _ => Ok(Lookup::Pending),
        }
    }

    /// A transaction in a validated ledger with all that is read of it; `None` if it is in none that the server has.
    pub async fn validated(&self, hash: &str) -> Result<Option<LedgerEntry>, NodeError> {
        let params = json!({"transaction": hash, "binary": false});
        match self.rpc.call::<Box<RawValue>>("tx", params).await {
            Ok(answer) => {
                let entry = LedgerEntry::of_answer(&answer).map_err(|why| NodeError::malformed("tx", why))?;
                is_about("tx", hash, entry.hash().as_deref())?;
                Ok(Some(entry).filter(|entry| entry.is_validated() == Ok(true)))
            }
            Err(error) if error.is("txnNotFound") => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The signed form of a transaction; `None` if the server does not have it.
    pub async fn signed(&self, hash: &str) -> Result<Option<Vec<u8>>, NodeError> {
        let params = json!({"transaction": hash, "binary": true});
        match self.rpc.call::<Blob>("tx", params).await {
            Ok(blob) if blob.network().is_some_and(|network| network != self.network) => {
                Err(NodeError::malformed("tx", "it is on another network"))
            }
            Ok(blob) => {
                let bytes = hex::decode(&blob.tx_blob).map_err(|error| NodeError::malformed("tx", error))?;
                Ok(Some(bytes))
            }
            Err(error) if error.is("txnNotFound") => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub async fn last_ledger(&self) -> Result<LedgerAnswer, NodeError> {
        self.rpc.call("ledger", json!({"ledger_index": "validated"})).await
    }

    /// The last validated ledger, as two answers of the server have it.
    pub async fn last(&self) -> Result<u32, NodeError> {
        let validated = self.server().await?.validated.seq;
        Ok(validated.min(self.last_ledger().await?.ledger_index))
    }

    /// Returns the current fee for the open ledger, in drops.
    pub async fn fee(&self) -> Result<u64, NodeError> {
        let fee: Fee = self.rpc.call("fee", json!({})).await?;
        let read = |text: &str| text.parse::<u64>().map_err(|error| NodeError::malformed("fee", error));
        Ok(read(&fee.drops.base_fee)?.max(read(&fee.drops.open_ledger_fee)?))
    }

    /// The preliminary result, which is not final.
    pub async fn submit(&self, blob: &str) -> Result<Submitted, NodeError> {
        self.rpc.call("submit", json!({"tx_blob": blob})).await
    }
}

/// What stands between may give the answer to another question.
fn is_about(call: &str, asked: &str, answered: Option<&str>) -> Result<(), NodeError> {
    match answered {
        Some(other) if !other.eq_ignore_ascii_case(asked) => {
            Err(NodeError::malformed(call, format!("it is about {other}")))
        }
        _ => Ok(()),
    }
}
