//! Stored operators, their sessions and the audit log.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::access::audit::AuditRecord;
use crate::access::operator::{DeskSession, Name, Operator, Secrets};
use crate::access::token::TokenHash;
use crate::page::Page;

/// Changes of operators, inside a [`Tx`](super::Tx).
#[async_trait]
pub trait OperatorTx: Send {
    /// False if the name is taken.
    async fn add_operator(&mut self, operator: &Operator) -> Stored<bool>;

    /// Stores role, business and whether the operator is disabled, and ends the sessions.
    async fn change_operator(&mut self, operator: &Operator) -> Stored<()>;

    /// Replaces what the operator signs in with, and ends the sessions.
    async fn put_secrets(&mut self, operator: Uuid, secrets: &Secrets) -> Stored<()>;

    /// Marks a one-time code as used. False if it, or a later one, was used before.
    async fn use_code(&mut self, operator: Uuid, step: u64) -> Stored<bool>;

    /// Adds a session, and removes those of everybody that were last used before `before`.
    async fn put_desk_session(
        &mut self,
        token: &TokenHash,
        operator: Uuid,
        now: u64,
        before: u64,
    ) -> Stored<()>;

    async fn note_desk_session(&mut self, token: &TokenHash, now: u64) -> Stored<()>;

    async fn end_desk_session(&mut self, token: &TokenHash) -> Stored<()>;

    /// The store refuses to change or remove entries.
    async fn append_audit(&mut self, entry: &AuditRecord) -> Stored<()>;
}

/// Reads of operators.
#[async_trait]
pub trait OperatorStore: Send + Sync {
    /// In the order of their names.
    async fn operators(&self) -> Stored<Vec<Operator>>;

    /// An operator without secrets signs in by a proxy only.
    async fn operator(&self, name: &Name) -> Stored<Option<(Operator, Option<Secrets>)>>;

    /// A session of an operator who is not disabled; it may be over.
    async fn desk_session(&self, token: &TokenHash) -> Stored<Option<(Operator, DeskSession)>>;

    async fn audit(&self, page: &Page) -> Stored<Vec<AuditRecord>>;
}
