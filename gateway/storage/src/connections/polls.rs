//! Connections for the query of status polls.

use super::local_readers::LocalReaders;
use super::poll_pool::PollPool;

/// Connections for the query of status polls, which are most of the requests: on SQLite it stays on the thread of the
/// request, on PostgreSQL it is one round trip.
#[derive(Clone, Debug)]
pub(crate) enum Polls {
    Sqlite(LocalReaders),
    Postgres(PollPool),
}

impl Polls {
    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(readers) => readers.close(),
            Self::Postgres(pool) => pool.close().await,
        }
    }
}
