//! Connections for status polls. A pool of sqlx tests each connection before and after its use, and a poll would be three
//! round trips; these are kept between polls and tested once a second.

use std::sync::Arc;
use std::time::{Duration, Instant};

use checkout_domain::ports::Stored;
use parking_lot::{Mutex, MutexGuard};
use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres};
use tokio::sync::Semaphore;

use crate::failed;
use crate::{On, Query, Row};

/// How long a connection is used after its last test.
const TESTED: Duration = Duration::from_secs(1);

#[derive(Clone, Debug)]
pub(crate) struct PollPool {
    pool: PgPool,
    /// One for each connection of the pool: a query waits here, and not in the pool while a kept connection is idle.
    turns: Arc<Semaphore>,
    kept: Arc<Mutex<Vec<Kept>>>,
}

#[derive(Debug)]
struct Kept {
    connection: PoolConnection<Postgres>,
    tested: Instant,
}

impl PollPool {
    pub(crate) fn new(pool: PgPool) -> Self {
        let turns = usize::try_from(pool.options().get_max_connections()).unwrap_or(Semaphore::MAX_PERMITS);
        Self { pool, turns: Arc::new(Semaphore::new(turns)), kept: Arc::default() }
    }

    /// Runs a query, which must only read: a kept connection may be dead, and then it runs again on a tested one.
    pub(crate) async fn fetch_optional(&self, query: Query) -> Stored<Option<Row>> {
        let on_kept = async {
            let turn = self.turns.acquire().await;
            let Some(mut kept) = self.take_kept() else { return (turn, None) };
            match query.clone().fetch_optional(On::Postgres(&mut kept.connection)).await {
                Ok(row) => (turn, Some((kept, row))),
                Err(error) => {
                    tracing::debug!(%error, "a kept connection failed");
                    (turn, None)
                }
            }
        };
        let time_limit = self.pool.options().get_acquire_timeout();
        let on_kept = tokio::time::timeout(time_limit, on_kept).await;
        let (_turn, found) = on_kept.map_err(|_| sqlx::Error::PoolTimedOut).map_err(failed)?;
        if let Some((kept, row)) = found {
            self.keep(kept);
            return Ok(row);
        }
        let mut connection = self.pool.acquire().await.map_err(failed)?;
        let tested = Instant::now();
        let row = query.fetch_optional(On::Postgres(&mut connection)).await?;
        self.keep(Kept { connection, tested });
        Ok(row)
    }

    pub(crate) async fn close(&self) {
        let closed = self.pool.close();
        self.lock().clear();
        closed.await;
    }

    /// The others return to the pool, which tests and replaces them.
    fn take_kept(&self) -> Option<Kept> {
        let kept = self.lock().pop();
        kept.filter(|kept| kept.tested.elapsed() < TESTED)
    }

    /// A connection that is dropped during a query is not kept.
    fn keep(&self, kept: Kept) {
        let mut all = self.lock();
        if !self.pool.is_closed() {
            all.push(kept);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock()
    }
}
