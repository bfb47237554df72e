//! Reads that look into the view before they ask the store.

use std::sync::Arc;

use uuid::Uuid;

use super::row::{bad, int};
use super::view::{Look, Token, View};
use super::{Database, business_row, query, store};
use crate::domain::business::Business;
use crate::domain::payment::Record;
use crate::domain::session::Session;
use crate::domain::token::{Caller, TokenHash};
use crate::ports::Stored;

impl Database {
    pub(super) async fn known_caller(
        &self,
        token: &TokenHash,
        now: u64,
    ) -> Stored<Option<(Caller, Option<Session>)>> {
        let Some(view) = self.writer.view() else {
            return Ok(self.stored_caller(token, now).await?.map(|(token, session)| (token.caller, session)));
        };
        let ticket = match view.token(token, now) {
            Look::Known(known) => {
                if cfg!(debug_assertions) {
                    self.check_caller(view, token, now, known).await;
                }
                return Ok(Some(known));
            }
            Look::Ask(ticket) => ticket,
        };
        self.settle(view);
        let Some((found, session)) = self.stored_caller(token, now).await? else { return Ok(None) };
        view.keep_token(token, found, ticket);
        Ok(Some((found.caller, session)))
    }

    pub(super) async fn known_payment(&self, id: Uuid) -> Stored<Option<Arc<Record>>> {
        let Some(view) = self.writer.view() else { return Ok(self.stored_payment(id).await?.map(Arc::new)) };
        let ticket = match view.record(id) {
            Look::Known(record) => {
                if cfg!(debug_assertions) {
                    self.check_payment(view, &record).await;
                }
                return Ok(Some(record));
            }
            Look::Ask(ticket) => ticket,
        };
        self.settle(view);
        let Some(record) = self.stored_payment(id).await? else { return Ok(None) };
        let record = Arc::new(record);
        view.keep_record(&record, ticket);
        Ok(Some(record))
    }

    pub(super) async fn known_business(&self, id: Uuid) -> Stored<Option<Arc<Business>>> {
        let Some(view) = self.writer.view() else { return Ok(self.stored_business(id).await?.map(Arc::new)) };
        let ticket = match view.business(id) {
            Look::Known(business) => {
                if cfg!(debug_assertions) {
                    self.check_business(view, &business).await;
                }
                return Ok(Some(business));
            }
            Look::Ask(ticket) => ticket,
        };
        self.settle(view);
        let Some(business) = self.stored_business(id).await? else { return Ok(None) };
        let business = Arc::new(business);
        view.keep_business(&business, ticket);
        Ok(Some(business))
    }

    /// After another process changed something. Nobody waits for it.
    fn settle(&self, view: &Arc<View>) {
        if !view.has_to_settle() {
            return;
        }
        let (database, view) = (self.clone(), Arc::clone(view));
        tokio::spawn(async move {
            let settled = match database.change().await {
                // The change is empty, and in it nobody else is.
                Ok(_change) => view.settle().map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            if let Err(error) = settled {
                view.not_settled();
                tracing::warn!(
                    error,
                    "what is known of payments cannot be settled; every question goes to the store"
                );
            }
        });
    }

    /// What is known is what is stored, unless it changed meanwhile. A store that cannot be asked says nothing.
    async fn check_payment(&self, view: &View, known: &Arc<Record>) {
        let id = known.payment.id;
        let Ok(stored) = self.stored_payment(id).await else { return };
        if let Look::Known(still) = view.record(id)
            && Arc::ptr_eq(&still, known)
        {
            assert_eq!(stored.as_ref(), Some(&**known), "the view of a payment is stale");
        }
    }

    async fn check_business(&self, view: &View, known: &Arc<Business>) {
        let Ok(stored) = self.stored_business(known.id).await else { return };
        if let Look::Known(still) = view.business(known.id)
            && Arc::ptr_eq(&still, known)
        {
            assert_eq!(stored.as_ref(), Some(&**known), "the view of a business is stale");
        }
    }

    async fn check_caller(&self, view: &View, token: &TokenHash, now: u64, known: (Caller, Option<Session>)) {
        let Ok(stored) = self.stored_caller(token, now).await else { return };
        if matches!(view.token(token, now), Look::Known(still) if still == known) {
            let stored = stored.map(|(token, session)| (token.caller, session));
            assert_eq!(stored, Some(known), "the view of a token is stale");
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
        let id = row.optional_parsed("id")?;
        let ends_at = row.optional_number("ends_at")?;
        let (caller, session) = match (row.text("kind")?.as_str(), id) {
            ("session", Some(payment)) => {
                let window_end = row.optional_number("window_end")?;
                let settled_at = row.optional_number("settled_at")?;
                (Caller::Session { payment }, Some(Session { window_end, settled_at }))
            }
            ("credential", Some(business)) => (Caller::Business(business), None),
            ("credential", None) => (Caller::Organisation, None),
            _ => return Err(bad("kind")),
        };
        Ok(Some((Token { caller, ends_at }, session)))
    }

    async fn stored_business(&self, id: Uuid) -> Stored<Option<Business>> {
        let row = query("SELECT * FROM businesses WHERE id = $1")
            .bind(id.to_string())
            .fetch_optional(&self.readers)
            .await?;
        row.map(|row| business_row::read(&row)).transpose()
    }

    pub(super) async fn stored_payment(&self, id: Uuid) -> Stored<Option<Record>> {
        // One snapshot for both tables, so that no deposit is missing from its status.
        let mut snapshot = self.readers.snapshot().await?;
        store::record(&mut snapshot, query("SELECT * FROM payments WHERE id = $1"), id).await
    }
}
