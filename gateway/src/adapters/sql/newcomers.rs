//! New payments of requests that come at the same time, in one transaction: a commit waits for the disk, and who comes
//! meanwhile goes with the next one.
//!
//! Nobody is answered before the commit came back. A payment that the store refuses to take takes no other one with it.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::batches::{self, Batches};
use super::{Database, payment_row, session_row};
use crate::fail_point;
use crate::ports::{NewPayment, StoreError, Stored};

/// Payments of one transaction.
const MOST: usize = 32;

type Waiting = batches::Waiting<NewPayment, Stored<bool>>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Newcomers(Batches<NewPayment, Stored<bool>>);

impl Newcomers {
    /// False when the payment's `clientPaymentId` is taken.
    pub(super) async fn add(&self, database: &Database, new: NewPayment) -> Stored<bool> {
        self.0.ask(new, |server| serve(server, database.clone())).await?
    }
}

async fn serve(mut server: batches::Server<NewPayment, Stored<bool>>, database: Database) {
    while let Some(batch) = server.next(MOST) {
        store(&database, batch).await;
    }
}

async fn store(database: &Database, mut batch: Vec<Waiting>) {
    // In one order everywhere: two gateways that add the same do not wait for each other.
    batch.sort_by(|one, other| one.wanted.key().cmp(&other.wanted.key()));
    let stored = match insert(database, &batch).await {
        Err(Fault::BeforeCommit(_)) if batch.len() > 1 => {
            // One at a time, to find whose fault it was.
            for one in batch {
                Box::pin(store(database, vec![one])).await;
            }
            return;
        }
        Err(Fault::BeforeCommit(error) | Fault::Commit(error)) => Err(error.to_string()),
        Ok(stored) => Ok(stored),
    };
    for waiting in batch {
        let own = match &stored {
            Ok(stored) => Ok(stored.contains(&waiting.wanted.payment.id)),
            Err(error) => Err(StoreError(error.clone().into())),
        };
        waiting.answer(own);
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

/// The payments that are stored now.
async fn insert(database: &Database, batch: &[Waiting]) -> Result<BTreeSet<Uuid>, Fault> {
    let mut change = database.change().await?;
    let new = || batch.iter().map(|one| &one.wanted);
    let payments: Vec<_> = new().map(|new| (&new.payment, new.request_hash.as_str())).collect();
    let stored = payment_row::insert(&mut change, &payments).await?;
    let sessions = new().filter(|new| stored.contains(&new.payment.id));
    let sessions: Vec<_> =
        sessions.map(|new| (&new.session, new.payment.id, new.payment.initiated_at)).collect();
    session_row::insert(&mut change, &sessions).await?;
    fail_point::reach("commit.before");
    change.commit().await.map_err(Fault::Commit)?;
    fail_point::reach("commit.after");
    Ok(stored)
}
