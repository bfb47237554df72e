//! Inserts the new payments of concurrent requests in one transaction: a commit waits for the disk, and requests that
//! arrive during it join the next batch.
//!
//! A request is answered after its commit has returned. If the database rejects one payment of a batch, the
//! others are stored. If the answer to a commit is lost, the batch is inserted again; payments that were
//! already stored are found by their id.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeSet;

use checkout_domain::fail_point;
use checkout_domain::ports::{NewPayment, StoreError, Stored};
use sqlx::error::ErrorKind;
use tokio::sync::{mpsc, oneshot};

use crate::{Writer, rows};

/// Maximum number of payments per transaction.
const MAX_BATCH: usize = 32;

/// Number of queued requests; further requests wait for a free place.
const QUEUE: usize = 256;

/// The queue of the inserting task, which ends when the last clone is dropped.
#[derive(Clone, Debug)]
pub(crate) struct InsertBatch(mpsc::Sender<Pending>);

#[derive(Debug)]
struct Pending {
    new: NewPayment,
    /// Closed if the request was cancelled.
    answer: oneshot::Sender<Stored<bool>>,
}

impl InsertBatch {
    pub(crate) fn new(writer: Writer) -> Self {
        let (sender, mut queue) = mpsc::channel(QUEUE);
        tokio::spawn(async move {
            let mut batch = Vec::new();
            while queue.recv_many(&mut batch, MAX_BATCH).await > 0 {
                let batch = std::mem::take(&mut batch);
                // A separate task, so that a panic fails only this batch.
                let _ = tokio::spawn(insert(writer.clone(), batch)).await;
            }
        });
        Self(sender)
    }

    /// Adds a payment to the next batch. Returns false if its `clientPaymentId` is taken.
    pub(crate) async fn add(&self, new: NewPayment) -> Stored<bool> {
        let (answer, answered) = oneshot::channel();
        self.0.send(Pending { new, answer }).await.map_err(|error| StoreError(error.to_string().into()))?;
        answered.await.map_err(|error| StoreError(error.into()))?
    }
}

async fn insert(writer: Writer, mut batch: Vec<Pending>) {
    batch.retain(|pending| !pending.answer.is_closed());
    // Sorted, so that gateways that insert the same keys cannot deadlock.
    batch.sort_by(|one, other| one.new.key().cmp(&other.new.key()));
    let stored = match commit(&writer, &batch, false).await {
        Err(InsertError::BeforeCommit(error)) if batch.len() > 1 && is_about_a_row(&error) => {
            // One at a time, so that only the rejected payments fail.
            for one in batch {
                Box::pin(insert(writer.clone(), vec![one])).await;
            }
            return;
        }
        Err(InsertError::Commit(error)) if error.is_unknown() => {
            tracing::warn!(%error, payments = batch.len(), "a batch is inserted again");
            commit(&writer, &batch, true).await.map_err(|_| error)
        }
        Err(InsertError::BeforeCommit(error) | InsertError::Commit(error)) => Err(error),
        Ok(stored) => Ok(stored),
    };
    for Pending { new, answer } in batch {
        let own = match &stored {
            Ok(stored) => Ok(stored.contains(&new.payment.id)),
            Err(error) if error.is_unknown() => Err(StoreError::unknown(error.to_string())),
            Err(error) => Err(StoreError(error.to_string().into())),
        };
        let _ = answer.send(own);
    }
}

enum InsertError {
    /// Nothing was stored.
    BeforeCommit(StoreError),
    /// Either everything was stored or nothing.
    Commit(StoreError),
}

impl From<StoreError> for InsertError {
    fn from(error: StoreError) -> Self {
        Self::BeforeCommit(error)
    }
}

/// The database rejects a value or a reference. Anything else fails for every payment.
fn is_about_a_row(error: &StoreError) -> bool {
    let Some(sqlx::Error::Database(said)) = error.0.downcast_ref::<sqlx::Error>() else { return false };
    // Class 22 of PostgreSQL: a value that a column cannot hold.
    said.kind() != ErrorKind::Other
        || said.code().is_some_and(|code| code.len() == 5 && code.starts_with("22"))
}

/// Stores a batch in one transaction and returns the ids of the stored payments. When done `again`, this
/// includes those stored before.
async fn commit(writer: &Writer, batch: &[Pending], again: bool) -> Result<BTreeSet<PaymentId>, InsertError> {
    if batch.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut change = writer.begin().await?;
    let new = || batch.iter().map(|pending| &pending.new);
    let payments: Vec<_> = new().map(|new| (&new.payment, new.request_hash.as_str())).collect();
    let mut stored = rows::payment::insert(&mut change, &payments).await?;
    let sessions = new().filter(|new| stored.contains(&new.payment.id));
    let sessions: Vec<_> =
        sessions.map(|new| (&new.session, new.payment.id, new.payment.initiated_at)).collect();
    rows::session::insert(&mut change, &sessions).await?;
    if again {
        let ids: Vec<PaymentId> = payments.iter().map(|(payment, _)| payment.id).collect();
        stored.extend(rows::payment::present(&mut change, &ids).await?);
    }
    fail_point::reach("commit.before");
    change.commit().await.map_err(InsertError::Commit)?;
    fail_point::reach("commit.after");
    Ok(stored)
}
