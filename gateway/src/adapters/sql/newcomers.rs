//! New payments of requests that come at the same time, in one transaction: a commit waits for the disk, and who comes
//! meanwhile goes with the next one.
//!
//! Nobody is answered before the commit came back. A payment that the store refuses to take takes no other one with it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use uuid::Uuid;

use super::{Database, payment_row, session_row};
use crate::fail_point;
use crate::ports::{NewPayment, StoreError, Stored};

/// Payments of one transaction.
const MOST: usize = 32;

#[derive(Clone, Debug, Default)]
pub(crate) struct Newcomers(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// Somebody stores what waits, and looks again before the end.
    is_served: bool,
}

#[derive(Debug)]
struct Waiting {
    new: NewPayment,
    /// Gone when the request was given up.
    answer: oneshot::Sender<Stored<bool>>,
}

/// Stores what waits. What it leaves behind when it is dropped, others can take up.
struct Server {
    newcomers: Newcomers,
    database: Database,
    is_done: bool,
}

impl Newcomers {
    /// False when the payment's `clientPaymentId` is taken.
    pub(super) async fn add(&self, database: &Database, new: NewPayment) -> Stored<bool> {
        let (answer, answered) = oneshot::channel();
        let is_served = {
            let mut queue = self.queue();
            queue.waiting.push(Waiting { new, answer });
            std::mem::replace(&mut queue.is_served, true)
        };
        if !is_served {
            // Apart from this request, which can be given up while others wait for the same commit.
            let server = Server { newcomers: self.clone(), database: database.clone(), is_done: false };
            tokio::spawn(server.serve());
        }
        answered.await.map_err(|error| StoreError(error.into()))?
    }

    /// The next ones to store; `None` when there are none, and nobody serves any more.
    fn next(&self) -> Option<Vec<Waiting>> {
        let mut queue = self.queue();
        queue.waiting.retain(|waiting| !waiting.answer.is_closed());
        queue.is_served = !queue.waiting.is_empty();
        let count = queue.waiting.len().min(MOST);
        queue.is_served.then(|| queue.waiting.drain(..count).collect())
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Server {
    async fn serve(mut self) {
        while let Some(batch) = self.newcomers.next() {
            self.store(batch).await;
        }
        self.is_done = true;
    }

    async fn store(&self, mut batch: Vec<Waiting>) {
        // In one order everywhere: two gateways that add the same do not wait for each other.
        batch.sort_by(|one, other| one.new.key().cmp(&other.new.key()));
        let stored = match self.insert(&batch).await {
            Err(Fault::BeforeCommit(_)) if batch.len() > 1 => {
                // One at a time, to find whose fault it was.
                for one in batch {
                    Box::pin(self.store(vec![one])).await;
                }
                return;
            }
            Err(Fault::BeforeCommit(error) | Fault::Commit(error)) => Err(error.to_string()),
            Ok(stored) => Ok(stored),
        };
        for Waiting { new, answer } in batch {
            let own = match &stored {
                Ok(stored) => Ok(stored.contains(&new.payment.id)),
                Err(error) => Err(StoreError(error.clone().into())),
            };
            let _ = answer.send(own);
        }
    }
}

/// Why nothing of a transaction is stored, or perhaps all of it.
enum Fault {
    BeforeCommit(StoreError),
    Commit(StoreError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::BeforeCommit(error)
    }
}

impl Server {
    /// The payments that are stored now.
    async fn insert(&self, batch: &[Waiting]) -> Result<BTreeSet<Uuid>, Fault> {
        let mut change = self.database.change().await?;
        let payments: Vec<_> =
            batch.iter().map(|one| (&one.new.payment, one.new.request_hash.as_str())).collect();
        let stored = payment_row::insert(&mut change, &payments).await?;
        let sessions = batch.iter().map(|one| &one.new).filter(|new| stored.contains(&new.payment.id));
        let sessions: Vec<_> =
            sessions.map(|new| (&new.session, new.payment.id, new.payment.initiated_at)).collect();
        session_row::insert(&mut change, &sessions).await?;
        fail_point::reach("commit.before");
        change.commit().await.map_err(Fault::Commit)?;
        fail_point::reach("commit.after");
        Ok(stored)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // In the middle: a fault, or the end of the process. Who waits is told that nothing is known.
        if !self.is_done {
            let mut queue = self.newcomers.queue();
            queue.is_served = false;
            queue.waiting.clear();
        }
    }
}
