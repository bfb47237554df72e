//! Transfers that are too small to be deposits.

use checkout_core::Amount;

use super::PaymentWithDeposits;
use super::coverage::Cover;
use super::deposit::Deposit;
use super::deposit_sums::DepositSums;
use super::status::least;
use crate::chain::Transfer;
use crate::ledger::limits;

/// Dust is less than one part in this many of the price.
const SHARE: u128 = 1_000;

/// Below the limit of its pair, below a thousandth of the price, and not completing the price.
pub fn is_dust(record: &PaymentWithDeposits, sums: &DepositSums, deposit: &Deposit) -> bool {
    let Some(quote) = &record.payment.quote else { return false };
    if deposit.amount >= limits::dust(deposit.pair()) {
        return false;
    }
    let alone = Cover::of(record, quote, std::iter::once(deposit));
    let covers = alone.part(record, deposit, deposit.amount);
    if covers.atoms().saturating_mul(SHARE) >= quote.terms.expected.atoms() {
        return false;
    }
    // Deposits that followed a paid price are in it, too: the price stays covered without them.
    let mut received = Cover::resume(quote, sums.paying.clone());
    let least = least(record, quote);
    if received.total() >= least {
        return true;
    }
    received.add(record, deposit, deposit.amount);
    received.total() < least
}

/// The dust of one currency for one payment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DustSum {
    pub transfers: u64,
    pub amount: Amount,
    /// UNIX second at which the last one was first seen.
    pub last_seen_at: u64,
}

impl DustSum {
    pub fn add(&mut self, transfer: &Transfer) {
        self.transfers += 1;
        self.amount = self.amount.checked_add(transfer.amount).unwrap_or(Amount::MAX);
        self.last_seen_at = self.last_seen_at.max(transfer.seen_at);
    }

    #[must_use]
    pub fn plus(self, other: &Self) -> Self {
        Self {
            transfers: self.transfers + other.transfers,
            amount: self.amount.checked_add(other.amount).unwrap_or(Amount::MAX),
            last_seen_at: self.last_seen_at.max(other.last_seen_at),
        }
    }
}
