//! How much of a payment goes back, and can still be refunded.

use std::collections::{BTreeMap, BTreeSet};

use checkout_core::{Amount, Decimal, Pair};
use uuid::Uuid;

use super::PaymentWithDeposits;
use super::deposit::Deposit;
use super::refund::{Refund, Source};
use crate::ledger::money::Round;
use crate::ledger::settlement::Booked;
use crate::withdrawal::Withdrawal;

/// The money of a payment in one pair, in atoms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refundable {
    /// By deposits that are confirmed and cleared.
    pub received: u128,
    /// Went back automatically, or will: with the fees that the payer pays.
    pub automatic: u128,
    /// Was charged to the merchant, or is.
    pub charged: u128,
}

impl Refundable {
    /// The received amount that is not given back.
    pub fn rest(self) -> Amount {
        let rest = self.received.saturating_sub(self.automatic).saturating_sub(self.charged);
        Amount::from_atoms(rest).unwrap_or(Amount::ZERO)
    }

    /// Whether no more goes back than was received.
    pub fn is_covered(self) -> bool {
        self.automatic.saturating_add(self.charged) <= self.received
    }
}

impl Refund {
    /// Whether a balance is charged for it, and it was asked for after this deposit was recorded.
    pub fn follows(&self, deposit: &Deposit) -> bool {
        let Some(charge) = self.charge() else { return false };
        match charge.refunds.and_then(|refunded| refunded.after) {
            Some(last) => deposit.seen_seq <= last,
            None => deposit.id < self.id,
        }
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

    /// That, with those charged refunds alone that were asked for up to `last`.
    pub fn refundable_until(&self, pair: &Pair, last: Option<Uuid>) -> Refundable {
        let deposits =
            || self.deposits.iter().filter(|deposit| deposit.key() == (pair.currency, pair.network));
        let received =
            deposits().filter(|deposit| deposit.is_confirmed()).map(|deposit| deposit.amount.atoms());
        let automatic = deposits().map(|deposit| self.returned(deposit));
        let charged = self.charged_refunds().filter(|refund| refund.pair == pair);
        let charged =
            charged.filter(|refund| refund.is_binding() || last.is_none_or(|last| refund.id <= last));
        Refundable {
            received: received.fold(0, u128::saturating_add),
            automatic: automatic.map(Amount::atoms).fold(0, u128::saturating_add),
            charged: charged.map(|refund| refund.returned().atoms()).fold(0, u128::saturating_add),
        }
    }

    /// The sequence number at which the last deposit was first seen. That of a later one is higher.
    pub fn last_seen(&self) -> u32 {
        self.deposits.iter().map(|deposit| deposit.seen_seq).max().unwrap_or(0)
    }

    /// Whether the merchant refunded some of an unpaid payment after this deposit. It no longer pays the price: otherwise the rest of
    /// the price alone would pay.
    pub fn is_given_back(&self, deposit: &Deposit) -> bool {
        let mut refunds = self.charged_refunds().filter(|refund| refund.goes_back());
        refunds.any(|refund| {
            let is_of_unpaid = refund.charge().is_some_and(Withdrawal::is_of_unpaid);
            let key = (refund.pair.currency, refund.pair.network);
            is_of_unpaid && key == deposit.key() && refund.follows(deposit)
        })
    }

    /// Whether the merchant or the payer had some of it refunded.
    pub fn is_charged_back(&self) -> bool {
        self.charged_refunds().any(Refund::lasts)
    }

    /// The refund that was made because the payer asked for what was credited with this deposit.
    pub fn claim_of(&self, deposit: Uuid) -> Option<&Refund> {
        self.charged_refunds().find(|refund| matches!(refund.source, Source::Payer(of, _) if of == deposit))
    }

    /// What a refund is worth in EUR, whatever was shown to the payer; `None` if its deposit came when there was no rate.
    pub fn worth(&self, refund: &Refund, booked: &BTreeMap<Uuid, Booked>) -> Option<Decimal> {
        if let Some(charge) = refund.charge() {
            return Some(charge.uniform_amount);
        }
        booked.get(&refund.id)?.worth(refund.gross, refund.pair, Round::Up)
    }

    /// All of them: automatic ones by deposit, then the others by id.
    pub fn refunds(&self) -> impl Iterator<Item = &Refund> {
        self.deposits.iter().filter_map(|deposit| self.refund(deposit.id)).chain(self.charged_refunds())
    }

    /// Those that are charged to a balance, by id.
    pub fn charged_refunds(&self) -> impl Iterator<Item = &Refund> {
        self.refunds.values().filter(|refund| refund.charge().is_some())
    }

    /// The automatic refund of a deposit has its id.
    pub fn refund(&self, id: Uuid) -> Option<&Refund> {
        self.refunds.get(&id).filter(|refund| refund.is_planned())
    }

    /// What goes back of a deposit automatically.
    pub fn returned(&self, deposit: &Deposit) -> Amount {
        self.refund(deposit.id).map_or(Amount::ZERO, Refund::returned)
    }

    pub fn deposit(&self, id: Uuid) -> Option<&Deposit> {
        self.deposits.iter().find(|deposit| deposit.id == id)
    }

    /// The automatic refund that a payout sends, with its deposit.
    pub fn refund_by_payout(&self, payout: Uuid) -> Option<(&Deposit, &Refund)> {
        let sends = |refund: &&Refund| refund.phase.transfer().is_some_and(|sent| sent.payout == payout);
        let refund = self.refunds.values().filter(|refund| refund.charge().is_none()).find(sends)?;
        Some((self.deposit(refund.id)?, refund))
    }
}
