//! The database, in SQLite or PostgreSQL. Each query is written once for both; [`sqlite`] and [`postgres`] connect.
//!
//! [`ports`] implement the ports of the domain, with [`pages`] for the lists, [`rows`] for the tables, [`changes`] for
//! transactions, and [`statements`] for SQL. [`connections`] are the only place that knows which database it is.

use std::sync::Arc;

mod changes;
mod connections;
#[cfg(test)]
pub(crate) mod fixture;
pub mod migrations;
mod pages;
mod ports;
pub mod restore;
mod rows;
mod secrets;
mod statements;
#[cfg(test)]
mod tests;

use self::changes::insert_batch::InsertBatch;
pub use self::connections::connection::{On, Readers, Transaction, Writer};
use self::connections::polls::Polls;
use self::connections::watch::Watch;
use self::connections::{file_guard, time_limits};
pub use self::connections::{postgres, sqlite};
pub use self::secrets::seal;
use self::secrets::seal::Keyring;
pub use self::statements::locks;
pub use self::statements::query::{Query, Text, Value, query};
pub(crate) use self::statements::query::{locked, query_list, query_rows};
pub use self::statements::row::{Row, bad, int};
use checkout_domain::ports::{StoreError, Stored};

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
