use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use super::seal::Keyring;
use super::{Transaction, locks};
use crate::fail_point;
use crate::ports::{Stored, Tx};

/// A change, and the keys of its secrets.
pub(super) struct SqlTx(pub(super) Transaction, pub(super) Arc<Keyring>);

#[async_trait]
impl Tx for SqlTx {
    async fn commit(self: Box<Self>) -> Stored<()> {
        fail_point::reach("commit.before");
        self.0.commit().await?;
        fail_point::reach("commit.after");
        Ok(())
    }

    async fn lock(&mut self, payments: &[Uuid]) -> Stored<()> {
        locks::hold_payments(&mut self.0, payments).await
    }
}
