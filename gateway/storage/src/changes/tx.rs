//! A change: one transaction of the database.

use checkout_domain::ids::PaymentId;
use std::sync::Arc;

use async_trait::async_trait;
use checkout_domain::fail_point;
use checkout_domain::ports::{Stored, Tx};

use super::later::Later;
use crate::Transaction;
use crate::secrets::seal::Keyring;
use crate::statements::locks;

/// A change, the keys of its secrets, and what it has yet to store.
pub(crate) struct SqlTx {
    change: Transaction,
    keys: Arc<Keyring>,
    later: Option<Later>,
}

impl SqlTx {
    pub(crate) fn new(change: Transaction, keys: Arc<Keyring>) -> Self {
        Self { change, keys, later: None }
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
        locks::hold_payments(self.now().await?, payments).await
    }

    fn collect(&mut self) {
        self.later.get_or_insert_default();
    }
}
