//! Reasons for holding a deposit other than its sender.

use checkout_core::Pair;
use checkout_core::wire::payment::DepositHold;

use super::PaymentWithDeposits;
use crate::business::Business;
use crate::chain::Transfer;
use crate::ledger::money::Money;

/// Why a transfer of this pair to a payment is held, if it is. A currency that was quoted for the payment stays
/// accepted.
pub fn hold_of(
    business: &Business,
    record: &PaymentWithDeposits,
    transfer: &Transfer,
    pair: &Pair,
) -> Option<DepositHold> {
    let was_quoted = || record.quotes.iter().any(|quote| quote.currency == transfer.currency);
    let network = transfer.output.network;
    if Money::of_amount(transfer.amount, pair).is_none() {
        Some(DepositHold::Amount)
    } else {
        (!business.accepts_on(transfer.currency, network) && !was_quoted()).then_some(DepositHold::Currency)
    }
}
