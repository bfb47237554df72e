//! A change: one transaction of the database.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use checkout_domain::callback::Callback;
use checkout_domain::fail_point;
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::{Stored, Tx};
use uuid::Uuid;

use super::later::Later;
use crate::secrets::seal::Keyring;
use crate::statements::locks;
use crate::{Transaction, query_list};

/// A change, the keys of its secrets, and what it has yet to store.
pub(crate) struct SqlTx {
    change: Transaction,
    keys: Arc<Keyring>,
    later: Option<Later>,
    locked: Vec<PaymentId>,
    /// The last numbers of events, by subject; see [`Self::last_sequence`].
    sequences: BTreeMap<Uuid, u32>,
}

impl SqlTx {
    pub(crate) fn new(change: Transaction, keys: Arc<Keyring>) -> Self {
        Self { change, keys, later: None, locked: Vec::new(), sequences: BTreeMap::new() }
    }

    pub(crate) fn keys(&self) -> Arc<Keyring> {
        Arc::clone(&self.keys)
    }

    /// Where a change goes that is [collected](Tx::collect); `None` if it is stored at once.
    pub(crate) fn later(&mut self) -> Option<&mut Later> {
        self.later.as_mut()
    }

    /// The transaction as it is stored, without what was collected.
    pub(crate) fn as_stored(&mut self) -> &mut Transaction {
        &mut self.change
    }

    /// The transaction with everything that was collected.
    pub(crate) async fn now(&mut self) -> Stored<&mut Transaction> {
        if let Some(later) = self.later.as_mut().filter(|later| !later.is_empty()) {
            std::mem::take(later).store(&mut self.change).await?;
        }
        Ok(&mut self.change)
    }

    /// The number of the last event of a subject, with what was collected. Those of all locked payments are read at once.
    pub(crate) async fn last_sequence(&mut self, subject: Uuid) -> Stored<u32> {
        if let Some(last) = self.sequences.get(&subject) {
            return Ok(*last);
        }
        let subjects = self.locked.iter().map(|payment| payment.0).chain([subject]);
        let subjects: Vec<Uuid> = subjects.filter(|subject| !self.sequences.contains_key(subject)).collect();
        let text = |listed: &str| {
            format!(
                "SELECT subject, MAX(sequence) AS last FROM callbacks WHERE subject {listed} GROUP BY subject"
            )
        };
        let known = query_list(Vec::new(), subjects.iter().copied(), text);
        let known: Vec<(Uuid, u32)> =
            known.read_all(&mut self.change, |row| Ok((row.parsed("subject")?, row.number("last")?))).await?;
        self.sequences.extend(subjects.into_iter().map(|subject| (subject, 0)).chain(known));
        Ok(self.sequences[&subject])
    }

    /// Follows the numbers of events that this change adds.
    pub(crate) fn note_sequences(&mut self, callbacks: &[Callback]) {
        for callback in callbacks {
            if let Some(last) = self.sequences.get_mut(&callback.subject) {
                *last = callback.sequence.max(*last);
            }
        }
    }
}

#[async_trait]
impl Tx for SqlTx {
    async fn commit(mut self: Box<Self>) -> Stored<()> {
        self.now().await?;
        fail_point::reach("commit.before");
        self.change.commit().await?;
        fail_point::reach("commit.after");
        Ok(())
    }

    async fn lock(&mut self, payments: &[PaymentId]) -> Stored<()> {
        self.locked.extend_from_slice(payments);
        locks::hold_payments(self.now().await?, payments).await
    }

    fn collect(&mut self) {
        self.later.get_or_insert_default();
    }
}
