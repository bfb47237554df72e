//! The database: SQLite or PostgreSQL. Each query is written once for both; [`sqlite`] and [`postgres`] connect.
//!
//! Each `…_row.rs` file reads and writes the rows of one table. One file per port implements it. [`locks`] defines what
//! a change locks and in which order.

mod authenticate;
mod business_row;
mod callbacks;
mod connection;
mod credentials;
mod deposit_row;
#[cfg(test)]
pub(crate) mod fixture;
mod flagged;
mod insert_batch;
mod ledger;
pub mod locks;
pub(crate) mod migrations;
mod payment_row;
mod payment_with_deposits;
mod payouts;
pub mod postgres;
mod query;
mod refund_row;
mod row;
mod session_row;
mod settlement_row;
pub mod sqlite;
mod store;
#[cfg(test)]
mod tests;
mod tx;
mod whitelist;
mod withdrawal_row;

pub use self::connection::{On, Readers, Transaction, Writer};
use self::insert_batch::InsertBatch;
pub use self::query::{Query, Text, query};
pub(crate) use self::query::{locked, placeholders};
pub use self::row::{Row, bad, int};
use crate::ports::{StoreError, Stored};

/// Rows per page, for listings that are read in pages.
const PAGE: u32 = 100;

/// The store, on SQLite or on PostgreSQL.
#[derive(Clone, Debug)]
pub struct Database {
    pub(crate) writer: Writer,
    /// Separate from the writer's connections, so that a change that also reads committed data cannot starve the pool.
    pub(crate) readers: Readers,
    insert_batch: InsertBatch,
}

impl Database {
    pub(crate) fn new(writer: Writer, readers: Readers) -> Self {
        let insert_batch = InsertBatch::new(writer.clone());
        Self { writer, readers, insert_batch }
    }

    /// Returns the connections that read committed data.
    pub fn readers(&self) -> &Readers {
        &self.readers
    }

    /// Starts a transaction.
    pub async fn change(&self) -> Stored<Transaction> {
        self.writer.begin().await
    }

    /// Runs one statement in its own transaction. Returns the number of changed rows.
    pub async fn apply(&self, statement: Query) -> Stored<u64> {
        let mut change = self.change().await?;
        let rows = statement.execute(&mut change).await?;
        change.commit().await?;
        Ok(rows)
    }

    /// Waits for open transactions and closes all connections.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self(error.into())
    }
}
