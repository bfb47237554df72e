//! The port of watched addresses.

use async_trait::async_trait;
use checkout_core::{Network, network};
use checkout_domain::chain::address_space::networks_of_account;
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::Stored;
use checkout_domain::ports::watched_addresses::{AddressTx, GivenAddresses, WatchedAddresses};

use crate::changes::tx::SqlTx;
use crate::statements::row::bad;
use crate::{Database, Query, query};

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
            "SELECT DISTINCT address FROM addresses WHERE address IN ({addresses}) AND network IN ({codes})",
            addresses = places(1, BATCH),
            codes = places(BATCH + 1, networks.len())
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

#[async_trait]
impl GivenAddresses for Database {
    async fn quoted_since(&self, network: Network, since: u64, limit: u32) -> Stored<Vec<(String, u64)>> {
        query(
            "SELECT address, MAX(requested_at) AS last FROM quotes WHERE network = $1 AND requested_at >= $2
             GROUP BY address ORDER BY last DESC, address LIMIT $3",
        )
        .bind(network.code())
        .bind(since)
        .bind(limit)
        .read_all(&self.readers, |row| Ok((row.text("address")?, row.number("last")?)))
        .await
    }

    async fn given_after(&self, network: Network, after: &str, limit: u32) -> Stored<Vec<String>> {
        query(
            "SELECT DISTINCT address FROM addresses WHERE network = $1 AND address > $2 ORDER BY address LIMIT $3",
        )
        .bind(network.code())
        .bind(after)
        .bind(limit)
        .read_all(&self.readers, |row| row.text("address"))
        .await
    }
}

#[async_trait]
impl AddressTx for SqlTx {
    async fn address_of(
        &mut self,
        payment: PaymentId,
        network: Network,
    ) -> Stored<Option<(String, Option<String>)>> {
        let has_tags = network.spec().tag != network::TagRule::None;
        query("SELECT address, tag FROM addresses WHERE payment = $1 AND network = $2")
            .bind(payment)
            .bind(network.code())
            .read_first(self.now().await?, |row| {
                let tag = row.text("tag")?;
                Ok((row.text("address")?, has_tags.then_some(tag)))
            })
            .await
    }

    async fn next_index(&mut self, network: Network) -> Stored<u32> {
        let row = query(
            "INSERT INTO address_indexes (network, next) VALUES ($1, 1)
             ON CONFLICT (network) DO UPDATE SET next = address_indexes.next + 1
             RETURNING next",
        )
        .bind(networks_of_account(network).iter().min().unwrap_or(&network).code())
        .fetch_one(self.now().await?)
        .await?;
        row.number::<u32>("next")?.checked_sub(1).ok_or_else(|| bad("next"))
    }

    async fn is_own(&mut self, address: &str) -> Stored<bool> {
        let found = query("SELECT address FROM addresses WHERE address = $1 LIMIT 1");
        found.bind(address).finds(self.now().await?).await
    }

    async fn insert_address(
        &mut self,
        payment: PaymentId,
        network: Network,
        address: &str,
        tag: Option<&str>,
        now: u64,
    ) -> Stored<bool> {
        query(
            "INSERT INTO addresses (network, address, tag, payment, created_at)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        )
        .bind(network.code())
        .bind(address)
        .bind(tag.unwrap_or_default())
        .bind(payment)
        .bind(now)
        .changed(self.now().await?)
        .await
    }
}
