//! The settlement of a deposit: a share in fiat and a share in crypto, each minus the service fee.

use checkout_core::{Amount, Currency, Decimal};

use crate::domain::ledger::money::{Money, Round};
use crate::domain::rates::asset::Asset;
use crate::domain::rates::fiat::Fiat;

/// The settlement terms of a business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The share settled in crypto, 0 to 1.
    pub ratio: Decimal,
    pub crypto: Currency,
    /// The service fee, 0 to 1.
    pub fee: Decimal,
}

/// Prices in EUR at the time of receipt; zero if unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// Of the deposited currency.
    pub deposit: Decimal,
    /// Of the settlement cryptocurrency.
    pub crypto: Decimal,
}

/// One share of a settlement: the amount converted, the result, and the fee in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// In the deposited currency.
    pub from: Money,
    /// In the settlement currency, including the fee.
    pub gross: Money,
    pub fee: Money,
}

impl Part {
    /// The amount credited to the merchant.
    pub fn net(&self) -> Money {
        self.gross.less(self.fee)
    }
}

/// The settlement of one deposit, fixed when it was first seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// In EUR; in the deposited currency if there is no price.
    pub fiat: Part,
    /// In the settlement cryptocurrency; in the deposited currency if there is no price.
    pub crypto: Part,
    /// The callback's `settlementCurrency`, `settlementAmount` (without the fee) and `settlementServiceFee`.
    /// In crypto if everything is settled in crypto, otherwise the value of both shares in EUR.
    pub total: Money,
    pub total_fee: Money,
    /// The service fee, 0 to 1.
    pub fee_rate: Decimal,
}

impl Settlement {
    /// The settled amount, in the deposited currency: the deposit minus its refund.
    pub fn amount(&self) -> Money {
        self.fiat.from.plus(self.crypto.from)
    }

    /// The service fee in the display currency at the rate of receipt, rounded down to the minor unit.
    pub fn display_fee(&self, rate: Decimal, fiat: Fiat) -> Decimal {
        let display = self.amount().convert(Asset::Fiat(fiat), rate, Decimal::ONE, Round::Down);
        let fee = display.and_then(|display| display.share(self.fee_rate, Round::Down));
        fee.map_or(Decimal::ZERO, Money::to_decimal)
    }
}

/// The settlement of a deposit, fixed when it was first seen, and what is booked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Booked {
    pub terms: Terms,
    pub prices: Prices,
    /// How often it was booked.
    pub generation: u32,
    /// `None` while it is not booked.
    pub split: Option<Split>,
}

/// The parts of a deposit, in atoms; the rest is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The merchant's part, before the service fee.
    pub kept: Amount,
    /// The refunded part.
    pub returned: Amount,
}

/// Settles `amount`, the deposit minus its refund.
pub fn settle(amount: Money, terms: Terms, prices: Prices) -> Settlement {
    let crypto_share = amount.share(terms.ratio, Round::Down).unwrap_or(amount);
    let fiat =
        part(amount.less(crypto_share), Asset::Fiat(Fiat::EUR), (prices.deposit, Decimal::ONE), terms.fee);
    let crypto = Asset::Crypto(terms.crypto);
    let crypto = part(crypto_share, crypto, (prices.deposit, prices.crypto), terms.fee);
    let total = if terms.ratio == Decimal::ONE {
        crypto
    } else {
        part(amount, Asset::Fiat(Fiat::EUR), (prices.deposit, Decimal::ONE), terms.fee)
    };
    Settlement { fiat, crypto, total: total.net(), total_fee: total.fee, fee_rate: terms.fee }
}

/// Converts and deducts the fee, both rounded down. Without a price, the money is settled without conversion.
fn part(from: Money, asset: Asset, prices: (Decimal, Decimal), fee: Decimal) -> Part {
    let is_known = !prices.0.is_zero() && !prices.1.is_zero();
    let gross = match from.convert(asset, prices.0, prices.1, Round::Down) {
        Some(converted) if is_known => converted,
        _ if from.units == 0 => Money::zero(asset),
        _ => from,
    };
    let fee = gross.share(fee, Round::Down).unwrap_or(Money::zero(gross.asset));
    Part { from, gross, fee }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Currency::{Btc, Eth};
    use checkout_core::decimal;

    #[test]
    fn by_ratio_and_fee() {
        let d = |text: &str| decimal::parse(text, 8).unwrap();
        let check = |units, currency, ratio, crypto, prices: (&str, &str), expected: [&str; 6]| {
            let amount = Money { asset: Asset::Crypto(currency), units };
            let terms = Terms { ratio: d(ratio), crypto, fee: d("0.005") };
            let s = settle(amount, terms, Prices { deposit: d(prices.0), crypto: d(prices.1) });
            let have = [s.fiat.net(), s.fiat.fee, s.crypto.net(), s.crypto.fee, s.total, s.total_fee];
            assert_eq!(have.map(|money| money.to_string()), expected);
            assert_eq!(s.fiat.from.plus(s.crypto.from), amount, "nothing is lost between the shares");
        };
        let btc = ("60000", "60000");
        check(100_000, Btc, "0", Btc, btc, ["59.70", "0.30", "0", "0", "59.70", "0.30"]);
        check(100_000, Btc, "1", Btc, btc, ["0.00", "0.00", "0.000995", "0.000005", "0.000995", "0.000005"]);
        check(100_000, Btc, "0.5", Btc, btc, ["29.85", "0.15", "0.0004975", "0.0000025", "59.70", "0.30"]);
        check(100_001, Btc, "0.5", Btc, btc, ["29.85", "0.15", "0.0004975", "0.0000025", "59.70", "0.30"]);
        let eth = ("60000", "3000");
        check(100_000, Btc, "1", Eth, eth, ["0.00", "0.00", "0.0199", "0.0001", "0.0199", "0.0001"]);
        // No price: what came in is what is credited.
        let none = ("0", "0");
        check(100_000, Btc, "0", Btc, none, ["0.000995", "0.000005", "0", "0", "0.000995", "0.000005"]);
        check(100_000, Btc, "1", Eth, none, ["0.00", "0.00", "0.000995", "0.000005", "0.000995", "0.000005"]);
    }
}
