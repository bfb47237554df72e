//! How much of the price the deposits cover.
//!
//! Every amount that was shown for a pair pays within its window. Deposits of one pair are added and judged together:
//! less than the least amount shown is a share of that one, more than the largest is an excess over that one, and
//! anything between pays exactly. A price in a cryptocurrency is that many coins.
//!
//! A quote never values a transfer that was sent before the quote was requested: transfers that are read after a later quote are judged
//! by the quotes that held for them, those that have one in common together. A transfer of a ONE_TIME payment prevents quotes only once
//! it is recorded, and while it counts.

use std::collections::BTreeMap;

use checkout_core::money::mul_div;
use checkout_core::{Amount, Currency, Decimal, Network, Pair};
use checkout_wire::{PaymentType, RateType};
use serde::{Deserialize, Serialize};

use super::deposit::Deposit;
use super::{PaymentWithDeposits, Price, Quote};
use crate::chain::Transfer;
use crate::ledger::money::Round;

/// How much before it is sent a transfer can be dated, in seconds. A block of the Bitcoin family has to be dated after the median of the
/// eleven before it, which is about an hour old; elsewhere blocks are dated as they are made, and clocks may differ.
fn dated_early_by(network: Network) -> u64 {
    if network.spec().instant { 7_200 } else { 600 }
}

/// By how much the clocks of two gateways may differ, in seconds.
const CLOCKS_DIFFER_BY: u64 = 30;

/// The amounts that judge a deposit.
enum Judges {
    /// The least and the largest that were shown for its pair.
    Shown { least: Amount, most: Amount },
    /// Those of the quotes before a later one, by their indices.
    Earlier(Quotes),
    /// None: its value counts.
    Value,
}

impl PaymentWithDeposits {
    /// The quote that values a transfer, and its index in [`PaymentWithDeposits::quotes`]: of those that hold for it
    /// the one that it completes, otherwise the last one. `earlier` is the sum of the present deposits of the pair.
    pub fn quote_for(&self, transfer: &Transfer, pair: &Pair, earlier: Amount) -> Option<(u32, &Quote)> {
        let holding = self.holding(pair, transfer.seen_at);
        let last = *holding.last()?;
        if holding.iter().all(|(_, quote)| quote.terms.expected == last.1.terms.expected) {
            return Some(last);
        }
        let of = |amount| holding.iter().rev().find(|(_, quote)| quote.expected_in(pair) == amount);
        Some(of(plus(earlier, transfer.amount)).or_else(|| of(transfer.amount)).copied().unwrap_or(last))
    }

    /// The quotes that hold for a transfer: those shown for its currency, preferably on its network, within their windows.
    /// The time of a block can be a little before a quote that its transfers pay; of a REUSABLE payment those hold that were shown
    /// before it, if there are any.
    fn holding(&self, pair: &Pair, seen_at: u64) -> Vec<(u32, &Quote)> {
        let is_one_time = self.payment.kind == PaymentType::OneTime;
        let rank =
            |quote: &Quote| (is_one_time || quote.requested_at <= seen_at, quote.network == pair.network);
        let mut shown: Vec<(u32, &Quote)> = (0..).zip(&self.quotes).collect();
        shown.retain(|(_, quote)| {
            quote.currency == pair.currency
                && quote.fiat == self.payment.display_currency
                && seen_at < self.payment.quote_end(quote)
                && quote.requested_at <= seen_at.saturating_add(dated_early_by(pair.network))
        });
        let best = shown.iter().map(|(_, quote)| rank(quote)).max();
        shown.retain(|(_, quote)| Some(rank(quote)) == best);
        shown
    }

    /// The quote that valued a deposit.
    pub fn quote_of(&self, deposit: &Deposit) -> Option<&Quote> {
        deposit.quote.and_then(|place| self.quotes.get(usize::try_from(place).ok()?))
    }

