//! The database as the port of the store.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_domain::ports::{Store, Stored, Tx};
use uuid::Uuid;

use crate::changes::tx::SqlTx;
use crate::{Database, Readers, query};

#[async_trait]
impl Store for Database {
    async fn begin(&self) -> Stored<Box<dyn Tx>> {
        Ok(Box::new(SqlTx::new(self.change().await?, Arc::clone(&self.keys))))
    }

    fn has_one_writer(&self) -> bool {
        matches!(self.readers, Readers::Sqlite(_))
    }

    async fn newest_id(&self) -> Stored<Option<Uuid>> {
        let row = query(
            "SELECT MAX(id) AS id FROM (
                 SELECT MAX(id) AS id FROM payments UNION ALL SELECT MAX(id) AS id FROM withdrawals
                 UNION ALL SELECT MAX(id) AS id FROM whitelisted_addresses
                 UNION ALL SELECT MAX(id) AS id FROM callbacks UNION ALL SELECT MAX(id) AS id FROM deposits
                 UNION ALL SELECT MAX(id) AS id FROM audit_log
                 UNION ALL SELECT MAX(id) AS id FROM sale_links
                 UNION ALL SELECT MAX(id) AS id FROM counters
                 UNION ALL SELECT MAX(id) AS id FROM ledger_entries
             ) AS newest",
        )
        .fetch_one(&self.readers)
        .await?;
        row.optional_text("id")?.map(|_| row.parsed("id")).transpose()
    }

    async fn ping(&self) -> Stored<()> {
        query("SELECT 1").run(&self.readers).await
    }
}
