//! The audit log of the desk and of the commands that change operators. Entries are only added.

use uuid::Uuid;

/// The longest [`AuditRecord::detail`], in bytes.
pub const LONGEST_DETAIL: usize = 4_096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRecord {
    /// Of the time of the entry (UUID version 7).
    pub id: Uuid,
    /// In UNIX seconds.
    pub at: u64,
    /// The name that was given, also of somebody who is not known.
    pub operator: String,
    /// Address of the client; empty for a command.
    pub client: String,
    /// Such as `SIGN_IN`, or method and path of a request.
    pub action: String,
    /// The object of the action.
    pub target: String,
    /// The body of a request.
    pub detail: String,
    /// `STARTED` before a request is carried out; then the status of the answer, in an entry of its own.
    pub outcome: String,
}
