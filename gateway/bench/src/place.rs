//! The databases of a measurement, and separate connections to them.

use std::path::Path;

use checkout_test_postgres::Server;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _};
use tempfile::TempDir;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

pub(crate) const KINDS: [Kind; 2] = [Kind::Sqlite, Kind::Postgres];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// A database, deleted with this value.
pub(crate) enum Place {
    Sqlite(TempDir),
    Postgres(Server),
}

/// A connection that commits as durably as the gateway's.
pub(crate) enum Connection {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Place {
    /// A file in `folder`, or a server with default settings.
    pub(crate) fn new(kind: Kind, folder: &Path) -> Self {
        match kind {
            Kind::Sqlite => Self::Sqlite(tempfile::tempdir_in(folder).unwrap()),
            Kind::Postgres => Self::Postgres(Server::start_durable()),
        }
    }

    /// The gateway's `--database`.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite:{}", folder.path().join("checkout.db").display()),
            Self::Postgres(server) => server.url().to_owned(),
        }
    }

    /// Connects to the gateway's database.
    pub(crate) async fn connect(&self) -> Connection {
        self.open("checkout.db").await
    }

    /// Connects to a database for bare inserts: on SQLite another file, because a file has one writer.
    pub(crate) async fn connect_beside(&self) -> Connection {
        self.open("bare.db").await
    }

    async fn open(&self, file: &str) -> Connection {
        match self {
            Self::Sqlite(folder) => {
                let options = SqliteConnectOptions::new().filename(folder.path().join(file));
                let options = options.create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
                let options = options.synchronous(SqliteSynchronous::Full);
                Connection::Sqlite(SqliteConnection::connect_with(&options).await.unwrap())
            }
            Self::Postgres(server) => {
                let options: PgConnectOptions = server.url().parse().unwrap();
                Connection::Postgres(PgConnection::connect_with(&options).await.unwrap())
            }
        }
    }
}

impl Connection {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Sqlite(_) => Kind::Sqlite,
            Self::Postgres(_) => Kind::Postgres,
        }
    }

    pub(crate) async fn run(&mut self, sql: &str) {
        let sql = AssertSqlSafe(sql.to_owned());
        match self {
            Self::Sqlite(connection) => drop(connection.execute(sql).await.unwrap()),
            Self::Postgres(connection) => drop(connection.execute(sql).await.unwrap()),
        }
    }

    pub(crate) async fn number(&mut self, sql: &'static str) -> u64 {
        let number: i64 = match self {
            Self::Sqlite(connection) => sqlx::query_scalar(sql).fetch_one(connection).await.unwrap(),
            Self::Postgres(connection) => sqlx::query_scalar(sql).fetch_one(connection).await.unwrap(),
        };
        u64::try_from(number).unwrap()
    }

    /// The size of a database without its log, on PostgreSQL also without the simulated chains and the console.
    pub(crate) async fn size(&mut self, place: &Place) -> u64 {
        match place {
            Place::Sqlite(folder) => {
                self.run("PRAGMA wal_checkpoint(PASSIVE)").await;
                std::fs::metadata(folder.path().join("checkout.db")).unwrap().len()
            }
            Place::Postgres(_) => {
                let sql = "SELECT SUM(pg_total_relation_size(oid))::bigint FROM pg_class
                     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
                         AND relname NOT LIKE 'sim%' AND relname NOT LIKE 'console%'";
                self.number(sql).await
            }
        }
    }

    /// Brings what was written into its files, and the planner's figures up to date.
    pub(crate) async fn rest(&mut self) {
        let rest: &[&str] = match self.kind() {
            Kind::Sqlite => &["PRAGMA wal_checkpoint(TRUNCATE)"],
            Kind::Postgres => &["VACUUM ANALYZE", "CHECKPOINT"],
        };
        for sql in rest {
            self.run(sql).await;
        }
    }

    /// Switches triggers and foreign keys off for this connection. Returns what brings them back.
    pub(crate) async fn without_triggers(&mut self) -> Vec<String> {
        let sql = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'";
        let triggers: Vec<(String, String)> = match self {
            Self::Sqlite(connection) => sqlx::query_as(sql).fetch_all(connection).await.unwrap(),
            Self::Postgres(_) => {
                self.run("SET session_replication_role = replica").await;
                return vec!["SET session_replication_role = DEFAULT".to_owned()];
            }
        };
        self.run("PRAGMA foreign_keys = OFF").await;
        for (name, _) in &triggers {
            self.run(&format!("DROP TRIGGER {name}")).await;
        }
        triggers.into_iter().map(|(_, sql)| sql).collect()
    }

    pub(crate) async fn with_triggers(&mut self, triggers: &[String]) {
        for sql in triggers {
            self.run(sql).await;
        }
    }

    /// The columns of a table.
    pub(crate) async fn columns(&mut self, table: &str) -> Vec<String> {
        match self {
            Self::Sqlite(connection) => {
                let sql = "SELECT name FROM pragma_table_info($1)";
                sqlx::query_scalar(sql).bind(table).fetch_all(connection).await.unwrap()
            }
            Self::Postgres(connection) => {
                let sql = "SELECT column_name::text FROM information_schema.columns
                     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position";
                sqlx::query_scalar(sql).bind(table).fetch_all(connection).await.unwrap()
            }
        }
    }

    /// Reads the row with this key.
    pub(crate) async fn select(&mut self, key: &str) {
        let sql = "SELECT body FROM bare WHERE id = $1";
        let _: String = match self {
            Self::Sqlite(connection) => {
                sqlx::query_scalar(sql).bind(key).fetch_one(connection).await.unwrap()
            }
            Self::Postgres(connection) => {
                sqlx::query_scalar(sql).bind(key).fetch_one(connection).await.unwrap()
            }
        };
    }

    /// Inserts `rows` rows in one durable transaction.
    pub(crate) async fn insert(&mut self, rows: usize, body: &str) {
        match self {
            Self::Sqlite(connection) => {
                let mut tx = connection.begin_with("BEGIN IMMEDIATE").await.unwrap();
                for _ in 0..rows {
                    let sql = "INSERT INTO bare (id, body) VALUES (lower(hex(randomblob(16))), $1)";
                    sqlx::query(sql).bind(body).execute(&mut *tx).await.unwrap();
                }
                tx.commit().await.unwrap();
            }
            Self::Postgres(connection) => {
                let sql = "INSERT INTO bare (id, body) VALUES (gen_random_uuid()::text, $1)";
                if rows == 1 {
                    // A single statement is a transaction.
                    sqlx::query(sql).bind(body).execute(connection).await.unwrap();
                    return;
                }
                let mut tx = connection.begin().await.unwrap();
                for _ in 0..rows {
                    sqlx::query(sql).bind(body).execute(&mut *tx).await.unwrap();
                }
                tx.commit().await.unwrap();
            }
        }
    }
}
