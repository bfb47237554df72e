//! Credits of deposits that can still leave their chain. They are on the balance, and cannot be spent.

use std::collections::BTreeMap;

use checkout_core::Pair;
use uuid::Uuid;

use super::refund::Refund;
use crate::chain::OutputId;
use crate::ids::PaymentId;
use crate::ledger::Account;
use crate::ledger::cover::Cover;
use crate::ledger::money::Money;
use crate::ledger::settlement::{Booked, Depth, Settlement, settle};
use crate::rates::asset::Asset;

/// A credited deposit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreditedDeposit {
    pub deposit: Uuid,
    pub payment: PaymentId,
    pub output: OutputId,
    pub pair: &'static Pair,
    pub seen_at: u64,
    pub booked: Booked,
}

impl CreditedDeposit {
    /// What it credited to an account.
    fn credited(&self, account: Account, asset: Asset) -> Money {
        let kept = self.booked.split.and_then(|split| Money::of_amount(split.kept, self.pair));
        let settled = kept.map(|kept| settle(kept, self.booked.terms, self.booked.prices));
        let credits = settled.iter().flat_map(Settlement::credits);
        let credits = credits.filter(|(to, part)| *to == account && part.gross.asset == asset);
        credits.fold(Money::zero(asset), |sum, (_, part)| sum.plus(part.net()))
    }
}

/// What is charged to a balance for a refund that lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefundCharge {
    pub payment: PaymentId,
    pub pair: &'static Pair,
    pub account: Account,
    pub charged: Money,
    pub is_signed: bool,
}

impl RefundCharge {
    pub fn of(refund: &Refund) -> Option<Self> {
        let charge = refund.charge().filter(|_| refund.lasts())?;
        Some(Self {
            payment: charge.payment()?,
            pair: refund.pair,
            account: charge.balance(),
            charged: charge.deducted,
            is_signed: refund.is_binding(),
        })
    }
}

/// What a business got by payments that have deposits which are not final, and gave back of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// All that are not final; of a payment with refunds also those that are.
    pub deposits: Vec<CreditedDeposit>,
    pub refunds: Vec<RefundCharge>,
}

/// What a payment brought to an account in one pair, and what is charged to it for refunds in this pair, in units of its asset.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    final_credit: i128,
    pending_credit: i128,
    /// For refunds that were signed: it was final money, whoever brought it.
    signed: i128,
    /// For refunds that are signed once final deposits of the pair cover them.
    waiting: i128,
}

impl Share {
    /// What is on the balance and cannot be spent. A refund that waits takes what is final of its own pair first, and then what is
    /// pending there, which is off the balance already.
    fn held_back(self) -> i128 {
        let rest = (self.final_credit - self.signed).max(0);
        self.pending_credit - (self.waiting - rest).clamp(0, self.pending_credit)
    }
}

impl Pending {
    /// What is held back by payment.
    fn held_back(&self, account: Account, asset: Asset) -> Vec<(PaymentId, i128)> {
        let key = |payment: PaymentId, pair: &Pair| (payment, pair.currency, pair.network);
        let mut shares: BTreeMap<_, Share> = BTreeMap::new();
        for deposit in &self.deposits {
            let share = shares.entry(key(deposit.payment, deposit.pair)).or_default();
            let units = deposit.credited(account, asset).units;
            match deposit.booked.depth {
                Depth::Final => share.final_credit += units,
                Depth::Shallow { .. } => share.pending_credit += units,
            }
        }
        let of_account = |refund: &&RefundCharge| (refund.account, refund.charged.asset) == (account, asset);
        for refund in self.refunds.iter().filter(of_account) {
            let Some(share) = shares.get_mut(&key(refund.payment, refund.pair)) else { continue };
            let sum = if refund.is_signed { &mut share.signed } else { &mut share.waiting };
            *sum += refund.charged.units;
        }
        shares.into_iter().map(|((payment, ..), share)| (payment, share.held_back())).collect()
    }
}

/// A balance, and the part of it that is not final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spendable {
    pub balance: Money,
    pub pending: Money,
}

impl Spendable {
    pub fn of(balance: Money, account: Account, pending: &Pending) -> Self {
        Self::without(balance, &pending.held_back(account, balance.asset))
    }

    /// For another refund of this payment, which waits for its own deposits: they count for it.
    pub fn for_refund_of(payment: PaymentId, balance: Money, account: Account, pending: &Pending) -> Self {
        let mut held = pending.held_back(account, balance.asset);
        held.retain(|(of, _)| *of != payment);
        Self::without(balance, &held)
    }

    /// What pays for a payout that is charged already, if it is signed now. `reserved`: of the balance, for others that are not signed
    /// either. What is signed first takes final money, whoever it was reserved for: a refund whose deposit left its chain stops nobody.
    pub fn cover(balance: Money, reserved: Money, account: Account, pending: &Pending) -> Cover {
        let there = balance.plus(reserved);
        let shallow = pending.deposits.iter().filter(|deposit| deposit.booked.depth != Depth::Final);
        let credits = shallow.map(|deposit| deposit.credited(account, balance.asset));
        let credited = credits.fold(Money::zero(balance.asset), Money::plus);
        if there.units < 0 {
            Cover::Others
        } else if credited.units > there.units {
            Cover::Pending
        } else {
            Cover::Final
        }
    }

    fn without(balance: Money, held: &[(PaymentId, i128)]) -> Self {
        let units = held.iter().map(|(_, units)| units).sum();
        Self { balance, pending: Money { units, ..balance } }
    }

    /// Never less than nothing.
    pub fn available(&self) -> Money {
        let rest = self.balance.less(self.pending);
        if rest.units < 0 { Money::zero(rest.asset) } else { rest }
    }

    pub fn covers(&self, charged: Money) -> bool {
        charged.units <= self.available().units
    }

    /// Why it does not cover that.
    pub fn lacks(&self, charged: Money) -> String {
        let code = self.balance.asset.code();
        let there = format!("{charged} {code} are charged, {} {code} are there", self.available());
        if self.pending.units <= 0 {
            return there;
        }
        format!("{there}; {} {code} come from deposits that are not final yet", self.pending)
    }
}

#[cfg(test)]
mod tests;
