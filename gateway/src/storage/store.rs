use async_trait::async_trait;
use checkout_core::{Currency, Network};
use uuid::Uuid;

use super::row::int;
use super::tx::SqlTx;
use super::{Database, PAGE, business_row, dust_row, owners, payment_with_deposits, query};
use crate::domain::access::session::Session;
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::business::Business;
use crate::domain::chain::Transfer;
use crate::domain::payment::dust::DustSum;
use crate::domain::payment::{PaymentWithDeposits, Version};
use crate::ports::{NewPayment, Owner, Store, Stored, Tx};

#[async_trait]
impl Store for Database {
    async fn begin(&self) -> Stored<Box<dyn Tx>> {
        Ok(Box::new(SqlTx(self.change().await?)))
    }

    async fn add_payment(&self, new: NewPayment) -> Stored<bool> {
        self.insert_batch.add(new).await
    }

    async fn caller(&self, token: &TokenHash, now: u64) -> Stored<Option<(Caller, Option<Session>)>> {
        Ok(self.authenticate(token, now, None).await?.map(|(caller, session, _)| (caller, session)))
    }

    async fn caller_and_version(
        &self,
        token: &TokenHash,
        now: u64,
        payment: Uuid,
    ) -> Stored<Option<(Caller, Option<Session>, Option<Version>)>> {
        self.authenticate(token, now, Some(payment)).await
    }

    async fn business(&self, id: Uuid) -> Stored<Option<Business>> {
        business_row::find(&self.readers, id).await
    }

    async fn businesses(&self) -> Stored<Vec<Business>> {
        let rows = query("SELECT * FROM businesses ORDER BY created_at, id").fetch_all(&self.readers).await?;
        rows.into_iter().map(|row| business_row::read(&row)).collect()
    }

    async fn payment(&self, id: Uuid) -> Stored<Option<PaymentWithDeposits>> {
        // Reads both tables in one snapshot, so that the deposits match the version.
        let mut snapshot = self.readers.snapshot().await?;
        payment_with_deposits::read(&mut snapshot, query("SELECT * FROM payments WHERE id = $1"), id).await
    }

    async fn allowed_origins(&self, payment: Uuid) -> Stored<Option<Vec<String>>> {
        let row = query(
            "SELECT allowed_origins FROM businesses WHERE id = (SELECT business FROM payments WHERE id = $1)",
        )
        .bind(payment.to_string())
        .fetch_optional(&self.readers)
        .await?;
        row.map(|row| row.list("allowed_origins", ' ')).transpose()
    }

    async fn overdue(&self, now: u64, after: Option<(u64, Uuid)>) -> Stored<Vec<(u64, Uuid)>> {
        let (end, id) = after.map_or((-1, String::new()), |(end, id)| (int(end), id.to_string()));
        let rows = query(
            "SELECT window_end, id FROM payments
             WHERE status IN ('NEW', 'PENDING', 'AWAITING') AND window_end <= $1
                 AND (window_end > $2 OR (window_end = $2 AND id > $3))
             ORDER BY window_end, id LIMIT $4",
        )
        .bind(int(now))
        .bind(end)
        .bind(id)
        .bind(PAGE)
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter().map(|row| Ok((row.number("window_end")?, row.parsed("id")?))).collect()
    }

    async fn cursor(&self, network: Network) -> Stored<Option<String>> {
        let row = query("SELECT cursor FROM chain_cursors WHERE network = $1")
            .bind(network.code())
            .fetch_optional(&self.readers)
            .await?;
        row.map(|row| row.text("cursor")).transpose()
    }

    async fn owners(&self, transfers: &[Transfer]) -> Stored<Vec<Option<Owner>>> {
        let mut snapshot = self.readers.snapshot().await?;
        owners::of(&mut snapshot, transfers).await
    }

    async fn dust(&self, payment: Uuid) -> Stored<Vec<(Network, Currency, DustSum)>> {
        dust_row::of_payment(&self.readers, payment).await
    }

    async fn setting(&self, key: &str) -> Stored<Option<String>> {
        let row = query("SELECT value FROM settings WHERE key = $1")
            .bind(key)
            .fetch_optional(&self.readers)
            .await?;
        row.map(|row| row.text("value")).transpose()
    }

    async fn newest_id(&self) -> Stored<Option<Uuid>> {
        let row = query(
            "SELECT MAX(id) AS id FROM (
                 SELECT MAX(id) AS id FROM payments UNION ALL SELECT MAX(id) AS id FROM withdrawals
                 UNION ALL SELECT MAX(id) AS id FROM whitelisted_addresses
                 UNION ALL SELECT MAX(id) AS id FROM callbacks UNION ALL SELECT MAX(id) AS id FROM deposits
             ) AS newest",
        )
        .fetch_one(&self.readers)
        .await?;
        row.optional_text("id")?.map(|_| row.parsed("id")).transpose()
    }

    async fn ping(&self) -> Stored<()> {
        query("SELECT 1").execute(&self.readers).await?;
        Ok(())
    }
}
