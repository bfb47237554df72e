//! The store in PostgreSQL, for one gateway or several at once.

use std::str::FromStr as _;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _};

use super::{Database, Readers, Writer, migrations};
use crate::ports::{StoreError, Stored};

/// Connections of each process: changes and reads. PostgreSQL allows 100 in all unless it is told otherwise.
const WRITERS: u32 = 12;
const READERS: u32 = 8;

/// How long a request waits for a connection, a database that is gone included.
const ACQUIRE: Duration = Duration::from_secs(5);

/// What each connection asks of the server: nobody waits for a lock for ever, and a gateway that hangs in a change, or is
/// cut off in it, does not hold its locks for ever.
const SESSION: [(&str, &str); 2] = [("lock_timeout", "10s"), ("idle_in_transaction_session_timeout", "30s")];

/// Whether a database URL names PostgreSQL.
pub fn is_url(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

/// Connects to the database, which has to be there, and brings its tables up to date: one process does, the others wait.
pub async fn open(url: &str) -> Stored<Database> {
    let options = PgConnectOptions::from_str(url)?.application_name("checkout");
    // Once without a pool, which would wait for a server that is not there, and not say what is wrong with it.
    options.connect().await?.close().await?;
    // Without the session's limits: waiting for another process to finish this may take as long as it takes.
    let single = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(ACQUIRE)
        .connect_with(options.clone())
        .await?;
    migrations::postgres().run(&single).await.map_err(|error| StoreError(error.into()))?;
    single.close().await;
    let options = options.options(SESSION);
    let pool = |connections| {
        // The default, `test_before_acquire`, replaces connections that the server has closed.
        let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE);
        pool.connect_lazy_with(options.clone())
    };
    Ok(Database::new(Writer::Postgres(pool(WRITERS)), Readers::Postgres(pool(READERS))))
}
