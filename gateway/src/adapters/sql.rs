//! Every query, once, for both stores. How to connect, to begin a change and to bring the tables up to date is each
//! store's own: [`sqlite`](super::sqlite), [`postgres`](super::postgres).

mod batches;
mod business_row;
mod callbacks;
mod connection;
mod console;
mod credentials;
mod deposit_row;
#[cfg(test)]
pub(crate) mod fixture;
mod flagged;
mod known;
mod ledger;
pub(crate) mod locks;
mod lost;
pub(crate) mod migrations;
pub(crate) mod newcomers;
mod payment_row;
mod payouts;
mod query;
mod refund_row;
mod remembered;
mod row;
mod session_row;
mod settlement_row;
mod shelf;
mod store;
#[cfg(test)]
mod tests;
mod tx;
mod view;
mod whitelist;
mod withdrawal_row;

pub(crate) use self::connection::{On, Readers, Transaction, Writer};
use self::newcomers::Newcomers;
pub(crate) use self::query::{Query, Text, locked, places, query};
pub(crate) use self::row::Row;
pub(crate) use self::view::View;
use crate::ports::{StoreError, Stored};

/// Rows of one page where a listing is read in pages.
const PAGE: u32 = 100;

/// The store, on SQLite or on PostgreSQL.
#[derive(Clone, Debug)]
pub struct Database {
    pub(crate) writer: Writer,
    /// Apart from the writer's connections: who has one of those and reads beside it waits for nobody who does the same.
    pub(crate) readers: Readers,
    pub(crate) newcomers: Newcomers,
}

impl Database {
    /// Starts a change.
    pub(crate) async fn change(&self) -> Stored<Transaction> {
        self.writer.begin().await
    }

    /// A change of one statement; how many rows it changed.
    pub(crate) async fn apply(&self, statement: Query) -> Stored<u64> {
        let mut change = self.change().await?;
        let rows = statement.execute(&mut change).await?;
        change.commit().await?;
        Ok(rows)
    }

    /// Waits for the changes in progress and closes every connection.
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
