//! Limits of withdrawals, and what was withdrawn.

use async_trait::async_trait;
use checkout_core::{Decimal, Pair};
use uuid::Uuid;

use super::Stored;
use crate::access::actor::Actor;
use crate::ids::BusinessId;
use crate::ledger::money::Money;
use crate::payment::refund_said::Given;
use crate::withdrawal::Withdrawal;
use crate::withdrawal::approved::Approved;
use crate::withdrawal::looser::Limits;
use crate::withdrawal::rules::{Approval, Rules};

/// What a business withdrew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawn {
    /// The value of what has one.
    pub eur: Decimal,
    /// Refunds of deposits that came when there was no rate.
    pub unvalued: Vec<Money>,
}

#[async_trait]
pub trait WithdrawalRuleStore: Send + Sync {
    async fn limits(&self, business: BusinessId) -> Stored<Limits>;

    async fn rules(&self, business: BusinessId, now: u64) -> Stored<Rules> {
        Ok(self.limits(business).await?.in_force(now))
    }

    /// `None` for a withdrawal that needs no approval.
    async fn approval(&self, withdrawal: Uuid) -> Stored<Option<Approval>>;

    /// The withdrawals that wait for an approval, oldest first.
    async fn unapproved(&self) -> Stored<Vec<Withdrawal>>;
}

#[async_trait]
pub trait WithdrawalRuleTx: Send {
    async fn limits(&mut self, business: BusinessId) -> Stored<Limits>;

    async fn rules(&mut self, business: BusinessId, now: u64) -> Stored<Rules> {
        Ok(self.limits(business).await?.in_force(now))
    }

    async fn put_limits(&mut self, business: BusinessId, limits: &Limits) -> Stored<()>;

    /// All withdrawals of a business since a UNIX second, except failed and blocked ones and unapproved claims; plus refunds to another address
    /// or tag than their sender's. A claim counts from its approval; a refund that gets its address later counts again from then. After
    /// [`LedgerTx::balance`](super::ledger::LedgerTx::balance) no other one is added until the end of the transaction.
    async fn withdrawn_since(&mut self, business: BusinessId, since: u64) -> Stored<Withdrawn>;

    /// Whether an address is whitelisted for a pair, with its tag, and for long enough.
    async fn is_whitelisted(
        &mut self,
        business: BusinessId,
        pair: &Pair,
        to: &Given,
        now: u64,
    ) -> Stored<bool>;

    /// A withdrawal that is not signed needs an approval, again if it had one. One that was rejected or cancelled stays so.
    async fn require_approval(&mut self, withdrawal: Uuid) -> Stored<()>;

    /// Another one named the address of a refund of the merchant.
    async fn put_initiator(&mut self, refund: Uuid, initiator: &Actor) -> Stored<()>;

    /// False if the withdrawal does not wait for it, or is not this.
    async fn approve(&mut self, withdrawal: Uuid, approved: &Approved, now: u64) -> Stored<bool>;

    /// False if the withdrawal does not wait for an approval.
    async fn reject(&mut self, withdrawal: Uuid) -> Stored<bool>;

    /// Rejects a withdrawal that waits to be signed, whether it needs an approval or has one. False if it is signed, held, or
    /// rejected already, and for a refund.
    async fn cancel_withdrawal(&mut self, withdrawal: Uuid) -> Stored<bool>;
}
