//! Finds the server that accepts writes, and follows it when another one is promoted.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use checkout_domain::ports::{StoreError, Stored};
use parking_lot::Mutex;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions as _, Connection as _, PgPool, Row as _};

use super::servers::Server;

/// Interval at which the servers are checked for the primary, and the time limit of each answer.
const INTERVAL: Duration = Duration::from_millis(500);
const TIMEOUT: Duration = Duration::from_secs(2);

/// A server's answer: whether a session may write, and the name of its log file, whose first eight digits are
/// its timeline. Each promotion starts a new timeline, so if two servers accept writes, the higher one is the
/// primary.
/// The last column changes when a backup is restored into the database, and not when a standby is promoted.
const STANDING: &str = "SELECT current_setting('transaction_read_only') AS read_only,
    COALESCE(to_regclass('settings')::oid::text, '') AS place,
    CASE WHEN pg_is_in_recovery() THEN '' ELSE pg_walfile_name(pg_current_wal_lsn()) END AS log";

/// The highest timeline seen, and when it was first seen. A server with a lower one is a former primary.
#[derive(Clone, Debug)]
pub(super) struct Timeline(Arc<Mutex<(u32, Instant)>>, TableNumber);

/// The number of a table in the database that this process opened.
type TableNumber = Arc<OnceLock<String>>;

impl Default for Timeline {
    fn default() -> Self {
        Self(Arc::new(Mutex::new((0, Instant::now()))), TableNumber::default())
    }
}

impl Timeline {
    /// Refuses a connection to a server that is not the primary: a standby's data may be stale. And one to a database that
    /// was restored since: its payouts have to be compared with their chains first.
    pub(super) async fn accept(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        let (timeline, place) = standing_of(connection).await?;
        if !place.is_empty() && *self.1.get_or_init(|| place.clone()) != place {
            return Err(refusal("has another database: stop this gateway, and run `checkout restore`"));
        }
        if self.is_highest(timeline) {
            return Ok(());
        }
        Err(refusal("is a former primary: another server was promoted since"))
    }

    fn is_highest(&self, timeline: u32) -> bool {
        let mut highest = self.0.lock();
        if timeline > highest.0 {
            *highest = (timeline, Instant::now());
        }
        timeline == highest.0
    }

    /// Whether a connection of this age is younger than the last promotion. The former primary may still run.
    pub(super) fn is_current(&self, age: Duration) -> bool {
        age <= self.0.lock().1.elapsed()
    }
}

async fn standing_of(connection: &mut PgConnection) -> sqlx::Result<(u32, String)> {
    let row = sqlx::query(STANDING).fetch_one(connection).await?;
    let (read_only, log): (String, String) = (row.try_get("read_only")?, row.try_get("log")?);
    let place: String = row.try_get("place")?;
    if log.is_empty() {
        return Err(refusal("is a standby"));
    }
    if read_only == "on" {
        return Err(refusal("is read-only"));
    }
    log.get(..8)
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .map(|timeline| (timeline, place))
        .ok_or_else(|| refusal("does not say its timeline"))
}

fn refusal(text: &'static str) -> sqlx::Error {
    sqlx::Error::Configuration(text.into())
}

/// The primary among the servers; otherwise an error with each server's answer.
pub(super) async fn find(servers: &[Server], timeline: &Timeline) -> Stored<Server> {
    let (mut best, mut said, mut may_answer_later) = (None, Vec::new(), true);
    for server in servers {
        match tokio::time::timeout(TIMEOUT, ask(&server.options)).await {
            Ok(Ok(found)) if best.as_ref().is_none_or(|(timeline, _)| found > *timeline) => {
                best = Some((found, server));
            }
            Ok(Ok(_)) => {}
            Ok(Err(sqlx::Error::Configuration(error))) => {
                // One of several standbys is about to be promoted.
                may_answer_later &= servers.len() > 1;
                said.push(format!("{} {error}", server.name));
            }
            Ok(Err(error)) => {
                may_answer_later &= is_passing(&error);
                said.push(format!("{}: {error}", server.name));
            }
            Err(_) => said.push(format!("{} does not answer within {TIMEOUT:?}", server.name)),
        }
    }
    match best {
        Some((found, server)) if timeline.is_highest(found) => Ok(server.clone()),
        Some((_, server)) => {
            Err(StoreError(format!("{} is a former primary; {}", server.name, said.join("; ")).into()))
        }
        None => {
            let said = format!("no server takes writes: {}", said.join("; "));
            Err(StoreError(if may_answer_later { Box::new(Unanswered(said)) } else { said.into() }))
        }
    }
}

/// No server answers yet.
#[derive(Debug)]
pub(super) struct Unanswered(String);

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unanswered {}

/// Whether a server that is not there, starts or is full may answer later. A wrong password or name does not.
fn is_passing(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => true,
        // 57P03: it starts or stops; 57P01, 57P02: it ended the connection; 53300: too many connections.
        sqlx::Error::Database(said) => {
            said.code().is_some_and(|code| matches!(&*code, "57P01" | "57P02" | "57P03" | "53300"))
        }
        _ => false,
    }
}

async fn ask(options: &PgConnectOptions) -> sqlx::Result<u32> {
    let mut connection = options.connect().await?;
    let timeline = standing_of(&mut connection).await.map(|(timeline, _)| timeline);
    connection.close().await?;
    timeline
}

/// Directs the pools to another server once it is the primary. Ends when they are closed.
pub(super) fn follow(
    servers: Vec<Server>,
    first: Server,
    timeline: Timeline,
    pools: [PgPool; 3],
    session: Session,
) {
    tokio::spawn(async move {
        let (mut current, mut is_lost) = (first, false);
        let [closed, ..] = &pools;
        while tokio::time::timeout(INTERVAL, closed.close_event()).await.is_err() {
            match find(&servers, &timeline).await {
                Ok(found) if found.name != current.name => {
                    tracing::warn!(
                        from = current.name,
                        to = found.name,
                        "another database server is the primary"
                    );
                    for pool in &pools {
                        pool.set_connect_options(session(found.options.clone()));
                    }
                    (current, is_lost) = (found, false);
                }
                Ok(_) => is_lost = false,
                Err(error) if !is_lost => {
                    is_lost = true;
                    tracing::error!(error = %error.0, "there is no primary database");
                }
                Err(_) => {}
            }
        }
    });
}

/// The settings of each connection of a pool.
pub(super) type Session = fn(PgConnectOptions) -> PgConnectOptions;
