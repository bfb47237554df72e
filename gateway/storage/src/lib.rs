//! The database, in SQLite or PostgreSQL. Each query is written once for both; [`sqlite`] and [`postgres`] connect.
//!
//! A file per table reads and writes its rows (`…_row.rs`), a file per port implements it, [`locks`] has the locks of
//! changes and their order.

use std::sync::Arc;

mod archive;
mod authenticate;
mod business_row;
mod businesses;
mod callback_pages;
mod callback_row;
mod callbacks;
mod columns;
mod conditions;
mod connection;
mod credentials;
mod deposit_pages;
mod deposit_row;
mod deposit_sums_row;
mod dust_row;
mod file_guard;
#[cfg(test)]
pub(crate) mod fixture;
mod flagged;
mod insert_batch;
mod later;
mod ledger;
mod ledger_pages;
mod ledger_row;
mod listed_deposits;
mod local_readers;
pub mod locks;
mod merchant_refund_row;
pub mod migrations;
mod operators;
mod other_senders;
mod owners;
mod payment_pages;
mod payment_row;
mod payment_texts;
mod payment_with_deposits;
mod payments;
mod payout_holds;
mod payout_row;
mod payout_versions;
mod payouts;
mod poll_pool;
mod polls;
pub mod postgres;
mod query;
mod quote_row;
mod refund_pages;
mod refund_row;
mod refunds;
pub mod restore;
mod row;
pub mod seal;
mod sealing;
mod session_row;
mod settings;
mod settlement_row;
pub mod sqlite;
mod store;
#[cfg(test)]
mod tests;
mod time_limits;
mod transfers;
mod tx;
mod watch;
mod watched_addresses;
mod whitelist;
mod withdrawal_pages;
mod withdrawal_row;
mod withdrawal_rules;

pub use self::archive::Ended;
pub use self::connection::{On, Readers, Transaction, Writer};
use self::insert_batch::InsertBatch;
use self::polls::Polls;
pub use self::query::{Query, Text, Value, query};
pub(crate) use self::query::{by_statement, locked, parameters, placeholders, query_rows};
pub use self::row::{Row, bad, int};
use checkout_domain::ports::{StoreError, Stored};

use self::seal::Keyring;
use self::watch::Watch;

/// Rows of one page where a listing is read in pages.
const PAGE: u32 = 100;

/// The store, on SQLite or on PostgreSQL.
#[derive(Clone, Debug)]
pub struct Database {
    pub(crate) writer: Writer,
    /// Separate from the writer's connections, so that a change that also reads committed data cannot starve the pool.
    pub(crate) readers: Readers,
    polls: Polls,
    insert_batch: InsertBatch,
    watch: Watch,
    keys: Arc<Keyring>,
}

impl Database {
    fn new(writer: Writer, readers: Readers, polls: Polls) -> Self {
        let insert_batch = InsertBatch::new(writer.clone());
        Self { writer, readers, polls, insert_batch, watch: Watch::default(), keys: Arc::default() }
    }

    /// Committed data.
    pub fn readers(&self) -> &Readers {
        &self.readers
    }

    /// Starts a change.
    pub async fn change(&self) -> Stored<Transaction> {
        self.writer.begin().await
    }

    /// A change of one statement; how many rows it changed.
    pub async fn apply(&self, statement: Query) -> Stored<u64> {
        let mut change = self.change().await?;
        let rows = statement.execute(&mut change).await?;
        change.commit().await?;
        Ok(rows)
    }

    /// Waits for the changes in progress and closes every connection.
    pub async fn close(&self) {
        self.watch.end().await;
        self.polls.close().await;
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// The error of a statement or a connection.
pub(crate) fn failed(error: sqlx::Error) -> StoreError {
    file_guard::note(&error);
    match time_limits::hit(&error) {
        Some(limit) => StoreError(format!("{error} (limit: {limit})").into()),
        None => StoreError(error.into()),
    }
}
