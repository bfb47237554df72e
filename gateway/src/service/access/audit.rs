//! Adds entries to the audit log.

use checkout_domain::access::audit::{AuditRecord, LONGEST_DETAIL};
use checkout_domain::ports::operators::OperatorTx;
use checkout_domain::ports::{Store, Stored};
use uuid::Uuid;

/// An action, and who takes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Act<'a> {
    pub operator: &'a str,
    /// Address of the client; empty for a command.
    pub client: &'a str,
    pub action: &'a str,
    pub target: &'a str,
    pub detail: &'a str,
    pub outcome: &'a str,
}

impl Act<'_> {
    fn entry(&self, id: Uuid, at: u64) -> AuditRecord {
        let end = self.detail.floor_char_boundary(LONGEST_DETAIL);
        AuditRecord {
            id,
            at,
            operator: self.operator.to_owned(),
            client: self.client.to_owned(),
            action: self.action.to_owned(),
            target: self.target.to_owned(),
            detail: self.detail.get(..end).unwrap_or_default().to_owned(),
            outcome: self.outcome.to_owned(),
        }
    }

    /// In the transaction of what is done.
    pub async fn append(&self, tx: &mut dyn OperatorTx, id: Uuid, at: u64) -> Stored<()> {
        tx.append_audit(&self.entry(id, at)).await
    }

    /// In a transaction of its own.
    pub async fn note(&self, store: &dyn Store, id: Uuid, at: u64) -> Stored<()> {
        let mut tx = store.begin().await?;
        self.append(tx.as_mut(), id, at).await?;
        tx.commit().await
    }
}
