//! Credentials in the store. Only hashes of tokens are stored.

use async_trait::async_trait;
use uuid::Uuid;

use super::Stored;
use crate::domain::access::token::{Caller, TokenHash};

/// A token in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    pub token: TokenHash,
    pub caller: Caller,
    pub created_at: u64,
    /// UNIX second from which the token is rejected.
    pub ends_at: Option<u64>,
}

/// Changes to credentials, inside a [`Tx`](super::Tx).
#[async_trait]
pub trait CredentialTx: Send {
    /// Ends all tokens of a business at `at`, except those that end earlier.
    async fn end_tokens_of(&mut self, business: Uuid, at: u64) -> Stored<()>;

    /// Ends the tokens whose hash starts with a prefix, unless they ended earlier. Returns the number of matching
    /// tokens, including ended ones.
    async fn end_tokens(&mut self, hash_prefix: &str, at: u64) -> Stored<u64>;
}

/// Read access to credentials.
#[async_trait]
pub trait Credentials: Send + Sync {
    /// Returns the tokens of one business, or all tokens and organisation keys, by time of creation.
    async fn credentials(&self, business: Option<Uuid>) -> Stored<Vec<Credential>>;

    /// Returns the session tokens of a payment, by time of creation.
    async fn sessions(&self, payment: Uuid) -> Stored<Vec<Credential>>;
}
