//! Credentials in the store: what is known of tokens without the tokens.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::access::session::Session;
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::payment::Version;

/// A token as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    pub token: TokenHash,
    pub caller: Caller,
    pub created_at: u64,
    /// From when on it is refused.
    pub ends_at: Option<u64>,
}

/// What is changed of credentials, inside a [`Tx`](super::Tx).
#[async_trait]
pub trait CredentialTx: Send {
    /// Adds a token; one that is known and was ended is in force again.
    async fn put_credential(&mut self, token: &TokenHash, caller: Caller, now: u64) -> Stored<()>;

    /// Adds a session token of a payment.
    async fn put_session(&mut self, token: &TokenHash, payment: Uuid, now: u64) -> Stored<()>;

    /// Ends every token of a business that has not ended by then.
    async fn end_tokens_of(&mut self, business: Uuid, at: u64) -> Stored<()>;

    /// Ends the tokens whose hash begins so, unless they ended before. How many there are, ended or not.
    async fn end_tokens(&mut self, hash_prefix: &str, at: u64) -> Stored<u64>;
}

/// What is read of credentials.
#[async_trait]
pub trait CredentialStore: Send + Sync {
    /// The caller of a token that has not been revoked by `now`; for a session, also what its end follows from.
    async fn caller(&self, token: &TokenHash, now: u64) -> Stored<Option<(Caller, Option<Session>)>>;

    /// The same, with the version of a payment, in one read. A session sees no version but that of its own payment.
    async fn caller_and_version(
        &self,
        token: &TokenHash,
        now: u64,
        payment: Uuid,
    ) -> Stored<Option<(Caller, Option<Session>, Option<Version>)>>;

    /// Organisation keys and the tokens of one business or of all, by time of creation.
    async fn credentials(&self, business: Option<Uuid>) -> Stored<Vec<Credential>>;

    /// The session tokens of a payment, by time of creation.
    async fn sessions(&self, payment: Uuid) -> Stored<Vec<Credential>>;
}
