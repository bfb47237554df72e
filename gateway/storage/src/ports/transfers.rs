//! The port of transfers and cursors.

use async_trait::async_trait;
use checkout_core::{Currency, Network};
use checkout_domain::chain::{OutputId, Transfer};
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::dust::DustSum;
use checkout_domain::ports::transfers::{IncludedDeposit, TransferStore, TransferTx};
use checkout_domain::ports::{Owner, Stored};

use super::{known_outputs, owners};
use crate::changes::tx::SqlTx;
use crate::statements::locks;
use crate::{Database, query, rows};

#[async_trait]
impl TransferStore for Database {
    async fn watches(&self, network: Network) -> Stored<bool> {
        self.watch.hold(&self.writer, network).await
    }

    async fn cursor(&self, network: Network) -> Stored<Option<String>> {
        query("SELECT cursor FROM chain_cursors WHERE network = $1")
            .bind(network.code())
            .read_first(&self.readers, |row| row.text("cursor"))
            .await
    }

    async fn last_quoted(&self, network: Network) -> Stored<Option<u64>> {
        let newest = "SELECT requested_at FROM quotes WHERE network = $1 ORDER BY requested_at DESC LIMIT 1";
        query(newest).bind(network.code()).read_first(&self.readers, |row| row.number("requested_at")).await
    }

    async fn included(&self, network: Network) -> Stored<Vec<IncludedDeposit>> {
        rows::deposit::included(self, network).await
    }

    async fn owners(&self, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>> {
        let mut snapshot = self.readers.snapshot().await?;
        owners::of(&mut snapshot, transfers).await
    }

    async fn dust(&self, payment: PaymentId) -> Stored<Vec<(Network, Currency, DustSum)>> {
        rows::dust::of_payment(&self.readers, payment).await
    }
}

#[async_trait]
impl TransferTx for SqlTx {
    async fn cursor(&mut self, network: Network) -> Stored<Option<String>> {
        // There may be no row to lock yet.
        locks::lock(self.now().await?, "cursor", network.code()).await?;
        query("SELECT cursor FROM chain_cursors WHERE network = $1")
            .bind(network.code())
            .read_first(self.now().await?, |row| row.text("cursor"))
            .await
    }

    async fn put_cursor(&mut self, network: Network, cursor: &str) -> Stored<()> {
        query(
            "INSERT INTO chain_cursors (network, cursor) VALUES ($1, $2)
             ON CONFLICT (network) DO UPDATE SET cursor = excluded.cursor",
        )
        .bind(network.code())
        .bind(cursor)
        .run(self.now().await?)
        .await
    }

    async fn owners(&mut self, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>> {
        owners::of(self.now().await?, transfers).await
    }

    async fn recognise(&mut self, transfers: &mut [Transfer]) -> Stored<()> {
        known_outputs::recognise(self.now().await?, transfers).await
    }

    async fn count_confirmations(
        &mut self,
        network: Network,
        required: u64,
        counts: &[(OutputId, u64)],
    ) -> Stored<()> {
        locks::hold_payments_of(self.now().await?, network, counts.iter().map(|(output, _)| output)).await?;
        rows::deposit::count_confirmations(self.now().await?, network, required, counts).await
    }

    async fn add_dust(
        &mut self,
        payment: PaymentId,
        network: Network,
        currency: Currency,
        more: &DustSum,
    ) -> Stored<()> {
        rows::dust::add(self.now().await?, payment, network, currency, more).await
    }
}
