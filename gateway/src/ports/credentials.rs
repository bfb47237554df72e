//! Credentials in the store: what is known of tokens without the tokens.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::access::token::{Caller, TokenHash};

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
    /// Ends every token of a business that has not ended by then.
    async fn end_tokens_of(&mut self, business: Uuid, at: u64) -> Stored<()>;

    /// Ends the tokens whose hash begins so, unless they ended before. How many there are, ended or not.
    async fn end_tokens(&mut self, hash_prefix: &str, at: u64) -> Stored<u64>;
}

/// What is read of credentials.
#[async_trait]
pub trait Credentials: Send + Sync {
    /// Organisation keys and the tokens of one business or of all, by time of creation.
    async fn credentials(&self, business: Option<Uuid>) -> Stored<Vec<Credential>>;

    /// The session tokens of a payment, by time of creation.
    async fn sessions(&self, payment: Uuid) -> Stored<Vec<Credential>>;
}
