//! The store in one SQLite file: one writer, several readers, every commit on the disk before it is answered.

mod business_row;
mod callbacks;
mod console;
mod credentials;
mod deposit_row;
mod ledger;
mod payment_row;
mod payouts;
mod refund_row;
mod row;
mod settlement_row;
mod store;
mod tx;
mod whitelist;
mod withdrawal_row;

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::Duration;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::pool::PoolConnectionMetadata;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection as _, SqlitePool};

use crate::ports::{StoreError, Stored};

/// Every migration, in order. What was released is never edited: a new file is added.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "payments", include_str!("../../migrations/0001_payments.sql")),
    (2, "sandbox", include_str!("../../migrations/0002_sandbox.sql")),
    (3, "money", include_str!("../../migrations/0003_money.sql")),
    (4, "callbacks", include_str!("../../migrations/0004_callbacks.sql")),
    (5, "credentials", include_str!("../../migrations/0005_credentials.sql")),
    (6, "console", include_str!("../../migrations/0006_console.sql")),
];

/// Rows of one page where a listing is read in pages.
const PAGE: u32 = 100;

/// Readers at a time.
const READERS: u32 = 4;

/// How long a writer of another process may hold the file.
const BUSY: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
pub struct Sqlite {
    /// One connection: changes queue here, not in the file's lock.
    pub(crate) writer: SqlitePool,
    pub(crate) readers: SqlitePool,
}

impl Sqlite {
    /// Opens the file, makes it when it is missing, and brings its tables up to date.
    pub async fn open(path: &Path) -> Stored<Self> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| StoreError(error.into()))?;
        }
        make_private(path).map_err(|error| StoreError(error.into()))?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY);
        let pool = || SqlitePoolOptions::new().acquire_timeout(BUSY).idle_timeout(None).max_lifetime(None);
        let writer = pool().max_connections(1).before_acquire(outside_a_change);
        let writer = writer.connect_with(options.clone()).await?;
        migrations().run(&writer).await.map_err(|error| StoreError(error.into()))?;
        let readers = pool().max_connections(READERS).connect_with(options.read_only(true)).await?;
        Ok(Self { writer, readers })
    }

    /// Waits for the change in progress and closes the file.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// When a disk is full, SQLite takes a change back by itself, and the connection believes that it is still in it for ever.
/// Such a connection is closed; the next change gets another one.
fn outside_a_change(
    connection: &mut SqliteConnection,
    _: PoolConnectionMetadata,
) -> Pin<Box<dyn Future<Output = sqlx::Result<bool>> + Send + '_>> {
    Box::pin(std::future::ready(Ok(!connection.is_in_transaction())))
}

/// Makes the file before SQLite does: others on the machine cannot read what is in it.
fn make_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// The file that a database URL names: `sqlite:PATH` or `sqlite://PATH`.
pub fn path_of(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    (!path.is_empty()).then(|| PathBuf::from(path))
}

fn migrations() -> Migrator {
    let migrations = MIGRATIONS.iter().map(|(version, name, sql)| {
        let sql = sqlx::SqlStr::from_static(sql);
        Migration::new(*version, (*name).into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_urls() {
        let check = |url: &str, expected: Option<&str>| {
            assert_eq!(path_of(url), expected.map(PathBuf::from), "{url:?}");
        };
        check("sqlite:checkout.db", Some("checkout.db"));
        check("sqlite:/var/lib/checkout.db", Some("/var/lib/checkout.db"));
        check("sqlite:///var/lib/checkout.db", Some("/var/lib/checkout.db"));
        check("sqlite:", None);
        check("postgres://localhost/checkout", None);
    }
}
