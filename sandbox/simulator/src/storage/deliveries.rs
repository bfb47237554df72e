//! Deliveries to the built-in receiver of webhooks.

use std::sync::atomic::Ordering;

use checkout_domain::ports::Stored;
use checkout_storage::{Row, Text, bad, query};
use uuid::Uuid;

use super::{Storage, before};
use crate::records::{Delivery, SignatureCheck};

/// One of so many deliveries deletes older ones, which reads all that are kept.
pub const DELETES: u32 = 64;

impl Storage {
    /// Lists deliveries, newest first.
    pub async fn deliveries(&self, older_than: Option<Uuid>, limit: u32) -> Stored<Vec<Delivery>> {
        query("SELECT * FROM console_deliveries WHERE id < $1 ORDER BY id DESC LIMIT $2")
            .bind(before(older_than))
            .bind(limit)
            .read_all(self.0.readers(), delivery)
            .await
    }

    /// Stores a delivery, and now and then deletes all but the newest `keep`. `make` gets the setting of answers, `usual` where there is
    /// none, and returns the delivery with the setting for later ones: an answer is used up only with its delivery.
    pub async fn put_delivery(
        &self,
        (setting, usual): (&str, &str),
        keep: u32,
        make: impl FnOnce(&str) -> (Delivery, String),
    ) -> Stored<()> {
        let mut change = self.0.change().await?;
        query("SELECT key FROM settings WHERE key = $1 FOR NO KEY UPDATE")
            .bind(setting)
            .lock(&mut change)
            .await?;
        let row = query("SELECT value FROM settings WHERE key = $1").bind(setting);
        let answers = row.read_first(&mut change, |row| row.text("value")).await?;
        let (delivery, later) = make(answers.as_deref().unwrap_or(usual));
        if answers.is_some_and(|answers| answers != later) {
            let update = query("UPDATE settings SET value = $2 WHERE key = $1");
            update.bind(setting).bind(later).run(&mut change).await?;
        }
        query(
            "INSERT INTO console_deliveries (id, received_at, webhook_id, headers, body, verdict, answered, delay_seconds)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(delivery.id)
        .bind(delivery.received_at)
        .bind(&delivery.webhook_id)
        .bind(serde_json::to_string(&delivery.headers).map_err(|_| bad("headers"))?)
        .bind(&delivery.body)
        .bind(delivery.verdict.as_str())
        .bind(u32::from(delivery.answered))
        .bind(delivery.delay_seconds)
        .execute(&mut change)
        .await?;
        if !self.1.fetch_add(1, Ordering::Relaxed).is_multiple_of(DELETES) {
            return change.commit().await;
        }
        // What another delivery deletes is not waited for.
        let older = "SELECT id FROM console_deliveries
             WHERE id <= (SELECT id FROM console_deliveries ORDER BY id DESC LIMIT 1 OFFSET $1)";
        let delete =
            |lock: &str| format!("DELETE FROM console_deliveries WHERE id IN ({older}{lock})").into();
        let delete = Text { sqlite: delete(""), postgres: delete(" FOR UPDATE SKIP LOCKED") };
        query(delete).bind(keep).run(&mut change).await?;
        change.commit().await
    }
}

fn delivery(row: &Row) -> Stored<Delivery> {
    Ok(Delivery {
        id: row.parsed("id")?,
        received_at: row.number("received_at")?,
        webhook_id: row.text("webhook_id")?,
        headers: serde_json::from_str(&row.text("headers")?).map_err(|_| bad("headers"))?,
        body: row.text("body")?,
        verdict: row.word("verdict", SignatureCheck::known)?,
        answered: row.number("answered")?,
        delay_seconds: row.number("delay_seconds")?,
    })
}
