//! Databases for tests, and queries that bypass the ports.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use checkout_domain::access::actor::Actor;
use checkout_domain::business::Business;
use checkout_domain::business::settings::Settings;
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::{Store, Stored};
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::service::App;
use checkout_gateway::service::businesses::{create_business, update_business};
use checkout_storage::{Database, Readers, Row, Text, query};
use checkout_storage::{postgres, sqlite};
use checkout_test_postgres::slowness;
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// Selects the store of tests that run on either: `postgres` or `sqlite`, which is the default.
const VARIABLE: &str = "CHECKOUT_TEST_STORE";

/// The location of a test's store. It is removed with the test; a schema is removed with its server.
#[derive(Debug)]
pub(crate) enum Place {
    Sqlite(TempDir),
    Postgres(String),
}

impl Place {
    pub(crate) fn sqlite() -> Self {
        let folder = if *HAS_MEMORY { tempfile::tempdir_in(MEMORY) } else { tempfile::tempdir() };
        Self::Sqlite(folder.unwrap())
    }

    pub(crate) fn postgres() -> Self {
        Self::Postgres(checkout_test_postgres::schema())
    }

    /// Uses the store that the environment selects.
    pub(crate) fn chosen() -> Self {
        match std::env::var(VARIABLE).as_deref() {
            Ok("postgres") => Self::postgres(),
            Ok("sqlite") | Err(_) => Self::sqlite(),
            Ok(other) => panic!("{VARIABLE} is {other}; there are sqlite and postgres"),
        }
    }

    /// A new SQLite file is a copy of one that has its tables.
    pub(crate) async fn open(&self) -> Database {
        match self {
            Self::Sqlite(folder) => {
                let file = file(folder);
                if !file.exists() {
                    std::fs::write(&file, TEMPLATE.get_or_init(template).await).unwrap();
                }
                sqlite::open_with_patience(&file, slowness()).await.unwrap()
            }
            Self::Postgres(url) => postgres::open_with_patience(url, slowness()).await.unwrap(),
        }
    }

    /// Returns all stored data as raw bytes.
    pub(crate) async fn contents(&self) -> Vec<u8> {
        match self {
            Self::Sqlite(folder) => {
                let wal = folder.path().join("checkout.db-wal");
                [std::fs::read(file(folder)).unwrap(), std::fs::read(wal).unwrap_or_default()].concat()
            }
            Self::Postgres(_) => rows_with_versions(&self.open().await).await.concat().into_bytes(),
        }
    }
}

/// On an in-memory file system commits need no disk. Containers often have one of 64 MiB, which is too small.
const MEMORY: &str = "/dev/shm";

static HAS_MEMORY: LazyLock<bool> = LazyLock::new(|| {
    let df = Command::new("df").args(["-Pk", MEMORY]).output();
    let text = df.map(|df| String::from_utf8_lossy(&df.stdout).into_owned()).unwrap_or_default();
    let free = text.lines().last().and_then(|line| line.split_whitespace().nth(3)?.parse::<u64>().ok());
    free.is_some_and(|kib| kib > 1 << 20)
});

static TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();

async fn template() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    sqlite::open_with_patience(&file(&folder), slowness()).await.unwrap().close().await;
    std::fs::read(file(&folder)).unwrap()
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("checkout.db")
}

/// Queries a database without the ports.
pub(crate) trait Look {
    /// Returns all rows of a query, every column as text.
    async fn texts(&self, sql: impl Into<Text>) -> Vec<Vec<Option<String>>>;

    /// Returns the single number of a query.
    async fn count(&self, sql: impl Into<Text>) -> i64;

    /// Returns a value that changes with every commit that writes.
    async fn version(&self) -> u64;
}

impl Look for Database {
    async fn texts(&self, sql: impl Into<Text>) -> Vec<Vec<Option<String>>> {
        let rows = query(sql).fetch_all(self.readers()).await.unwrap();
        rows.iter().map(texts).collect()
    }

    async fn count(&self, sql: impl Into<Text>) -> i64 {
        let row = query(sql).fetch_one(self.readers()).await.unwrap();
        row.number(&row.columns()[0]).unwrap()
    }

    async fn version(&self) -> u64 {
        match self.readers() {
            // This connection only reads, so commits of other connections change its version.
            Readers::Sqlite(pool) => {
                let mut connection = pool.acquire().await.unwrap();
                let version: i64 =
                    sqlx::query_scalar("PRAGMA data_version").fetch_one(&mut *connection).await.unwrap();
                u64::try_from(version).unwrap()
            }
            Readers::Postgres(_) => {
                let mut hasher = DefaultHasher::new();
                rows_with_versions(self).await.hash(&mut hasher);
                hasher.finish()
            }
        }
    }
}

async fn rows_with_versions(database: &Database) -> Vec<String> {
    let tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename";
    let mut all = Vec::new();
    for table in database.texts(tables).await {
        let table = table[0].as_ref().unwrap();
        let rows = format!("SELECT xmin::text || ctid::text || t::text FROM {table} AS t ORDER BY ctid");
        all.extend(database.texts(rows).await.into_iter().flatten().flatten());
    }
    all
}

fn texts(row: &Row) -> Vec<Option<String>> {
    row.columns().iter().map(|column| row.optional_text(column).unwrap()).collect()
}

/// A business without limits, and its token.
pub(crate) async fn create_business(app: &App, settings: Settings) -> (Business, String) {
    let (id, now) = (BusinessId(app.new_id()), app.clock.now());
    let limits = RuleChanges::default();
    let created =
        create_business::create(app.store.as_ref(), settings, limits, id, now, &OsRandom, None).await;
    let (business, _, token) = created.unwrap();
    (business, token)
}

/// Changes the limits of withdrawals alone. Two people do, so that looser ones hold, too.
pub(crate) async fn change_rules(
    store: &dyn Store,
    business: BusinessId,
    changes: RuleChanges,
) -> Stored<()> {
    for by in [Actor::of_token("one"), Actor::of_token("two")] {
        update_business::update(store, business, Settings::default(), changes, (&by, crate::START)).await?;
    }
    Ok(())
}
