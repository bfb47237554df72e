//! Screens the owner of an address (AML).

use async_trait::async_trait;
use checkout_core::{Amount, Network, Pair};
use checkout_wire::payment::DepositHold;
use uuid::Uuid;

use super::Stored;
use crate::chain::screening::AddressOwner;
use crate::chain::screening::Screening as ScreeningState;
use crate::ids::{BusinessId, PaymentId};

/// The screening's result for an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screened {
    pub owner: AddressOwner,
    /// Withdrawals to it are blocked, and deposits from it are held.
    pub blocked: bool,
}

/// The screening does not answer: nothing is sent or credited until it does.
#[derive(Debug)]
pub struct ScreeningError(pub Box<dyn std::error::Error + Send + Sync>);

#[async_trait]
pub trait Screening: Send + Sync {
    /// `address` is in normal form.
    async fn screen(&self, network: Network, address: &str) -> Result<Screened, ScreeningError>;

    /// Whether the operator asks for more than the built-in rules: then deposits of unknown senders are held.
    fn is_on(&self) -> bool {
        true
    }
}

/// A deposit that waits for the screening, or for a decision to be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub deposit: Uuid,
    pub payment: PaymentId,
    pub network: Network,
    /// An empty one is unknown.
    pub senders: Vec<String>,
    pub screening: ScreeningState,
}

/// A held deposit, for the operator.
#[derive(Clone, Debug)]
pub struct Flagged {
    pub deposit: Uuid,
    pub payment: PaymentId,
    pub client_payment_id: String,
    pub business: BusinessId,
    pub pair: &'static Pair,
    pub amount: Amount,
    pub from: String,
    /// Why it is held although its sender is cleared.
    pub hold: Option<DepositHold>,
    pub owner: Option<AddressOwner>,
    pub transaction: String,
    pub seen_at: u64,
    /// It is neither on a chain nor pending: there is nothing to hold.
    pub vanished: bool,
    pub screening: ScreeningState,
}

impl Flagged {
    /// `SENDER`, `CURRENCY` or `AMOUNT`: why it was held.
    pub fn reason(&self) -> &'static str {
        match (self.hold, &self.owner) {
            (Some(hold), None) => hold.as_str(),
            (_, Some(_)) | (None, None) => "SENDER",
        }
    }
}

/// Numbers of deposits that are not credited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldCounts {
    /// Waiting for an operator.
    pub flagged: u64,
    /// Waiting for the screening.
    pub unscreened: u64,
}

/// Reads of held and unscreened deposits.
#[async_trait]
pub trait FlaggedStore: Send + Sync {
    async fn payment_of_deposit(&self, deposit: Uuid) -> Stored<Option<PaymentId>>;

    /// By id, one page after `after`.
    async fn waiting_deposits(&self, after: Option<Uuid>) -> Stored<Vec<Waiting>>;

    /// All deposits that were ever flagged, newest first.
    async fn flagged_deposits(
        &self,
        business: Option<BusinessId>,
        screening: Option<ScreeningState>,
        limit: u32,
    ) -> Stored<Vec<Flagged>>;

    async fn held_deposits(&self) -> Stored<HeldCounts>;
}