    /// The price in the coins of a deposit, if it is a number of these coins.
    fn price_in_coins(&self, deposit: &Deposit) -> Option<Amount> {
        match &self.payment.price {
            Price::Crypto { currency, amount } if *currency == deposit.currency => {
                Amount::parse(amount, deposit.pair().decimals).ok()
            }
            _ => None,
        }
    }

    /// When the last quote was asked for that can judge a deposit. Of a ONE_TIME payment later ones are of a time at which it was not
    /// recorded yet, not credited, refused, or not on its chain.
    fn judged_until(&self, deposit: &Deposit) -> u64 {
        let dated = deposit.seen_at.saturating_add(dated_early_by(deposit.output.network));
        match self.payment.kind {
            PaymentType::OneTime => dated.min(deposit.recorded_at.saturating_add(CLOCKS_DIFFER_BY)),
            PaymentType::Reusable => u64::MAX,
        }
    }

    fn judges(&self, deposit: &Deposit) -> Judges {
        let pair = deposit.pair();
        if let Some(price) = self.price_in_coins(deposit) {
            return Judges::Shown { least: price, most: price };
        }
        let Some((place, judge)) = deposit.quote.zip(self.quote_of(deposit)) else { return Judges::Value };
        let judge = judge.expected_in(pair);
        let mut quotes = self.quotes.iter().filter(|quote| quote.currency == pair.currency);
        let until = self.judged_until(deposit);
        let is_quoted_later = quotes.clone().any(|quote| until < quote.requested_at);
        if !is_quoted_later && quotes.nth(1).is_none() {
            return Judges::Shown { least: judge, most: judge };
        }
        let holding = || {
            let holding = self.holding(pair, deposit.seen_at).into_iter();
            let holding = holding.filter(|(_, quote)| quote.requested_at <= until);
            holding.map(|(place, quote)| (place, quote.expected_in(pair))).chain([(place, judge)])
        };
        if is_quoted_later {
            return Judges::Earlier(holding().collect());
        }
        let (least, most) = range(holding().map(|(_, amount)| amount));
        Judges::Shown { least, most }
    }

    /// Whether no amount that was shown judges it, or its value may be more.
    pub fn may_count_by_its_value(&self, deposit: &Deposit) -> bool {
        self.payment.rate_type == RateType::Floating || matches!(self.judges(deposit), Judges::Value)
    }

    /// A part of a deposit with its value at receipt, in atoms of the price.
    fn at_receipt(&self, price: Target, deposit: &Deposit, part: Amount) -> Amount {
        let judge = || self.quote_of(deposit).filter(|judge| judge.terms.shown.display == deposit.rate);
        let exact = self.price_in_coins(deposit).or_else(|| Some(judge()?.expected_in(deposit.pair())));
        match exact {
            Some(whole) => share(price.expected, part, whole),
            None => deposit.value_in(price, part),
        }
    }
}

/// The least and the largest of these amounts, which are at least one.
fn range(amounts: impl Iterator<Item = Amount>) -> (Amount, Amount) {
    amounts.fold((Amount::MAX, Amount::ZERO), |(least, most), amount| (least.min(amount), most.max(amount)))
}

/// The price in the coins of a quote.
#[derive(Clone, Copy, Debug)]
struct Target {
    expected: Amount,
    decimals: u8,
    rate: Decimal,
}

/// Deposits that are valued together, in atoms of a quote.
///
/// They cover the amounts shown. If these fall short at a floating rate, the value at receipt counts if it is
/// higher, up to the price: a rising rate creates no excess.
#[derive(Clone, Debug)]
pub struct Cover {
    price: Target,
    sums: CoverSums,
}

