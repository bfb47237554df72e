//! Connections to either database.

use std::sync::Arc;

use checkout_domain::ports::{StoreError, Stored};
use sqlx::{PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool};

use super::file_guard::FileGuard;
use crate::failed;

/// Connections that read committed data.
#[derive(Clone, Debug)]
pub enum Readers {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Connections for writes. SQLite has one, so that writes queue for it and not for the lock of the file.
#[derive(Clone, Debug)]
pub enum Writer {
    Sqlite(SqlitePool, Arc<FileGuard>),
    Postgres(PgPool),
}

/// A write transaction or a read-only snapshot. Dropping it rolls it back.
#[derive(Debug)]
pub enum Transaction {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

/// Where a query runs.
pub enum On<'a> {
    SqlitePool(&'a SqlitePool),
    Sqlite(&'a mut SqliteConnection),
    PostgresPool(&'a PgPool),
    Postgres(&'a mut PgConnection),
}

impl Readers {
    /// Starts a transaction in which all queries see the same state of the tables.
    pub async fn snapshot(&self) -> Stored<Transaction> {
        Ok(match self {
            Self::Sqlite(pool) => Transaction::Sqlite(pool.begin().await.map_err(failed)?),
            Self::Postgres(pool) => Transaction::Postgres(
                pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await.map_err(failed)?,
            ),
        })
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl Writer {
    pub(crate) async fn begin(&self) -> Stored<Transaction> {
        Ok(match self {
            Self::Sqlite(pool, file) => {
                file.check().await?;
                Transaction::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?)
            }
            Self::Postgres(pool) => Transaction::Postgres(pool.begin().await.map_err(failed)?),
        })
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(pool, _) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl Transaction {
    pub async fn commit(self) -> Stored<()> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await.map_err(failed)?,
            Self::Postgres(transaction) => transaction.commit().await.map_err(uncommitted)?,
        }
        Ok(())
    }
}

/// Only a server that keeps running after its answer guarantees that nothing was stored. Class 57 means that
/// the server is stopping.
fn uncommitted(error: sqlx::Error) -> StoreError {
    match &error {
        sqlx::Error::Database(said) if said.code().is_some_and(|code| !code.starts_with("57")) => {
            failed(error)
        }
        _ => StoreError::unknown(error),
    }
}

impl<'a> From<&'a mut Transaction> for On<'a> {
    fn from(transaction: &'a mut Transaction) -> Self {
        match transaction {
            Transaction::Sqlite(transaction) => Self::Sqlite(transaction),
            Transaction::Postgres(transaction) => Self::Postgres(transaction),
        }
    }
}

impl<'a> From<&'a Readers> for On<'a> {
    fn from(readers: &'a Readers) -> Self {
        match readers {
            Readers::Sqlite(pool) => Self::SqlitePool(pool),
            Readers::Postgres(pool) => Self::PostgresPool(pool),
        }
    }
}
