//! Selects the gateway that reads a chain: the holder of its advisory lock. All locks of a gateway belong to one
//! open transaction, so they are released with its connection: at once when the process ends, after
//! `idle_in_transaction_session_timeout` when its machine fails. No clocks are compared, and nothing is written.
//!
//! The lock only saves requests to nodes. The cursor alone ensures that nothing counts twice.

use std::sync::Arc;
use std::time::Duration;

use checkout_core::Network;
use checkout_domain::ports::{StoreError, Stored};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::{Transaction, Writer, query};

/// Time limit of an answer, after which the connection counts as lost.
const TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, Default)]
pub(crate) struct Watch(Arc<Mutex<Option<Transaction>>>);

impl Watch {
    /// Acquires or keeps the lock of a network. With SQLite there is only one gateway.
    pub(crate) async fn hold(&self, writer: &Writer, network: Network) -> Stored<bool> {
        if matches!(writer, Writer::Sqlite(..)) {
            return Ok(true);
        }
        let mut kept = self.0.lock().await;
        // Put back only after an answer: a connection that fails is dropped with all its locks.
        let transaction = kept.take();
        let ask = async {
            let mut transaction = match transaction {
                Some(transaction) => transaction,
                None => writer.begin().await?,
            };
            let row = query(
                "SELECT CASE WHEN pg_try_advisory_xact_lock(hashtextextended('watch ' || current_schema() || ' ' || $1, 0))
                 THEN 1 ELSE 0 END AS held",
            )
            .bind(network.code())
            .fetch_one(&mut transaction)
            .await?;
            Ok::<_, StoreError>((transaction, row.flag("held")?))
        };
        let answer = timeout(TIMEOUT, ask).await.map_err(|late| StoreError(late.into()))?;
        let (transaction, held) = answer?;
        *kept = Some(transaction);
        Ok(held)
    }

    /// Lets other gateways read.
    pub(crate) async fn end(&self) {
        self.0.lock().await.take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Database;
    use crate::fixture::TestDatabase;
    use checkout_domain::ports::transfers::TransferStore as _;

    /// A server notices the end of a connection a moment later.
    async fn until_it_watches(database: &Database) {
        let watching = async {
            while !database.watches(Network::Btc).await.unwrap() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_mins(1), watching).await.expect("the lock is free");
    }

    #[tokio::test]
    async fn one_gateway_reads_a_network_and_another_takes_over() {
        let (place, other) = (TestDatabase::postgres(), TestDatabase::postgres());
        let (first, second) = (place.open().await, place.open().await);
        let btc = Network::Btc;
        for _ in 0..3 {
            assert!(first.watches(btc).await.unwrap());
            assert!(!second.watches(btc).await.unwrap());
        }
        assert!(second.watches(Network::Ltc).await.unwrap(), "each network has its own lock");
        assert!(other.open().await.watches(btc).await.unwrap(), "and each database");
        first.close().await;
        until_it_watches(&second).await;
    }

    /// The gateway that held the lock reconnects, and finds that another one reads.
    #[tokio::test]
    async fn a_lost_connection_ends_the_lock() {
        let place = TestDatabase::postgres();
        let (first, second) = (place.open().await, place.open().await);
        assert!(first.watches(Network::Btc).await.unwrap());
        drop(first.watch.0.lock().await.take());
        until_it_watches(&second).await;
        assert!(!first.watches(Network::Btc).await.unwrap());
    }

    #[tokio::test]
    async fn sqlite_has_one_gateway() {
        assert!(TestDatabase::sqlite().open().await.watches(Network::Btc).await.unwrap());
    }
}
