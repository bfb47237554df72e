//! PostgreSQL, for one or several gateways: one server, or a primary with standbys that follow it.

mod primary;
mod servers;

use std::time::Duration;

use checkout_domain::ports::{StoreError, Stored};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use self::primary::{Timeline, Unanswered};
use super::poll_pool::PollPool;
use super::polls::Polls;
use crate::failed;
use crate::{Database, Readers, Writer, migrations};

/// Connections per process: for writes, for reads and for status polls. PostgreSQL allows 100 in total by default.
const WRITERS: u32 = 12;
const READERS: u32 = 8;
const POLLS: u32 = 8;

/// How long a request waits for a connection, including while the database is down.
const ACQUIRE: Duration = Duration::from_secs(5);

/// Limits per connection: no statement waits forever for a lock, and a gateway that hangs or is cut off during a
/// transaction does not keep its locks forever.
const SESSION: [(&str, &str); 2] = [("lock_timeout", "10s"), ("idle_in_transaction_session_timeout", "30s")];

/// Returns whether a database URL names PostgreSQL.
pub fn is_url(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

/// The first and the longest pause between two attempts to connect.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(30)];

/// The same as [`open`], but waits for a server that does not answer yet.
pub async fn open_when_ready(url: &str) -> Stored<Database> {
    let mut pause = PAUSES[0];
    loop {
        match open(url).await {
            Err(error) if error.0.is::<Unanswered>() => {
                tracing::warn!(error = %error.0, "the database does not answer; trying again in {pause:?}");
            }
            opened => return opened,
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSES[1]);
    }
}

/// Connects to an existing database and migrates it. A URL may name several servers. If several processes start, one migrates and the others wait.
pub async fn open(url: &str) -> Stored<Database> {
    open_with_patience(url, 1).await
}

/// The same, with time limits `factor` times as long: for tests on a busy machine.
pub async fn open_with_patience(url: &str, factor: u32) -> Stored<Database> {
    let acquire = ACQUIRE * factor;
    let (servers, timeline) = (servers::of_url(url)?, Timeline::default());
    // Connects without a pool first: a pool would wait for a missing server and hide the error.
    let primary = primary::find(&servers, &timeline).await?;
    // Without `SESSION`: another process may need longer than the lock timeout to migrate.
    let single = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(acquire)
        .connect_with(primary.options.clone())
        .await
        .map_err(failed)?;
    migrations::GATEWAY.postgres().run(&single).await.map_err(|error| StoreError(error.into()))?;
    single.close().await;
    let options = session(primary.options.clone());
    let pool = |connections| {
        let (timeline, current) = (timeline.clone(), timeline.clone());
        // `test_before_acquire`, the default, replaces connections that the server has closed.
        let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(acquire);
        let pool = pool.after_connect(move |connection, _| {
            let timeline = timeline.clone();
            Box::pin(async move { timeline.accept(connection).await })
        });
        // Connections to a former primary that still runs are closed.
        let pool = pool.before_acquire(move |_, metadata| {
            Box::pin(std::future::ready(Ok(current.is_current(metadata.age))))
        });
        pool.connect_lazy_with(options.clone())
    };
    let (writers, readers, polls) = (pool(WRITERS), pool(READERS), pool(POLLS));
    if servers.len() > 1 {
        let all = [writers.clone(), readers.clone(), polls.clone()];
        primary::follow(servers, primary, timeline.clone(), all, session);
    }
    let polls = Polls::Postgres(PollPool::new(polls));
    Ok(Database::new(Writer::Postgres(writers), Readers::Postgres(readers), polls))
}

fn session(options: PgConnectOptions) -> PgConnectOptions {
    options.options(SESSION)
}