/// The sums of a cover over its deposits. One more deposit changes them by that deposit alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverSums {
    #[serde(with = "super::deposit_sums::entries")]
    pub groups: BTreeMap<(Currency, Network), Group>,
    /// Those of before a later quote, by the quotes that held for them.
    #[serde(skip)]
    pub earlier: BTreeMap<(Currency, Network), BTreeMap<Quotes, Amount>>,
    /// What deposits cover that count by their value.
    pub valued: Amount,
    /// The value of all of them at receipt.
    pub received: Amount,
}

/// Deposits of one pair, and the least and the largest amount that were shown for any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    pub least: Amount,
    pub most: Amount,
    pub total: Amount,
}

/// Quotes by their indices, each with its amount.
pub type Quotes = BTreeMap<u32, Amount>;

/// Deposits of one pair that have quotes in common.
struct Earlier<'a> {
    common: Quotes,
    /// What held for each of them.
    held: Vec<&'a Quotes>,
    total: Amount,
}

impl Earlier<'_> {
    fn group(&self) -> Group {
        let (least, most) = range(self.common.values().copied());
        Group { least, most, total: self.total }
    }
}

/// Those that have a quote in common count together. The order in which they were added makes no difference.
fn together(sums: &BTreeMap<Quotes, Amount>) -> Vec<Earlier<'_>> {
    let mut all: Vec<Earlier<'_>> = Vec::new();
    for (quotes, sum) in sums {
        let has_common = |one: &&mut Earlier<'_>| one.common.keys().any(|place| quotes.contains_key(place));
        if let Some(one) = all.iter_mut().find(has_common) {
            one.common.retain(|place, _| quotes.contains_key(place));
            one.held.push(quotes);
            one.total = plus(one.total, *sum);
        } else {
            all.push(Earlier { common: quotes.clone(), held: vec![quotes], total: *sum });
        }
    }
    all
}

impl Cover {
    pub fn new(quote: &Quote) -> Self {
        Self::resume(quote, CoverSums::default())
    }

    /// The cover with these sums of the same quote.
    pub fn resume(quote: &Quote, sums: CoverSums) -> Self {
        let (terms, decimals) = (&quote.terms, quote.pair().decimals);
        Self { price: Target { expected: terms.expected, decimals, rate: terms.shown.display }, sums }
    }

    pub fn into_sums(self) -> CoverSums {
        self.sums
    }

    /// The cover of these deposits.
    pub fn of<'a>(
        record: &PaymentWithDeposits,
        quote: &Quote,
        deposits: impl Iterator<Item = &'a Deposit>,
    ) -> Self {
        let mut cover = Self::new(quote);
        deposits.for_each(|deposit| cover.add(record, deposit, deposit.amount));
        cover
    }

    /// Adds a part of a deposit, or all of it.
    pub fn add(&mut self, record: &PaymentWithDeposits, deposit: &Deposit, part: Amount) {
        let sums = &mut self.sums;
        sums.received = plus(sums.received, record.at_receipt(self.price, deposit, part));
        match record.judges(deposit) {
            Judges::Value => sums.valued = plus(sums.valued, deposit.value_in(self.price, part)),
            Judges::Shown { least, most } => {
                let group =
                    sums.groups.entry(deposit.key()).or_insert(Group { least, most, total: Amount::ZERO });
                group.total = plus(group.total, part);
                group.least = group.least.min(least);
                group.most = group.most.max(most);
            }
            Judges::Earlier(quotes) => {
                let sum = sums.earlier.entry(deposit.key()).or_default().entry(quotes).or_default();
                *sum = plus(*sum, part);
            }
        }
    }

    /// The amount covered by a part of one of the deposits.
    pub fn part(&self, record: &PaymentWithDeposits, deposit: &Deposit, part: Amount) -> Amount {
        let key = deposit.key();
        let group = match record.judges(deposit) {
            Judges::Value => None,
            Judges::Shown { .. } => self.sums.groups.get(&key).copied(),
            Judges::Earlier(quotes) => {
                let earlier = self.sums.earlier.get(&key).map(together).unwrap_or_default();
                earlier.iter().find(|one| one.held.contains(&&quotes)).map(Earlier::group)
            }
        };
        group.map_or_else(|| deposit.value_in(self.price, part), |group| self.covers(group, part))
    }

    fn covers(&self, group: Group, part: Amount) -> Amount {
        share(self.price.expected, part, group.total.clamp(group.least, group.most))
    }

    /// The amount that all of them cover.
    pub fn total(&self) -> Amount {
        let earlier = self.sums.earlier.values().flat_map(together).map(|one| one.group());
        let groups = self.sums.groups.values().copied().chain(earlier);
        let groups = groups.map(|group| self.covers(group, group.total));
        let quoted = groups.fold(self.sums.valued, plus);
        let expected = self.price.expected;
        if quoted >= expected { quoted } else { quoted.max(self.sums.received.min(expected)) }
    }
}

