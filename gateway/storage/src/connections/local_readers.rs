//! Connections that read on the thread of their request. sqlx runs each of its connections on a thread of its own, and
//! waiting for another thread takes longer than a read of two rows.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use checkout_domain::ports::{StoreError, Stored};
use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags};

use super::file_guard;

/// How long a read waits for a lock. In WAL mode no write blocks it; only another process's recovery of the file does.
const BUSY: Duration = Duration::from_millis(100);

/// Idle connections. A read does not wait, so there are at most as many as threads that handle requests.
#[derive(Clone, Debug)]
pub(crate) struct LocalReaders {
    path: PathBuf,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl LocalReaders {
    pub(crate) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), idle: Arc::default() }
    }

    /// For a short read by a key: it blocks the thread.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Stored<T> {
        let idle = self.idle.lock().pop();
        let connection = idle.map_or_else(|| self.open(), Ok).map_err(failed)?;
        let value = read(&connection).map_err(failed)?;
        self.idle.lock().push(connection);
        Ok(value)
    }

    pub(crate) fn close(&self) {
        self.idle.lock().clear();
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(BUSY)?;
        Ok(connection)
    }
}

fn failed(error: rusqlite::Error) -> StoreError {
    file_guard::note_code(error.sqlite_error().map(|said| said.extended_code));
    StoreError(error.into())
}
