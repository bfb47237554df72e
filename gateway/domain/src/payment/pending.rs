//! Credits of deposits that can still leave their chain. They are on the balance, and cannot be spent.

use checkout_core::Pair;
use uuid::Uuid;

use crate::chain::OutputId;
use crate::ids::PaymentId;
use crate::ledger::Account;
use crate::ledger::money::Money;
use crate::ledger::settlement::{Booked, Settlement, settle};
use crate::rates::asset::Asset;

/// A credited deposit that is not final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingDeposit {
    pub deposit: Uuid,
    pub payment: PaymentId,
    pub output: OutputId,
    pub pair: &'static Pair,
    pub seen_at: u64,
    pub booked: Booked,
}

impl PendingDeposit {
    /// What it credited to an account.
    fn credited(&self, account: Account, asset: Asset) -> Money {
        let kept = self.booked.split.and_then(|split| Money::of_amount(split.kept, self.pair));
        let settled = kept.map(|kept| settle(kept, self.booked.terms, self.booked.prices));
        let credits = settled.iter().flat_map(Settlement::credits);
        let credits = credits.filter(|(to, part)| *to == account && part.gross.asset == asset);
        credits.fold(Money::zero(asset), |sum, (_, part)| sum.plus(part.net()))
    }
}

/// A balance, and the part of it that is not final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spendable {
    pub balance: Money,
    pub pending: Money,
}

impl Spendable {
    pub fn of<'a>(
        balance: Money,
        account: Account,
        deposits: impl IntoIterator<Item = &'a PendingDeposit>,
    ) -> Self {
        let credits = deposits.into_iter().map(|deposit| deposit.credited(account, balance.asset));
        Self { balance, pending: credits.fold(Money::zero(balance.asset), Money::plus) }
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
