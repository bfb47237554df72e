//! Double-entry ledger: every movement of money is an entry whose lines sum to zero in each asset.

pub mod cause;
pub mod cover;
pub mod fee;
pub mod filter;
pub mod limits;
pub mod money;
pub mod settlement;
pub mod wallet;

use checkout_core::Decimal;
use uuid::Uuid;

use crate::ids::{BusinessId, PaymentId};
use crate::ledger::money::Money;
use crate::rates::asset::Asset;

crate::words! {
    /// The accounts of a business. Positive amounts are owed, negative ones are held.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Account {
        /// The chains: minus received amounts, plus sent amounts.
        Chain = "CHAIN",
        /// Conversions: plus amounts given, minus amounts taken.
        Exchange = "EXCHANGE",
        /// The merchant's balance settled in fiat.
        Fiat = "FIAT",
        /// The merchant's balance settled in crypto.
        Crypto = "CRYPTO",
        /// Service fees.
        Fees = "FEES",
        /// Chain fees charged.
        Costs = "COSTS",
        /// Refunds not yet sent.
        Refunds = "REFUNDS",
        /// Withdrawals charged but not yet sent.
        Withdrawals = "WITHDRAWALS",
        /// Held deposits.
        Held = "HELD",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub account: Account,
    pub money: Money,
    /// EUR per whole coin, by which the entry was made; `None` if there was no rate.
    pub price: Option<Decimal>,
}

/// The head of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub id: Uuid,
    pub business: BusinessId,
    /// The unique key: an entry with a known cause changes nothing.
    pub cause: String,
    /// The payment that the money belongs to; `None` for withdrawals.
    pub payment: Option<PaymentId>,
}

impl Header {
    /// When the entry was made, in UNIX seconds: its id tells.
    pub fn booked_at(&self) -> u64 {
        self.id.get_timestamp().map_or(0, |time| time.to_unix().0)
    }
}

/// One booking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub header: Header,
    lines: Vec<Line>,
}

impl Entry {
    /// At most one line per account and asset, none of them zero. `price` is EUR per whole coin.
    ///
    /// # Panics
    /// Panics if an asset does not sum to zero: unbalanced money must never be stored.
    pub fn new(
        header: Header,
        price: impl Fn(Asset) -> Option<Decimal>,
        lines: impl IntoIterator<Item = (Account, Money)>,
    ) -> Self {
        let mut merged: Vec<Line> = Vec::new();
        for (account, money) in lines {
            match merged.iter_mut().find(|line| line.account == account && line.money.asset == money.asset) {
                Some(line) => line.money = line.money.plus(money),
                None => merged.push(Line { account, money, price: price(money.asset) }),
            }
        }
        merged.retain(|line| line.money.units != 0);
        for line in &merged {
            let sum = sum(&merged, line.money.asset);
            assert!(
                sum == 0,
                "the entry {} is out of balance by {sum} units of {}",
                header.cause,
                line.money.asset.code()
            );
        }
        Self { header, lines: merged }
    }

    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// An entry as it was stored.
    pub fn stored(header: Header, lines: Vec<Line>) -> Self {
        Self { header, lines }
    }

    /// The entry that reverses this one, at the same prices.
    #[must_use]
    pub fn reversed(&self, id: Uuid, cause: String) -> Self {
        let negated = |line: &Line| Line { money: line.money.negated(), ..*line };
        Self {
            header: Header { id, cause, ..self.header.clone() },
            lines: self.lines.iter().map(negated).collect(),
        }
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

    fn header() -> Header {
        Header { id: Uuid::nil(), business: BusinessId(Uuid::nil()), cause: "a".to_owned(), payment: None }
    }

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
        let entry = Entry::new(header(), |asset| (asset == BTC).then_some(Decimal::TEN), lines);
        assert_eq!(entry.lines().len(), 3);
        let back = entry.reversed(Uuid::max(), "b".to_owned());
        assert_eq!(back.lines()[0].price, Some(Decimal::TEN), "at the same price");
        assert_eq!(back.reversed(Uuid::nil(), "a".to_owned()), entry);
    }

    #[test]
    #[should_panic(expected = "out of balance by 1 units of EUR")]
    fn an_unbalanced_entry_is_never_stored() {
        let lines = [
            (Account::Chain, money(BTC, -5)),
            (Account::Crypto, money(BTC, 5)),
            (Account::Fiat, money(EUR, 1)),
        ];
        Entry::new(header(), |_| None, lines);
    }
}
