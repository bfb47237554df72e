//! Who owns an address, and whether money may go there or come from there (AML).

use async_trait::async_trait;
use checkout_core::{Amount, Network, Pair};
use uuid::Uuid;

use super::Stored;
use crate::domain::chain::screening::AddressOwner;
use crate::domain::chain::screening::Screening as ScreeningState;
use crate::domain::payment::hold::Hold;

/// What the screening says of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screened {
    pub owner: AddressOwner,
    /// Nothing may be sent there, and what comes from there is held.
    pub blocked: bool,
}

/// The screening cannot be asked: nothing is sent or credited until it can.
#[derive(Debug)]
pub struct ScreeningError(pub Box<dyn std::error::Error + Send + Sync>);

#[async_trait]
pub trait Screening: Send + Sync {
    /// `address` is in the normal form.
    async fn screen(&self, network: Network, address: &str) -> Result<Screened, ScreeningError>;
}

/// A deposit that waits for the screening's answer, or for a decision to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub deposit: Uuid,
    pub payment: Uuid,
    pub network: Network,
    pub from: String,
    pub screening: ScreeningState,
}

/// A deposit that was held, for the operator.
#[derive(Clone, Debug)]
pub struct Flagged {
    pub deposit: Uuid,
    pub payment: Uuid,
    pub client_payment_id: String,
    pub business: Uuid,
    pub pair: &'static Pair,
    pub amount: Amount,
    pub from: String,
    /// Why it is held although its sender is cleared.
    pub hold: Option<Hold>,
    pub owner: Option<AddressOwner>,
    pub transaction: String,
    pub seen_at: u64,
    /// It is on no chain and on its way to none: there is nothing to keep.
    pub vanished: bool,
    pub screening: ScreeningState,
}

impl Flagged {
    /// `SENDER`, `CURRENCY` or `AMOUNT`: why it was held.
    pub fn reason(&self) -> &'static str {
        match (self.hold, &self.owner) {
            (Some(hold), None) => hold.as_str(),
            _ => "SENDER",
        }
    }
}

/// How many deposits are not taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// They wait for an operator.
    pub flagged: u64,
    /// They wait for the screening to answer.
    pub unscreened: u64,
}

/// What the store knows of deposits that are not simply taken.
#[async_trait]
pub trait FlaggedStore: Send + Sync {
    async fn payment_of_deposit(&self, deposit: Uuid) -> Stored<Option<Uuid>>;

    /// By id, a page behind `after`.
    async fn waiting_deposits(&self, after: Option<Uuid>) -> Stored<Vec<Waiting>>;

    /// Those that were ever flagged, the newest first.
    async fn flagged_deposits(
        &self,
        business: Option<Uuid>,
        screening: Option<ScreeningState>,
        limit: u32,
    ) -> Stored<Vec<Flagged>>;

    async fn held_deposits(&self) -> Stored<Held>;
}
