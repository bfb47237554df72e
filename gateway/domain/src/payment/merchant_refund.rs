//! A refund that the merchant asked for, and how much of a payment can still be refunded.

use std::collections::BTreeSet;

use checkout_core::{Amount, Pair};
use checkout_wire::create_withdrawal::WithdrawalStatus;
use checkout_wire::payment::RefundWait;
use checkout_wire::refunds::RefundState;
use uuid::Uuid;

use super::PaymentWithDeposits;
use super::deposit::Deposit;
use super::refund::{Refund, Wait};
use crate::chain::payout::Progress;
use crate::withdrawal::Withdrawal;
use crate::withdrawal::rules::Approval;

/// Its money moves as a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MerchantRefund {
    pub withdrawal: Withdrawal,
    pub progress: Progress,
    pub confirmed_at: Option<u64>,
    /// `None` if it needs none.
    pub approval: Option<Approval>,
}

impl MerchantRefund {
    /// Why no address was given: the merchant did not name one.
    pub const NOT_GIVEN: &str = "NOT_GIVEN";
    /// Why it needs an approval: it is above a limit of the business.
    pub const LIMIT: &str = "LIMIT";

    pub fn state(&self) -> RefundState {
        match (self.progress, self.withdrawal.status) {
            (Progress::Cancelled, _) => RefundState::Cancelled,
            (_, WithdrawalStatus::Blocked) => RefundState::Blocked,
            (_, WithdrawalStatus::Failed) => RefundState::Failed,
            (Progress::Confirmed | Progress::Final, _) => RefundState::Confirmed,
            _ => RefundState::Pending,
        }
    }

    /// The payer got the money, or gets it.
    pub fn lasts(&self) -> bool {
        matches!(self.state(), RefundState::Pending | RefundState::Confirmed)
    }

    /// It lasts, and nobody rejected it: what was rejected is only not back on the balance yet.
    pub fn goes_back(&self) -> bool {
        self.lasts() && self.approval != Some(Approval::Rejected)
    }

    /// Set while it waits, with the reason.
    pub fn waits(&self) -> Option<(RefundWait, &'static str)> {
        if self.progress == Progress::Unaddressed {
            return Some((RefundWait::Address, Self::NOT_GIVEN));
        }
        let unapproved = self.progress == Progress::Waiting && self.approval == Some(Approval::Waiting);
        let reason = if self.withdrawal.asked.is_some() { Wait::CLAIM } else { Self::LIMIT };
        unapproved.then_some((RefundWait::Approval, reason))
    }
}

/// The money of a payment in one pair, in atoms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refundable {
    /// By deposits that are confirmed and cleared.
    pub received: u128,
    /// Went back automatically, or will: with the fees that the payer pays.
    pub automatic: u128,
    /// The merchant refunded it, or does.
    pub by_merchant: u128,
}

impl Refundable {
    /// The received amount that is not given back.
    pub fn rest(self) -> Amount {
        let rest = self.received.saturating_sub(self.automatic).saturating_sub(self.by_merchant);
        Amount::from_atoms(rest).unwrap_or(Amount::ZERO)
    }

    /// Whether no more goes back than was received.
    pub fn is_covered(self) -> bool {
        self.automatic.saturating_add(self.by_merchant) <= self.received
    }
}

impl PaymentWithDeposits {
    /// The pairs in which something can be refunded, by their codes.
    pub fn received_pairs(&self) -> Vec<&'static Pair> {
        let confirmed = self.deposits.iter().filter(|deposit| deposit.is_confirmed());
        let keys: BTreeSet<_> = confirmed.map(Deposit::key).collect();
        keys.into_iter()
            .filter_map(|(currency, network)| checkout_core::pair::find(currency, network))
            .collect()
    }

    pub fn refundable(&self, pair: &Pair) -> Refundable {
        self.refundable_until(pair, None)
    }

    /// The same with those refunds of the merchant alone that were asked for up to `last`.
    pub fn refundable_until(&self, pair: &Pair, last: Option<Uuid>) -> Refundable {
        let deposits =
            || self.deposits.iter().filter(|deposit| deposit.key() == (pair.currency, pair.network));
        let received =
            deposits().filter(|deposit| deposit.is_confirmed()).map(|deposit| deposit.amount.atoms());
        let automatic = deposits().filter_map(|deposit| deposit.refund.as_ref().map(Refund::returned));
        let merchant = self.merchant_refunds.iter().filter(|refund| refund.lasts());
        let merchant = merchant.filter(|refund| refund.withdrawal.pair == pair);
        let merchant = merchant.filter(|refund| {
            refund.progress.is_binding() || last.is_none_or(|last| refund.withdrawal.id <= last)
        });
        Refundable {
            received: received.fold(0, u128::saturating_add),
            automatic: automatic.map(Amount::atoms).fold(0, u128::saturating_add),
            by_merchant: merchant
                .map(|refund| refund.withdrawal.gross().atoms())
                .fold(0, u128::saturating_add),
        }
    }

    /// Whether the merchant refunded some of an unpaid payment after this deposit. It no longer pays the price: otherwise the rest of
    /// the price alone would pay.
    pub fn is_given_back(&self, deposit: &Deposit) -> bool {
        let mut refunds = self.merchant_refunds.iter().filter(|refund| refund.goes_back());
        refunds.any(|MerchantRefund { withdrawal, .. }| {
            let key = (withdrawal.pair.currency, withdrawal.pair.network);
            // Ids are in the order of time.
            withdrawal.of_unpaid && key == deposit.key() && deposit.id < withdrawal.id
        })
    }

    /// Whether the merchant refunded some of it.
    pub fn is_refunded_by_merchant(&self) -> bool {
        self.merchant_refunds.iter().any(MerchantRefund::lasts)
    }
}
