//! Files of SQLite: a consistent copy, what is no complete one, and a database that nobody has open.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use checkout_domain::ports::{StoreError, Stored};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};

use super::prepare::UNPREPARED;
use crate::failed;
use crate::{Database, Readers, query};

/// The beginning of each file of SQLite: <https://www.sqlite.org/fileformat.html>.
const MAGIC: &[u8] = b"SQLite format 3\0";

const HEADER: usize = 100;

/// Tables of every version of the gateway.
const TABLES: [&str; 6] =
    ["_sqlx_migrations", "address_indexes", "businesses", "deposits", "payments", "settings"];

/// How long to wait for another process that is about to close the database.
const CLOSING: Duration = Duration::from_secs(2);

/// Numbers of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    pub payments: u64,
    pub deposits: u64,
    pub callbacks: u64,
    /// The number of the newest migration.
    pub schema: u64,
}

/// Whether a database can be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseUse {
    /// Nobody has it open. It is one file now.
    Free,
    InUse,
    /// It cannot be opened. Its log, if there is one, belongs to it.
    Damaged,
}

/// The folder in which a database is restored before it gets its name. While it is there, the database is not opened.
pub fn folder_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".restoring");
    name.into()
}

impl Database {
    /// Writes a consistent copy to an empty or missing file during other reads and writes. The copy is marked as not
    /// [prepared](Self::prepare). Returns `None` on PostgreSQL, which has its own tools.
    pub async fn back_up(&self, file: &Path, now: u64) -> Stored<Option<Copied>> {
        let Readers::Sqlite(_) = &self.readers else { return Ok(None) };
        let path = file.to_str().ok_or_else(|| StoreError("the path is not Unicode".into()))?;
        query("VACUUM INTO $1").once().bind(path).execute(&self.readers).await?;
        let options = SqliteConnectOptions::new().filename(file).journal_mode(SqliteJournalMode::Delete);
        let mut copy = options.connect().await.map_err(failed)?;
        let mark = "INSERT INTO settings (key, value) VALUES ($1, $2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        sqlx::query(mark).bind(UNPREPARED).bind(now.to_string()).execute(&mut copy).await.map_err(failed)?;
        let copied = Copied {
            payments: number(&mut copy, "SELECT COUNT(*) FROM payments").await?,
            deposits: number(&mut copy, "SELECT COUNT(*) FROM deposits").await?,
            callbacks: number(&mut copy, "SELECT COUNT(*) FROM callbacks").await?,
            schema: number(&mut copy, "SELECT MAX(version) FROM _sqlx_migrations").await?,
        };
        copy.close().await.map_err(failed)?;
        let synced = std::fs::File::open(file).and_then(|file| file.sync_all());
        synced.map_err(|error| StoreError(error.into()))?;
        Ok(Some(copied))
    }
}

async fn number(connection: &mut SqliteConnection, sql: &'static str) -> Stored<u64> {
    let row = sqlx::query(sql).fetch_one(connection).await.map_err(failed)?;
    let number: i64 = row.try_get(0).map_err(failed)?;
    Ok(u64::try_from(number).unwrap_or_default())
}

/// Why a file is not the database of a gateway, as the end of a sentence. Nothing is changed. A file that `is_copy` has
/// all its pages and no log; one in use may have a log.
pub async fn fault_of(file: &Path, is_copy: bool) -> Stored<Option<String>> {
    let header = header(file).map_err(|error| StoreError(error.into()))?;
    let (bytes, header) = match header {
        (0, _) => return Ok(Some("is empty".to_owned())),
        (_, header) if !header.starts_with(MAGIC) => return Ok(Some("is not a SQLite database".to_owned())),
        (bytes, header) => (bytes, header),
    };
    if header.len() < HEADER {
        return Ok(Some(format!("is not complete: it has {bytes} bytes")));
    }
    let whole = whole(&header);
    if is_copy && whole.is_some_and(|whole| bytes != whole) {
        let whole = whole.unwrap_or_default();
        return Ok(Some(format!("is not complete: it has {bytes} of {whole} bytes")));
    }
    let options = SqliteConnectOptions::new().filename(file).read_only(true).immutable(is_copy);
    match missing(options).await {
        Ok(None) => Ok(None),
        Ok(Some(table)) => Ok(Some(format!("is not a database of this gateway: it has no table {table}"))),
        Err(error) if is_damage(&error) => Ok(Some(format!("is damaged: {error}"))),
        Err(error) => Err(failed(error)),
    }
}

/// The size of the file, and its first bytes.
fn header(file: &Path) -> std::io::Result<(u64, Vec<u8>)> {
    let mut header = Vec::with_capacity(HEADER);
    let file = std::fs::File::open(file)?;
    let bytes = file.metadata()?.len();
    file.take(HEADER as u64).read_to_end(&mut header)?;
    Ok((bytes, header))
}

/// The size that the header states, if it is up to date.
fn whole(header: &[u8]) -> Option<u64> {
    let number = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    (number(24) == number(92)).then(|| page * u64::from(number(28)))
}

async fn missing(options: SqliteConnectOptions) -> sqlx::Result<Option<&'static str>> {
    let mut connection = options.connect().await?;
    for table in TABLES {
        let found = sqlx::query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1").bind(table);
        if found.fetch_optional(&mut connection).await?.is_none() {
            return Ok(Some(table));
        }
    }
    connection.close().await?;
    Ok(None)
}

/// Makes a database that nobody has open one file, without a log.
pub async fn release(file: &Path) -> Stored<DatabaseUse> {
    let (bytes, header) = header(file).map_err(|error| StoreError(error.into()))?;
    if bytes > 0 && !header.starts_with(MAGIC) {
        return Ok(DatabaseUse::Damaged); // Opening it would empty its log.
    }
    let options = SqliteConnectOptions::new().filename(file).busy_timeout(CLOSING);
    match one_file(options).await {
        Ok(true) => Ok(DatabaseUse::Free),
        Ok(false) => Ok(DatabaseUse::InUse),
        Err(error) if has_code(&error, &["5"]) => Ok(DatabaseUse::InUse),
        Err(error) if is_damage(&error) => Ok(DatabaseUse::Damaged),
        Err(error) => Err(failed(error)),
    }
}

/// SQLite leaves the mode with a log only if no other connection is open.
async fn one_file(options: SqliteConnectOptions) -> sqlx::Result<bool> {
    let mut connection = options.connect().await?;
    sqlx::query("SELECT COUNT(*) FROM sqlite_schema").execute(&mut connection).await?;
    let row = sqlx::query("PRAGMA journal_mode = DELETE").fetch_one(&mut connection).await?;
    let mode: String = row.try_get(0)?;
    connection.close().await?;
    Ok(mode == "delete")
}

/// `SQLITE_CORRUPT` and `SQLITE_NOTADB`: <https://www.sqlite.org/rescode.html>.
fn is_damage(error: &sqlx::Error) -> bool {
    has_code(error, &["11", "26"])
}

/// Whether the primary code of SQLite's error is one of these. An extended code has it in its lowest byte.
fn has_code(error: &sqlx::Error, codes: &[&str]) -> bool {
    let code = error.as_database_error().and_then(|said| said.code()?.parse::<u32>().ok());
    code.is_some_and(|code| codes.contains(&(code & 0xff).to_string().as_str()))
}
