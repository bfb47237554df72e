//! Manual actions on the simulated world.

use checkout_core::Network;
use checkout_domain::ports::Stored;
use checkout_storage::{Row, query};

use super::Storage;
use crate::records::{SandboxEvent, What};

impl Storage {
    /// Returns the actions since `since`, oldest first.
    pub async fn events(&self, since: u64) -> Stored<Vec<SandboxEvent>> {
        query("SELECT * FROM console_events WHERE at >= $1 ORDER BY at, id")
            .bind(since)
            .read_all(self.0.readers(), event)
            .await
    }

    /// Stores an action and deletes all but the newest `keep`.
    pub async fn put_event(&self, event: &SandboxEvent, keep: u32) -> Stored<()> {
        let mut change = self.0.change().await?;
        query(
            "INSERT INTO console_events (id, at, what, network, quantity, subject) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(event.id)
        .bind(event.at)
        .bind(event.what.as_str())
        .bind(event.network.map(Network::code))
        .bind(event.quantity)
        .bind(&event.subject)
        .execute(&mut change)
        .await?;
        query(
            "DELETE FROM console_events
             WHERE id <= (SELECT id FROM console_events ORDER BY id DESC LIMIT 1 OFFSET $1)",
        )
        .bind(keep)
        .execute(&mut change)
        .await?;
        change.commit().await
    }
}

fn event(row: &Row) -> Stored<SandboxEvent> {
    Ok(SandboxEvent {
        id: row.parsed("id")?,
        at: row.number("at")?,
        what: row.word("what", What::known)?,
        network: row.optional_parsed("network")?,
        quantity: row.number("quantity")?,
        subject: row.optional_text("subject")?,
    })
}
