//! Reads that look into memory before they ask the store: what is answered from there is as new as the store.

mod remembered;
mod viewed;

use std::sync::Arc;

use uuid::Uuid;

use super::connection::Memory;
use super::row::int;
use super::view::Token;
use super::{Database, query, session_row, store};
use crate::domain::access::session::Session;
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::business::Business;
use crate::domain::payment::Record;
use crate::ports::Stored;

/// Whom a token speaks for, and what the end of a payer's session follows from.
type Called = (Caller, Option<Session>);

impl Database {
    pub(super) async fn known_caller(&self, token: &TokenHash, now: u64) -> Stored<Option<Called>> {
        match self.writer.memory() {
            Memory::View(view) => self.viewed_caller(view, token, now).await,
            Memory::Remembered(memory) => Ok(self.remembered_caller(memory, token, now, None).await?.0),
        }
    }

    pub(super) async fn known_caller_and_payment(
        &self,
        token: &TokenHash,
        now: u64,
        payment: Uuid,
    ) -> Stored<(Option<Called>, Option<Arc<Record>>)> {
        match self.writer.memory() {
            Memory::View(view) => {
                let Some(called) = self.viewed_caller(view, token, now).await? else {
                    return Ok((None, None));
                };
                Ok((Some(called), self.viewed_payment(view, payment).await?))
            }
            Memory::Remembered(memory) => self.remembered_caller(memory, token, now, Some(payment)).await,
        }
    }

    pub(super) async fn known_payment(&self, id: Uuid) -> Stored<Option<Arc<Record>>> {
        match self.writer.memory() {
            Memory::View(view) => self.viewed_payment(view, id).await,
            Memory::Remembered(memory) => self.remembered(memory, &id).await,
        }
    }

    pub(super) async fn known_business(&self, id: Uuid) -> Stored<Option<Arc<Business>>> {
        match self.writer.memory() {
            Memory::View(view) => self.viewed_business(view, id).await,
            Memory::Remembered(memory) => self.remembered(memory, &id).await,
        }
    }

    async fn stored_caller(&self, token: &TokenHash, now: u64) -> Stored<Option<(Token, Option<Session>)>> {
        let row = query(
            "SELECT 'credential' AS kind, business AS id, ends_at, NULL AS window_end, NULL AS settled_at
             FROM credentials WHERE token_hash = $1 AND (ends_at IS NULL OR ends_at > $2)
             UNION ALL
             SELECT 'session', payment, ends_at, window_end, settled_at
             FROM sessions JOIN payments ON payments.id = sessions.payment
             WHERE token_hash = $1 AND (ends_at IS NULL OR ends_at > $2)",
        )
        .bind(token.as_str())
        .bind(int(now))
        .fetch_optional(&self.readers)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let token = session_row::token(&row)?;
        let session = match token.caller {
            Caller::Session { .. } => Some(Session {
                window_end: row.optional_number("window_end")?,
                settled_at: row.optional_number("settled_at")?,
            }),
            Caller::Organisation | Caller::Business(_) => None,
        };
        Ok(Some((token, session)))
    }

    pub(super) async fn stored_payment(&self, id: Uuid) -> Stored<Option<Record>> {
        // One snapshot for both tables, so that no deposit is missing from its status.
        let mut snapshot = self.readers.snapshot().await?;
        store::record(&mut snapshot, query("SELECT * FROM payments WHERE id = $1"), id).await
    }
}
