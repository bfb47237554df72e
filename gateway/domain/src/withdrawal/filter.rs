//! The withdrawals that a merchant asks for.

use checkout_core::{Currency, Network};
use checkout_wire::create_withdrawal::WithdrawalStatus;

use crate::page::Period;

/// A withdrawal is listed if all that is given fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WithdrawalFilter {
    pub client_withdrawal_id: Option<String>,
    pub status: Option<WithdrawalStatus>,
    pub currency: Option<Currency>,
    pub network: Option<Network>,
    /// It goes to one of these addresses, which are in normal form.
    pub recipients: Option<Vec<String>>,
    /// One of these ids, which are spellings of one, is that of its transaction.
    pub transactions: Option<Vec<String>>,
    /// Only those that wait for an approval.
    pub is_unapproved: bool,
    /// Only those whose network asks more than their fee.
    pub is_above_fee: bool,
    pub created: Period,
}
