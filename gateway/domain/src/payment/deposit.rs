//! An on-chain output to an address of a payment.

use checkout_core::{Amount, Currency, Decimal, Pair, pair};
use checkout_wire::RateType;
use checkout_wire::payment::DepositHold;
use uuid::Uuid;

use crate::chain::screening::{AddressOwner, Screening};
use crate::chain::{OutputId, OutputState};

/// A transfer that was credited to a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deposit {
    pub id: Uuid,
    pub output: OutputId,
    pub currency: Currency,
    pub amount: Amount,
    pub to: String,
    pub tag: Option<String>,
    pub from: String,
    /// The owners of the transaction's other inputs, for the screening.
    pub other_senders: Vec<String>,
    /// The tag that a refund must carry.
    pub from_tag: Option<String>,
    pub fee: String,
    pub seen_at: u64,
    /// When the gateway stored it.
    pub recorded_at: u64,
    pub state: OutputState,
    /// How many it has while it is not confirmed and needs several.
    pub confirmations: u64,
    /// How many it needs to be confirmed: by its network and by its amount.
    pub required_confirmations: u64,
    /// By its amount, as it was judged at first sight.
    pub required_by_amount: u64,
    /// Instant: on a chain with instant deposits, and not uncertain.
    pub instant: bool,
    /// There was no rate for it yet: its rates and values are zero.
    pub being_valued: bool,
    /// Display currency per whole coin, at the time of receipt.
    pub rate: Decimal,
    /// EUR per whole coin.
    pub uniform_rate: Decimal,
    /// Display currency per whole coin of a price in another cryptocurrency, at the time of receipt.
    pub price_rate: Option<Decimal>,
    /// FIXED if the quoted rate was valid.
    pub rate_type: RateType,
    /// The index of the quote that values it; `None` values it at the rate of receipt.
    pub quote: Option<u32>,
    pub display_amount: Decimal,
    pub uniform_amount: Decimal,
    /// The sequence number of its first sight among the payment's events.
    pub seen_seq: u32,
    /// The sequence number at which it was confirmed and cleared; `None` before.
    pub confirmed_seq: Option<u32>,
    pub screening: Screening,
    /// Why it is held although its sender is cleared.
    pub hold: Option<DepositHold>,
    /// The owner of a flagged sender's address.
    pub sender: Option<AddressOwner>,
}

impl Deposit {
    pub fn pair(&self) -> &'static Pair {
        pair::find(self.currency, self.output.network).expect("only supported pairs are credited")
    }

    /// Not in a chain with enough confirmations.
    pub fn is_awaited(&self) -> bool {
        matches!(self.state, OutputState::Unconfirmed | OutputState::Included)
    }

    /// Takes what its chain reports, which needs `by_network` confirmations of every transfer. Returns false if that changes nothing.
    pub fn take_report(&mut self, reported: OutputState, by_network: u64) -> bool {
        let next = match (self.state, reported) {
            (OutputState::Included | OutputState::Confirmed, OutputState::Confirmed) => self.state,
            (_, OutputState::Confirmed) if self.required_by_amount > by_network => OutputState::Included,
            (_, reported) => reported,
        };
        if next == self.state {
            return false;
        }
        self.state = next;
        self.required_confirmations = self.required_by_amount.max(by_network);
        self.confirmations = if reported == OutputState::Confirmed { by_network } else { 0 };
        true
    }

    /// It has the confirmations that its amount needs; `seq` numbers this among the payment's events.
    pub fn confirm(&mut self, seq: u32) {
        self.state = OutputState::Confirmed;
        self.confirmed_seq = self.is_confirmed().then_some(seq);
    }

    /// The confirmations that it has of those required. `None` where one is enough, and of one that is held.
    pub fn counted(&self, required: u64) -> Option<u64> {
        let has = match self.state {
            OutputState::Unconfirmed | OutputState::Included => self.confirmations.min(required - 1),
            // A held deposit appears unconfirmed.
            OutputState::Confirmed | OutputState::Vanished => self.is_confirmed().then_some(required)?,
        };
        (required > 1).then_some(has)
    }

    /// On a chain or pending, and not refused.
    pub fn stands(&self) -> bool {
        self.state != OutputState::Vanished && self.screening != Screening::Refused
    }

    /// Confirmed, and its sender is cleared: a flagged deposit appears unconfirmed.
    pub fn is_confirmed(&self) -> bool {
        self.state == OutputState::Confirmed && self.screening.is_cleared()
    }

    /// Confirmed and held.
    pub fn is_held(&self) -> bool {
        self.state == OutputState::Confirmed && self.screening.is_held()
    }

    /// In coins that the business does not take: no part of the payment unless an operator releases it.
    pub fn is_foreign(&self) -> bool {
        self.hold.is_some_and(DepositHold::is_foreign) && !self.screening.is_cleared()
    }

    /// Pays the price, now or once it is confirmed and cleared.
    pub fn pays(&self) -> bool {
        self.stands() && !self.is_foreign()
    }

    /// Included in the `actual*` sums, with its callback due: valued, and confirmed or instant.
    pub fn counts(&self) -> bool {
        match self.state {
            _ if self.being_valued => false,
            OutputState::Confirmed => self.screening.is_cleared(),
            OutputState::Unconfirmed | OutputState::Included => self.instant && self.screening.is_cleared(),
            OutputState::Vanished => false,
        }
    }
}
