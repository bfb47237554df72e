//! Screens addresses (AML): who owns an address, and whether money may be sent to it or accepted from it.

use async_trait::async_trait;
use checkout_core::{Amount, Network, Pair};
use uuid::Uuid;

use super::Stored;
use crate::domain::chain::screening::AddressOwner;
use crate::domain::chain::screening::Screening as Standing;

/// The screening result of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screened {
    pub owner: AddressOwner,
    /// Nothing may be sent to the address, and deposits from it are held.
    pub blocked: bool,
}

/// The screening is unavailable. Nothing is sent or credited until it answers.
#[derive(Debug)]
pub struct ScreeningError(pub Box<dyn std::error::Error + Send + Sync>);

#[async_trait]
pub trait Screening: Send + Sync {
    /// `address` is in the normal form.
    async fn screen(&self, network: Network, address: &str) -> Result<Screened, ScreeningError>;
}

/// A deposit that waits for the screening, or for a decision to be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub deposit: Uuid,
    pub payment: Uuid,
    pub network: Network,
    pub from: String,
    pub screening: Standing,
}

/// A deposit that was flagged, for the operator.
#[derive(Clone, Debug)]
pub struct Flagged {
    pub deposit: Uuid,
    pub payment: Uuid,
    pub client_payment_id: String,
    pub business: Uuid,
    pub pair: &'static Pair,
    pub amount: Amount,
    pub from: String,
    pub owner: Option<AddressOwner>,
    pub transaction: String,
    pub seen_at: u64,
    /// The deposit is on no chain and not pending: there is nothing to hold.
    pub vanished: bool,
    pub screening: Standing,
}

/// Number of deposits that are not credited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Deposits that wait for an operator.
    pub flagged: u64,
    /// Deposits that wait for the screening to answer.
    pub unscreened: u64,
}

/// Reads of deposits for screening and decisions.
#[async_trait]
pub trait FlaggedStore: Send + Sync {
    async fn payment_of_deposit(&self, deposit: Uuid) -> Stored<Option<Uuid>>;

    /// Returns a page of waiting deposits, ordered by id, starting after `after`.
    async fn waiting_deposits(&self, after: Option<Uuid>) -> Stored<Vec<Waiting>>;

    /// Returns the deposits that were ever flagged, newest first, at most `limit`.
    async fn flagged_deposits(
        &self,
        business: Option<Uuid>,
        screening: Option<Standing>,
        limit: u32,
    ) -> Stored<Vec<Flagged>>;

    async fn held_deposits(&self) -> Stored<Held>;
}
