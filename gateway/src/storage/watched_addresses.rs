use async_trait::async_trait;
use checkout_core::Network;

use super::{Database, Query, query};
use crate::domain::chain::address_space::networks_of_account;
use crate::ports::Stored;
use crate::ports::watched_addresses::WatchedAddresses;

/// Addresses in one query. Each query has as many parameters, so that its prepared statement is used again.
const BATCH: usize = 200;

#[async_trait]
impl WatchedAddresses for Database {
    async fn ours(&self, network: Network, addresses: &[String]) -> Stored<Vec<String>> {
        let networks = networks_of_account(network);
        let place = |place: usize| format!("${place}");
        let places =
            |from: usize, count: usize| (from..from + count).map(place).collect::<Vec<_>>().join(", ");
        let sql = format!(
            "SELECT DISTINCT address FROM addresses WHERE address IN ({}) AND network IN ({})",
            places(1, BATCH),
            places(BATCH + 1, networks.len())
        );
        let mut ours = Vec::new();
        for batch in addresses.chunks(BATCH) {
            let filled = batch.iter().chain(std::iter::repeat(&batch[0])).take(BATCH);
            let question = filled.fold(query(sql.clone()), Query::bind);
            let question = networks.iter().fold(question, |question, network| question.bind(network.code()));
            for row in question.fetch_all(&self.readers).await? {
                ours.push(row.text("address")?);
            }
        }
        Ok(ours)
    }
}
