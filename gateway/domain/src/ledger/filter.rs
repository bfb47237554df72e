//! The entries of the ledger that a merchant asks for.

use crate::ids::PaymentId;

use crate::page::Period;

/// An entry is listed if all that is given fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerFilter {
    /// It belongs to this payment.
    pub payment: Option<PaymentId>,
    pub booked: Period,
}