impl Quote {
    /// The expected amount as the same number of coins of another pair.
    fn expected_in(&self, pair: &Pair) -> Amount {
        rescale(self.terms.expected, self.pair().decimals, pair.decimals)
    }
}

/// The part of `expected` that `part` is of `whole`, rounded down.
fn share(expected: Amount, part: Amount, whole: Amount) -> Amount {
    if whole == expected {
        return part;
    }
    let atoms = mul_div(expected.atoms(), part.atoms(), whole.atoms().max(1), Round::Down);
    atoms.and_then(|atoms| Amount::from_atoms(atoms).ok()).unwrap_or(Amount::MAX)
}

impl Deposit {
    /// Its pair, as a key.
    pub fn key(&self) -> (Currency, Network) {
        (self.currency, self.output.network)
    }

    /// The same number of coins in atoms of a quote.
    pub fn rescaled(&self, quote: &Quote) -> Amount {
        rescale(self.amount, self.pair().decimals, quote.pair().decimals)
    }

    /// The value of a part at the rate of receipt in atoms of the price, rounded down.
    fn value_in(&self, price: Target, part: Amount) -> Amount {
        let decimals = price.decimals;
        let exact = || {
            let coins = coins(part, self.pair().decimals)?;
            let quoted = coins.checked_mul(self.rate)?.checked_div(self.price_rate.unwrap_or(price.rate))?;
            let text = quoted.trunc_with_scale(u32::from(decimals)).normalize().to_string();
            Amount::parse(&text, decimals).ok()
        };
        // Beyond 28 digits (billions of coins) only the magnitude matters.
        exact().unwrap_or_else(|| rescale(part, self.pair().decimals, decimals))
    }
}

fn coins(amount: Amount, decimals: u8) -> Option<Decimal> {
    let atoms = i128::try_from(amount.atoms()).ok()?;
    Decimal::try_from_i128_with_scale(atoms, u32::from(decimals)).ok()
}

pub fn plus(a: Amount, b: Amount) -> Amount {
    a.checked_add(b).unwrap_or(Amount::MAX)
}

/// The same number of coins in other atoms, rounded down.
pub fn rescale(amount: Amount, from: u8, to: u8) -> Amount {
    let power = 10_u128.pow(u32::from(from.abs_diff(to)));
    let atoms = if from > to { Some(amount.atoms() / power) } else { amount.atoms().checked_mul(power) };
    atoms.and_then(|atoms| Amount::from_atoms(atoms).ok()).unwrap_or(Amount::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_coins_in_other_atoms() {
        let check = |atoms, from, to, expected| {
            assert_eq!(rescale(Amount::from_atoms(atoms).unwrap(), from, to).atoms(), expected);
        };
        check(1_500_000, 6, 18, 1_500_000_000_000_000_000);
        check(1_500_000_999_999_999_999, 18, 6, 1_500_000);
        check(7, 8, 8, 7);
        check(0, 6, 18, 0);
        check(u128::from(u64::MAX) * 1_000_000_000_000, 6, 18, Amount::MAX.atoms());
    }
}
