//! Stored credentials: hashes of tokens, without the tokens.

use async_trait::async_trait;

use super::Stored;
use crate::access::actor::Actor;
use crate::access::scope::Scopes;
use crate::access::session::Session;
use crate::access::token::{Caller, TokenHash};
use crate::ids::{BusinessId, PaymentId};
use crate::payment::Version;

/// A token that is not revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    pub caller: Caller,
    /// A session has everything that its payment allows.
    pub scopes: Scopes,
    /// For a session, the facts that determine its end.
    pub session: Option<Session>,
}

/// A token in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    pub token: TokenHash,
    pub caller: Caller,
    pub scopes: Scopes,
    pub created_at: u64,
    /// The UNIX second from which it is refused.
    pub ends_at: Option<u64>,
}

/// Changes of credentials, inside a [`Tx`](super::Tx).
#[async_trait]
pub trait CredentialTx: Send {
    /// Adds a token; reactivates a known token that was revoked.
    async fn put_credential(
        &mut self,
        token: &TokenHash,
        caller: Caller,
        scopes: Scopes,
        now: u64,
    ) -> Stored<()>;

    /// Who made a token, unless it was the command line.
    async fn put_maker(&mut self, token: &TokenHash, maker: &Actor) -> Stored<()>;

    /// Who made the token of a credential; `None` for every other actor, and where it is not stored.
    async fn maker(&mut self, credential: &Actor) -> Stored<Option<Actor>>;

    /// Adds a session token of a payment.
    async fn put_session(&mut self, token: &TokenHash, payment: PaymentId, now: u64) -> Stored<()>;

    /// The session tokens of a payment are accepted at least until this UNIX second.
    async fn keep_sessions(&mut self, payment: PaymentId, until: u64) -> Stored<()>;

    /// Revokes the tokens of a business that do not expire earlier: those with exactly these scopes, or all.
    async fn end_tokens_of(&mut self, business: BusinessId, scopes: Option<Scopes>, at: u64) -> Stored<()>;

    /// Revokes the tokens whose hash has this prefix, unless they expired earlier. Returns how many there
    /// are, revoked or not.
    async fn end_tokens(&mut self, hash_prefix: &str, at: u64) -> Stored<u64>;
}

/// Reads of credentials.
#[async_trait]
pub trait CredentialStore: Send + Sync {
    /// A token that is not revoked at `now`.
    async fn caller(&self, token: &TokenHash, now: u64) -> Stored<Option<Known>>;

    /// The same, with the version of a payment, in one read. A session gets only the version of its own
    /// payment.
    async fn caller_and_version(
        &self,
        token: &TokenHash,
        now: u64,
        payment: PaymentId,
    ) -> Stored<Option<(Known, Option<Version>)>>;

    /// Organisation keys and the tokens of one business or of all, in order of creation.
    async fn credentials(&self, business: Option<BusinessId>) -> Stored<Vec<Credential>>;

    /// The session tokens of a payment, in order of creation.
    async fn sessions(&self, payment: PaymentId) -> Stored<Vec<Credential>>;
}
