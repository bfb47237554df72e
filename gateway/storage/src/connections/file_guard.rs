//! The file of a SQLite database, watched while it is open. A file that is gone or was replaced would still be written
//! to, and everything written would be lost; one that is damaged must not be written to any more.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use checkout_domain::ports::{StoreError, Stored};
use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags};

/// Interval at which the file is opened anew: the connections have read much of it before.
const LOOK: Duration = Duration::from_secs(1);

/// How long to wait for another process's lock.
const BUSY: Duration = Duration::from_secs(5);

/// Answers that said that a file is damaged.
static DAMAGED: AtomicU64 = AtomicU64::new(0);

/// Notes an error that says so. The next change looks at the whole file before it begins.
pub(crate) fn note(error: &sqlx::Error) {
    // The codes of PostgreSQL have five characters, and are no such numbers.
    note_code(error.as_database_error().and_then(|said| said.code()?.parse().ok()));
}

/// The same with an extended code of SQLite: <https://www.sqlite.org/rescode.html>.
pub(crate) fn note_code(code: Option<i32>) {
    // SQLITE_CORRUPT and SQLITE_NOTADB.
    if code.is_some_and(|code| matches!(code & 0xff, 11 | 26) && code < 10_000) {
        DAMAGED.fetch_add(1, Ordering::SeqCst);
    }
}

#[derive(Debug)]
pub struct FileGuard {
    path: PathBuf,
    /// Device and number of the file.
    identity: (u64, u64),
    state: Mutex<FileState>,
}

#[derive(Clone, Debug)]
struct FileState {
    looked: Instant,
    /// The value of [`DAMAGED`] that was looked into.
    damaged: u64,
    /// Why nothing is written any more, until a restart.
    fault: Option<String>,
}

impl FileGuard {
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let state =
            FileState { looked: Instant::now(), damaged: DAMAGED.load(Ordering::SeqCst), fault: None };
        Ok(Self {
            path: path.to_owned(),
            identity: identity(&std::fs::metadata(path)?),
            state: Mutex::new(state),
        })
    }

    /// Refuses a change if the file is gone or damaged.
    pub(crate) async fn check(&self) -> Stored<()> {
        let known = self.state.lock().clone();
        let damaged = DAMAGED.load(Ordering::SeqCst);
        let fault = match known.fault {
            Some(fault) => Some(fault),
            None => match self.misplaced() {
                Some(fault) => Some(fault),
                None if damaged != known.damaged => self.look("PRAGMA quick_check(1)").await?,
                None if known.looked.elapsed() >= LOOK => self.look("PRAGMA schema_version").await?,
                None => return Ok(()),
            },
        };
        if let (Some(fault), None) = (&fault, &self.state.lock().fault) {
            tracing::error!(file = %self.path.display(), fault, "nothing is written to the database any more");
        }
        *self.state.lock() = FileState { looked: Instant::now(), damaged, fault: fault.clone() };
        fault.map_or(Ok(()), |fault| Err(StoreError(fault.into())))
    }

    fn misplaced(&self) -> Option<String> {
        match std::fs::metadata(&self.path) {
            Ok(found) if identity(&found) != self.identity => {
                Some("the file of the database was replaced".to_owned())
            }
            Ok(found) => (found.len() == 0).then(|| "the file of the database is empty".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some("the file of the database is gone".to_owned())
            }
            Err(_) => None,
        }
    }

    /// Only SQLite opens the file: its locks end when anything of this process closes it.
    async fn look(&self, question: &'static str) -> Stored<Option<String>> {
        let path = self.path.clone();
        let looked = tokio::task::spawn_blocking(move || {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags(path, flags)?;
            connection.busy_timeout(BUSY)?;
            connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |_| Ok(()))?;
            connection.query_row(question, [], |row| {
                // `schema_version` is a number.
                Ok(row.get::<_, String>(0).ok().filter(|said| said != "ok"))
            })
        });
        match looked.await.map_err(|error| StoreError(error.into()))? {
            Ok(said) => Ok(said.map(|said| format!("the file of the database is damaged: {said}"))),
            Err(error) if is_damage(&error) => {
                Ok(Some(format!("the file of the database is damaged: {error}")))
            }
            Err(error) => Err(StoreError(error.into())),
        }
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
}

#[cfg(unix)]
fn identity(found: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (found.dev(), found.ino())
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}
