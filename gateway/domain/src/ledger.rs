//! Double-entry ledger: every movement of money is an entry whose lines sum to zero in each asset.

pub mod limits;
pub mod money;
pub mod settlement;

use uuid::Uuid;

use crate::ledger::money::Money;
use crate::rates::asset::Asset;

/// The accounts of a business. Positive amounts are owed, negative ones are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Account {
    /// The chains: minus received amounts, plus sent amounts.
    Chain,
    /// Conversions: plus amounts given, minus amounts taken.
    Exchange,
    /// The merchant's balance settled in fiat.
    Fiat,
    /// The merchant's balance settled in crypto.
    Crypto,
    /// Service fees.
    Fees,
    /// Chain fees charged.
    Costs,
    /// Refunds not yet sent.
    Refunds,
    /// Withdrawals charged but not yet sent.
    Withdrawals,
    /// Held deposits.
    Held,
}

impl Account {
    pub const ALL: [(Self, &str); 9] = [
        (Self::Chain, "CHAIN"),
        (Self::Exchange, "EXCHANGE"),
        (Self::Fiat, "FIAT"),
        (Self::Crypto, "CRYPTO"),
        (Self::Fees, "FEES"),
        (Self::Costs, "COSTS"),
        (Self::Refunds, "REFUNDS"),
        (Self::Withdrawals, "WITHDRAWALS"),
        (Self::Held, "HELD"),
    ];

    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(account, _)| *account == self).map_or("", |(_, word)| word)
    }

    pub fn known(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(account, _)| *account)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub account: Account,
    pub money: Money,
}

/// One booking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub business: Uuid,
    /// The unique key: an entry with a known cause changes nothing.
    pub cause: String,
    lines: Vec<Line>,
}

impl Entry {
    /// At most one line per account and asset, none of them zero.
    ///
    /// # Panics
    /// Panics if an asset does not sum to zero: unbalanced money must never be stored.
    pub fn new(business: Uuid, cause: String, lines: impl IntoIterator<Item = (Account, Money)>) -> Self {
        let mut merged: Vec<Line> = Vec::new();
        for (account, money) in lines {
            match merged.iter_mut().find(|line| line.account == account && line.money.asset == money.asset) {
                Some(line) => line.money = line.money.plus(money),
                None => merged.push(Line { account, money }),
            }
        }
        merged.retain(|line| line.money.units != 0);
        for line in &merged {
            let sum = sum(&merged, line.money.asset);
            assert!(
                sum == 0,
                "the entry {cause} is out of balance by {sum} units of {}",
                line.money.asset.code()
            );
        }
        Self { business, cause, lines: merged }
    }

    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The entry that reverses this one.
    #[must_use]
    pub fn reversed(&self, cause: String) -> Self {
        let lines = self.lines.iter().map(|line| (line.account, line.money.negated()));
        Self::new(self.business, cause, lines)
    }
}

fn sum(lines: &[Line], asset: Asset) -> i128 {
    lines.iter().filter(|line| line.money.asset == asset).map(|line| line.money.units).sum()
}

/// The lines of a conversion: `from` is given for `to`.
pub fn exchange(from: Money, to: Money) -> [(Account, Money); 2] {
    [(Account::Exchange, from), (Account::Exchange, to.negated())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rates::fiat::Fiat;
    use checkout_core::Currency;

    const EUR: Asset = Asset::Fiat(Fiat::EUR);
    const BTC: Asset = Asset::Crypto(Currency::Btc);

    fn money(asset: Asset, units: i128) -> Money {
        Money { asset, units }
    }

    #[test]
    fn lines_are_merged_and_reversed() {
        let lines = [
            (Account::Chain, money(BTC, -5)),
            (Account::Crypto, money(BTC, 4)),
            (Account::Fees, money(BTC, 2)),
            (Account::Fees, money(BTC, -1)),
            (Account::Fiat, money(EUR, 0)),
        ];
        let entry = Entry::new(Uuid::nil(), "a".to_owned(), lines);
        assert_eq!(entry.lines().len(), 3);
        let back = entry.reversed("b".to_owned());
        assert_eq!(back.reversed("a".to_owned()), entry);
    }

    #[test]
    #[should_panic(expected = "out of balance by 1 units of EUR")]
    fn an_unbalanced_entry_is_never_stored() {
        let lines = [
            (Account::Chain, money(BTC, -5)),
            (Account::Crypto, money(BTC, 5)),
            (Account::Fiat, money(EUR, 1)),
        ];
        Entry::new(Uuid::nil(), "a".to_owned(), lines);
    }
}
