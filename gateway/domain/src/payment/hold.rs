//! Reasons for holding a deposit other than its sender.

use checkout_core::Pair;
use checkout_wire::payment::DepositHold;

use super::{PaymentWithDeposits, Quote};
use crate::business::Business;
use crate::chain::Transfer;
use crate::ledger::money::Money;

/// Why a transfer of this pair to a payment is held, if it is. What was quoted for the payment stays accepted, on every network
/// on which the address is the same account; a wrapped form of it only on the quoted one.
pub fn hold_of(
    business: &Business,
    record: &PaymentWithDeposits,
    transfer: &Transfer,
    pair: &Pair,
) -> Option<DepositHold> {
    if Money::of_amount(transfer.amount, pair).is_none() {
        return Some(DepositHold::Amount);
    }
    if business.accepts_on(pair.currency, pair.network) {
        return None;
    }
    let mut quotes = record.quotes.iter().filter(|quote| quote.currency == pair.currency).peekable();
    if quotes.peek().is_none() {
        return Some(DepositHold::Currency);
    }
    let is_quoted = |quote: &Quote| quote.network == pair.network || pair.wrapped_by.is_none();
    (!quotes.any(is_quoted)).then_some(DepositHold::Network)
}
