//! The deposits that a merchant asks for.

use crate::ids::PaymentId;
use checkout_core::{Currency, Network};

use crate::page::Period;

/// A deposit is listed if all that is given fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DepositFilter {
    pub payment: Option<PaymentId>,
    /// In a block and cleared, or not.
    pub is_confirmed: Option<bool>,
    /// An operator holds it, or refused it.
    pub is_held: Option<bool>,
    pub currency: Option<Currency>,
    pub network: Option<Network>,
    /// One of these ids, which are spellings of one, is that of its transaction.
    pub transactions: Option<Vec<String>>,
    pub seen: Period,
}
