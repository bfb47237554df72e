//! Callbacks and their attempts. During an attempt `due_at` is the end of its lease: if the process dies, the callback
//! becomes due again then.

use std::collections::BTreeSet;

use async_trait::async_trait;
use checkout_domain::callback::filter::CallbackFilter;
use checkout_domain::callback::schedule::Next;
use checkout_domain::callback::{Attempt, Callback, Endpoint, Kind, Lane, Outcome, State};
use checkout_domain::ids::BusinessId;
use checkout_domain::page::Page;
use checkout_domain::ports::callbacks::{
    Backlog, BegunAttempt, CallbackStore, CallbackTx, EndedAttempt, Resent,
};
use checkout_domain::ports::{StoreError, Stored};
use uuid::Uuid;

use super::businesses;
use crate::changes::tx::SqlTx;
use crate::{Database, Value, locked, pages, query, query_rows, rows};

/// The businesses with callbacks in these rows that are due at `$1`. The index of the lane is used for the text alone.
macro_rules! due_businesses {
    ($lane:literal) => {
        concat!(
            "WITH RECURSIVE waiting (business) AS (
                 SELECT MIN(business) FROM callbacks WHERE state = 'PENDING' AND ",
            $lane,
            "
                 UNION ALL
                 SELECT (SELECT MIN(business) FROM callbacks
                         WHERE state = 'PENDING' AND business > waiting.business AND ",
            $lane,
            ")
                 FROM waiting WHERE business IS NOT NULL
             )
             SELECT business FROM waiting
             WHERE business IS NOT NULL AND EXISTS (
                 SELECT 1 FROM callbacks
                 WHERE state = 'PENDING' AND callbacks.business = waiting.business AND due_at <= $1 AND ",
            $lane,
            ")"
        )
    };
}

#[async_trait]
impl CallbackTx for SqlTx {
    async fn put_callbacks(&mut self, callbacks: &[Callback]) -> Stored<()> {
        self.note_sequences(callbacks);
        if let Some(later) = self.later() {
            later.callbacks.extend_from_slice(callbacks);
            return Ok(());
        }
        rows::callback::put(self.now().await?, callbacks).await
    }

    /// Stores nothing that was collected: that would be out of the order of locks.
    async fn next_sequence(&mut self, subject: Uuid) -> Stored<u32> {
        Ok(self.last_sequence(subject).await? + 1)
    }

    async fn hold_callback(&mut self, kind: &Kind, subject: Uuid) -> Stored<Option<State>> {
        query(
            "UPDATE callbacks SET state = 'HELD', due_at = NULL
             WHERE kind = $1 AND subject = $2 AND state IN ('PENDING', 'FAILED')",
        )
        .bind(kind.as_str())
        .bind(subject)
        .execute(self.now().await?)
        .await?;
        query("SELECT state FROM callbacks WHERE kind = $1 AND subject = $2")
            .bind(kind.as_str())
            .bind(subject)
            .read_first(self.now().await?, |row| row.word("state", State::known))
            .await
    }

    async fn hold_naming(&mut self, business: BusinessId, kind: &Kind, id: Uuid) -> Stored<()> {
        query(
            "UPDATE callbacks SET state = 'HELD', due_at = NULL
             WHERE business = $1 AND kind = $2 AND state IN ('PENDING', 'FAILED') AND body LIKE '%' || $3 || '%'",
        )
        .bind(business)
        .bind(kind.as_str())
        .bind(id)
        .run(self.now().await?)
        .await
    }

    async fn begin_attempts(
        &mut self,
        business: BusinessId,
        lane: Lane,
        now: u64,
        lease_end: u64,
        limit: u32,
        endpoint: Endpoint,
    ) -> Stored<Vec<BegunAttempt>> {
        // Skips rows that another process has locked.
        let statement = match lane {
            Lane::Callbacks => locked!(
                "UPDATE callbacks SET attempts = attempts + 1, due_at = $3, set_at = $2
                 WHERE id IN (SELECT id FROM callbacks
                              WHERE state = 'PENDING' AND sequence = 0 AND business = $1 AND due_at <= $2
                              ORDER BY due_at LIMIT $4",
                "FOR NO KEY UPDATE SKIP LOCKED",
                ") RETURNING *"
            ),
            Lane::Events => locked!(
                "UPDATE callbacks SET attempts = attempts + 1, due_at = $3, set_at = $2
                 WHERE id IN (SELECT id FROM callbacks
                              WHERE state = 'PENDING' AND sequence > 0 AND business = $1 AND due_at <= $2
                              ORDER BY due_at LIMIT $4",
                "FOR NO KEY UPDATE SKIP LOCKED",
                ") RETURNING *"
            ),
        };
        let rows = query(statement)
            .bind(business)
            .bind(now)
            .bind(lease_end)
            .bind(limit)
            .fetch_all(self.now().await?)
            .await?;
        let callbacks: Vec<Callback> =
            rows.into_iter().map(|row| rows::callback::read(&row)).collect::<Stored<_>>()?;
        if callbacks.is_empty() {
            return Ok(Vec::new());
        }
        let missing = || StoreError("a callback of no business".into());
        let keys = self.keys();
        let business = rows::business::find(self.now().await?, &keys, business).await?.ok_or_else(missing)?;
        let secrets = businesses::secrets(self.now().await?, &keys, &business, now).await?;
        let begun = |callback: Callback| BegunAttempt {
            number: callback.attempts,
            url: endpoint(&business, &callback.kind).map(ToOwned::to_owned),
            secrets: secrets.clone(),
            webhook: callback.kind.webhook(&business).cloned(),
            callback,
        };
        let attempts: Vec<BegunAttempt> = callbacks.into_iter().map(begun).collect();
        let row = |begun: &BegunAttempt| -> Vec<Value> {
            vec![begun.callback.id.into(), begun.number.into(), now.into(), (&begun.url).into()]
        };
        let text = |new: &str| {
            format!("INSERT INTO callback_attempts (callback, number, started_at, url) SELECT * FROM {new}")
        };
        query_rows(Vec::new(), attempts.iter().map(row).collect(), text).run(self.now().await?).await?;
        Ok(attempts)
    }

    /// A success always counts. A failure counts only if no later attempt has begun.
    async fn end_attempts(&mut self, attempts: &[EndedAttempt]) -> Stored<()> {
        if attempts.is_empty() {
            return Ok(());
        }
        let row = |EndedAttempt { callback, number, ended, .. }: &EndedAttempt| -> Vec<Value> {
            let (status, reason) = match &ended.outcome {
                Outcome::Answered { status } => (Some(i64::from(*status)), None),
                Outcome::Unanswered { reason } => (None, Some(reason)),
            };
            vec![(*callback).into(), (*number).into(), ended.millis.into(), status.into(), reason.into()]
        };
        let text = |new: &str| {
            format!(
                "UPDATE callback_attempts SET millis = new.column3, status = new.column4, reason = new.column5
                 FROM {new} WHERE callback = new.column1 AND number = new.column2"
            )
        };
        query_rows(Vec::new(), attempts.iter().map(row).collect(), text).run(self.now().await?).await?;
        let delivered: BTreeSet<Uuid> = attempts
            .iter()
            .filter_map(|attempt| matches!(attempt.next, Next::Delivered).then_some(attempt.callback))
            .collect();
        let counts = |attempt: &&EndedAttempt| {
            matches!(attempt.next, Next::Delivered) || !delivered.contains(&attempt.callback)
        };
        let row = |EndedAttempt { callback, number, next, .. }: &EndedAttempt| -> Vec<Value> {
            let (state, due_at) = match next {
                Next::Delivered => (State::Delivered, None),
                Next::Retry(at) => (State::Pending, Some(*at)),
                Next::GivenUp => (State::Failed, None),
            };
            vec![(*callback).into(), (*number).into(), state.as_str().into(), due_at.into()]
        };
        let text = |new: &str| {
            format!(
                "UPDATE callbacks SET state = new.column3, due_at = new.column4,
                     failures = CASE WHEN new.column3 = 'DELIVERED' THEN failures ELSE failures + 1 END
                 FROM {new}
                 WHERE id = new.column1
                     AND (new.column3 = 'DELIVERED' OR (attempts = new.column2 AND state = 'PENDING'))"
            )
        };
        query_rows(Vec::new(), attempts.iter().filter(counts).map(row).collect(), text)
            .run(self.now().await?)
            .await
    }

    async fn resend_callback(&mut self, id: Uuid, now: u64) -> Stored<Resent> {
        let found = query(locked!("SELECT state FROM callbacks WHERE id = $1", "FOR NO KEY UPDATE"))
            .bind(id)
            .fetch_optional(self.now().await?)
            .await?;
        let Some(row) = found else { return Ok(Resent::NoCallback) };
        if row.word("state", State::known)? == State::Held {
            return Ok(Resent::Held);
        }
        query("UPDATE callbacks SET state = 'PENDING', failures = 0, due_at = $2, set_at = $2 WHERE id = $1")
            .bind(id)
            .bind(now)
            .execute(self.now().await?)
            .await?;
        Ok(Resent::Due)
    }

    async fn move_callbacks_back(&mut self, now: u64) -> Stored<u64> {
        query(
            "UPDATE callbacks SET due_at = $1 + due_at - set_at, set_at = $1
             WHERE state = 'PENDING' AND due_at > $1 AND set_at > $1",
        )
        .bind(now)
        .execute(self.now().await?)
        .await
    }
}

#[async_trait]
impl CallbackStore for Database {
    /// Takes a fixed number of index lookups per business with pending callbacks, however many are pending.
    async fn due_businesses(&self, lane: Lane, now: u64) -> Stored<Vec<BusinessId>> {
        query(match lane {
            Lane::Callbacks => due_businesses!("sequence = 0"),
            Lane::Events => due_businesses!("sequence > 0"),
        })
        .bind(now)
        .read_all(&self.readers, |row| row.parsed("business"))
        .await
    }

    async fn callbacks(
        &self,
        business: Option<BusinessId>,
        state: Option<State>,
        limit: u32,
    ) -> Stored<Vec<Callback>> {
        query(
            "SELECT * FROM callbacks WHERE ($1 IS NULL OR business = $1) AND ($2 IS NULL OR state = $2)
             ORDER BY id DESC LIMIT $3",
        )
        .bind(business)
        .bind(state.map(State::as_str))
        .bind(limit)
        .read_all(&self.readers, rows::callback::read)
        .await
    }

    async fn callback_page(
        &self,
        business: BusinessId,
        filter: &CallbackFilter,
        page: &Page,
    ) -> Stored<Vec<(Callback, Vec<Attempt>)>> {
        let mut snapshot = self.readers.snapshot().await?;
        pages::callbacks::read(&mut snapshot, business, filter, page).await
    }

    async fn backlog(&self, now: u64) -> Stored<Backlog> {
        let row = query(
            "SELECT COUNT(*) AS pending, MIN(CASE WHEN due_at <= $1 THEN due_at END) AS due_since
             FROM (SELECT due_at FROM callbacks WHERE state = 'PENDING' AND sequence = 0
                   UNION ALL SELECT due_at FROM callbacks WHERE state = 'PENDING' AND sequence > 0) AS pending",
        )
        .bind(now)
        .fetch_one(&self.readers)
        .await?;
        Ok(Backlog { pending: row.number("pending")?, due_since: row.optional_number("due_since")? })
    }

    async fn callback(&self, id: Uuid) -> Stored<Option<(Callback, Vec<Attempt>)>> {
        let mut snapshot = self.readers.snapshot().await?;
        let row =
            query("SELECT * FROM callbacks WHERE id = $1").bind(id).fetch_optional(&mut snapshot).await?;
        let Some(row) = row else { return Ok(None) };
        let rows = query("SELECT * FROM callback_attempts WHERE callback = $1 ORDER BY number")
            .bind(id)
            .fetch_all(&mut snapshot)
            .await?;
        let attempts = rows.into_iter().map(|row| rows::callback::attempt(&row)).collect::<Stored<_>>()?;
        Ok(Some((rows::callback::read(&row)?, attempts)))
    }
}
