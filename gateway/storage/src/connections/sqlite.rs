//! A SQLite database with one writer and several readers. Every commit is synced to the disk before its response.

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use checkout_domain::ports::{StoreError, Stored};
use sqlx::Connection as _;
use sqlx::pool::PoolConnectionMetadata;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};

use super::file_guard::FileGuard;
use super::local_readers::LocalReaders;
use super::polls::Polls;
use crate::failed;
use crate::{Database, Readers, Writer, migrations, restore};

/// Number of connections for reads.
const READERS: u32 = 4;

/// Bytes of a page of a new file. A change writes whole pages, mostly one for each index of a row.
const PAGE: u32 = 1_024;

/// Pages of the log after which they are written to the file: 4 MB.
const LOGGED: &str = "4096";

/// How long a connection waits for another process's lock, and a request for a connection.
const BUSY: Duration = Duration::from_secs(10);

/// Opens the file, creates it if needed, and migrates it.
pub async fn open(path: &Path) -> Stored<Database> {
    open_with_patience(path, 1).await
}

/// The same, with time limits `factor` times as long: for tests on a busy machine.
pub async fn open_with_patience(path: &Path, factor: u32) -> Stored<Database> {
    let busy = BUSY * factor;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| StoreError(error.into()))?;
    }
    let restoring = restore::folder_of(path);
    if restoring.exists() {
        return Err(StoreError(interrupted(path, &restoring).into()));
    }
    make_private(path).map_err(|error| StoreError(error.into()))?;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .page_size(PAGE)
        .pragma("wal_autocheckpoint", LOGGED)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(busy);
    // A connection to a file is not closed from outside: nothing to test before each use.
    let pool = || {
        let limits = SqlitePoolOptions::new().acquire_timeout(busy).idle_timeout(None).max_lifetime(None);
        limits.test_before_acquire(false)
    };
    let writer = pool().max_connections(1).before_acquire(outside_a_change);
    let writer = writer.connect_with(options.clone()).await.map_err(failed)?;
    migrations::GATEWAY.sqlite().run(&writer).await.map_err(|error| StoreError(error.into()))?;
    let readers =
        pool().max_connections(READERS).connect_with(options.read_only(true)).await.map_err(failed)?;
    let polls = Polls::Sqlite(LocalReaders::new(path));
    let guard = FileGuard::new(path).map_err(|error| StoreError(error.into()))?;
    Ok(Database::new(Writer::Sqlite(writer, Arc::new(guard)), Readers::Sqlite(readers), polls))
}

fn interrupted(path: &Path, restoring: &Path) -> String {
    let rest = if path.exists() {
        format!(", or delete {} to keep the database as it is", restoring.display())
    } else {
        String::new()
    };
    format!("a restore of it is running or was interrupted: run `checkout restore` again{rest}")
}

/// Rejects a connection that is still in a transaction, which the pool then closes. On a full disk, SQLite rolls a
/// transaction back by itself, and sqlx still counts it as open.
fn outside_a_change(
    connection: &mut SqliteConnection,
    _: PoolConnectionMetadata,
) -> Pin<Box<dyn Future<Output = sqlx::Result<bool>> + Send + '_>> {
    Box::pin(std::future::ready(Ok(!connection.is_in_transaction())))
}

/// Creates the file before SQLite does, accessible only to its owner. Existing files become so, too.
fn make_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)?;
    #[cfg(unix)]
    for suffix in ["", "-wal", "-shm"] {
        use std::os::unix::fs::PermissionsExt as _;
        let mut file = path.as_os_str().to_owned();
        file.push(suffix);
        match std::fs::metadata(&file) {
            Ok(found) if found.permissions().mode() & 0o077 != 0 => {
                std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the file of a database URL: `sqlite:PATH` or `sqlite://PATH`.
pub fn path_of(url: &str) -> Option<PathBuf> {
    let path = url.strip_prefix("sqlite:")?;
    let path = path.strip_prefix("//").unwrap_or(path);
    (!path.is_empty()).then(|| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[tokio::test]
    async fn a_database_readable_by_others_becomes_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkout.db");
        open(&path).await.unwrap().close().await;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let database = open(&path).await.unwrap();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap();
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", file.file_name());
        }
        database.close().await;
    }

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
