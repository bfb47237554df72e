//! A connection to either store.

use std::sync::Arc;

use sqlx::{PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool};

use super::lost::FirstWord;
use super::remembered::Remembered;
use super::view::{View, written};
use crate::ports::{StoreError, Stored};

/// Connections that read committed data.
#[derive(Clone, Debug)]
pub(crate) enum Readers {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Connections that change. SQLite has one: changes queue here, not in the file's lock. It tells the view what it writes.
#[derive(Clone, Debug)]
pub(crate) enum Writer {
    Sqlite(SqlitePool, Arc<View>),
    Postgres(PgPool, Arc<Remembered>),
}

/// What is in memory of what is stored.
pub(super) enum Memory<'a> {
    View(&'a Arc<View>),
    Remembered(&'a Arc<Remembered>),
}

/// A change in progress, or a snapshot that is read. Dropping it changes nothing.
#[derive(Debug)]
pub(crate) enum Transaction {
    /// With the view of a change; a snapshot has none.
    Sqlite(sqlx::Transaction<'static, Sqlite>, Option<Arc<View>>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

/// Where a query runs.
pub(crate) enum On<'a> {
    SqlitePool(&'a SqlitePool),
    Sqlite(&'a mut SqliteConnection),
    PostgresPool(&'a PgPool),
    Postgres(&'a mut PgConnection),
}

/// Begins on a connection that lives.
async fn begin(
    pool: &PgPool,
    statement: &'static str,
) -> Result<sqlx::Transaction<'static, Postgres>, sqlx::Error> {
    let mut first_word = FirstWord::on(pool);
    loop {
        match pool.begin_with(statement).await {
            Err(error) if first_word.again(&error) => {}
            begun => return begun,
        }
    }
}

impl Readers {
    /// One state of all tables, for several queries.
    pub(crate) async fn snapshot(&self) -> Stored<Transaction> {
        Ok(match self {
            Self::Sqlite(pool) => Transaction::Sqlite(pool.begin().await?, None),
            Self::Postgres(pool) => {
                Transaction::Postgres(begin(pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?)
            }
        })
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl Writer {
    pub(super) async fn begin(&self) -> Stored<Transaction> {
        Ok(match self {
            Self::Sqlite(pool, view) => {
                let transaction = pool.begin_with("BEGIN IMMEDIATE").await?;
                view.forget_written();
                Transaction::Sqlite(transaction, Some(Arc::clone(view)))
            }
            Self::Postgres(pool, _) => Transaction::Postgres(begin(pool, "BEGIN").await?),
        })
    }

    pub(super) fn memory(&self) -> Memory<'_> {
        match self {
            Self::Sqlite(_, view) => Memory::View(view),
            Self::Postgres(_, memory) => Memory::Remembered(memory),
        }
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(pool, _) => pool.close().await,
            Self::Postgres(pool, _) => pool.close().await,
        }
    }
}

impl Transaction {
    pub(crate) async fn commit(mut self) -> Stored<()> {
        let Self::Sqlite(_, Some(view)) = &self else { return self.commit_now().await };
        if view.is_untouched() {
            return self.commit_now().await;
        }
        let view = Arc::clone(view);
        // Apart from the request: one that is given up while its commit is on its way is committed all the same.
        let commit = tokio::spawn(async move {
            let touched = written::touched(&view, &mut self).await?;
            let seen = view.begin(touched)?;
            let committed = self.commit_now().await;
            drop(seen);
            committed
        });
        commit.await.map_err(|error| StoreError(error.into()))?
    }

    async fn commit_now(self) -> Stored<()> {
        match self {
            Self::Sqlite(transaction, _) => transaction.commit().await?,
            Self::Postgres(transaction) => transaction.commit().await?,
        }
        Ok(())
    }
}

impl<'a> From<&'a mut Transaction> for On<'a> {
    fn from(transaction: &'a mut Transaction) -> Self {
        match transaction {
            Transaction::Sqlite(transaction, _) => Self::Sqlite(transaction),
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
