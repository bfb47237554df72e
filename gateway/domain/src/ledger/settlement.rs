//! The settlement of a deposit: a share in fiat and a share in crypto, each minus the service fee.

use checkout_core::{Amount, Currency, Decimal, Network, Pair};

use crate::ids::BusinessId;
use crate::ledger::Account;
use crate::ledger::money::{Money, Round};
use crate::rates::asset::Asset;
use crate::rates::fiat::Fiat;
use crate::rates::market::MarketRate;

const EURO: MarketRate = MarketRate::new(Decimal::ONE);

/// The settlement terms of a business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The share settled in crypto, 0 to 1.
    pub ratio: Decimal,
    pub crypto: Currency,
    /// The service fee, 0 to 1.
    pub fee: Decimal,
}

/// Prices at the time of receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// Of the deposited currency.
    pub deposit: MarketRate,
    /// Of the settlement cryptocurrency.
    pub crypto: MarketRate,
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
    pub terms: Terms,
}

impl Settlement {
    /// The credit in each currency, the fiat part first: one part at a ratio of 0 or 1, and without a price.
    pub fn parts(&self) -> Vec<Part> {
        let (fiat, crypto) = (self.fiat, self.crypto);
        if self.terms.ratio.is_zero() {
            vec![fiat]
        } else if self.terms.ratio == Decimal::ONE {
            vec![crypto]
        } else if fiat.gross.asset == crypto.gross.asset {
            // Without a price both parts stay in the deposited currency.
            let (from, gross) = (fiat.from.plus(crypto.from), fiat.gross.plus(crypto.gross));
            vec![Part { from, gross, fee: fiat.fee.plus(crypto.fee) }]
        } else {
            vec![fiat, crypto]
        }
    }

    /// Both shares with the accounts that they are credited to.
    pub fn credits(&self) -> [(Account, Part); 2] {
        [self.fiat, self.crypto].map(|part| {
            let is_fiat = matches!(part.gross.asset, Asset::Fiat(_));
            (if is_fiat { Account::Fiat } else { Account::Crypto }, part)
        })
    }

    /// The settled amount, in the deposited currency: the deposit minus its refund.
    pub fn amount(&self) -> Money {
        self.fiat.from.plus(self.crypto.from)
    }

    /// The service fee in the display currency at the rate of receipt, rounded down to the minor unit.
    pub fn display_fee(&self, rate: Decimal, fiat: Fiat) -> Decimal {
        let display = self.amount().convert(Asset::Fiat(fiat), rate, Decimal::ONE, Round::Down);
        let fee = display.and_then(|display| display.share(self.terms.fee, Round::Down));
        fee.map_or(Decimal::ZERO, Money::to_decimal)
    }
}

/// The settlement of a deposit, fixed when it was first seen, and what is booked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Booked {
    pub business: BusinessId,
    pub network: Network,
    pub terms: Terms,
    pub prices: Prices,
    /// How often it was booked.
    pub generation: u32,
    /// When it was booked after it was not; 0 if a version did that which did not note it.
    pub booked_at: u64,
    /// `None` while it is not booked.
    pub split: Option<Split>,
    pub depth: Depth,
}

impl Booked {
    /// What some of it is worth in EUR at the market's rate of its receipt; `None` if there was none.
    pub fn worth(&self, amount: Amount, pair: &Pair, round: Round) -> Option<Decimal> {
        let money = Money::of_amount(amount, pair).filter(|_| self.prices.deposit.is_known())?;
        let price = self.prices.deposit.eur();
        money.convert(Asset::Fiat(Fiat::EUR), price, Decimal::ONE, round).map(Money::to_decimal)
    }
}

/// How deep a booked deposit is in its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// It can still leave. Its chain is asked again when it has this many blocks.
    Shallow {
        asked_at_height: u64,
    },
    Final,
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
    let fiat = part(amount.less(crypto_share), Asset::Fiat(Fiat::EUR), (prices.deposit, EURO), terms.fee);
    let crypto = Asset::Crypto(terms.crypto);
    let crypto = part(crypto_share, crypto, (prices.deposit, prices.crypto), terms.fee);
    Settlement { fiat, crypto, terms }
}

/// Converts and deducts the fee, both rounded down. Without a price, the money is settled without conversion.
fn part(from: Money, asset: Asset, prices: (MarketRate, MarketRate), fee: Decimal) -> Part {
    let is_known = prices.0.is_known() && prices.1.is_known();
    let gross = match from.convert(asset, prices.0.eur(), prices.1.eur(), Round::Down) {
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
        let check = |units, currency, ratio, crypto, prices: (&str, &str), expected: &[(&str, &str)]| {
            let amount = Money { asset: Asset::Crypto(currency), units };
            let terms = Terms { ratio: d(ratio), crypto, fee: d("0.005") };
            let settled = settle(amount, terms, {
                let [deposit, crypto] = [prices.0, prices.1].map(|price| MarketRate::new(d(price)));
                Prices { deposit, crypto }
            });
            let text = |money: Money| format!("{money} {}", money.asset.code());
            let have: Vec<_> =
                settled.parts().iter().map(|part| (text(part.net()), text(part.fee))).collect();
            let have: Vec<_> = have.iter().map(|(net, fee)| (net.as_str(), fee.as_str())).collect();
            assert_eq!(have, expected);
            assert_eq!(settled.amount(), amount, "nothing is lost between the shares");
        };
        let btc = ("60000", "60000");
        check(100_000, Btc, "0", Btc, btc, &[("59.70 EUR", "0.30 EUR")]);
        check(100_000, Btc, "1", Btc, btc, &[("0.000995 BTC", "0.000005 BTC")]);
        let both = [("29.85 EUR", "0.15 EUR"), ("0.0004975 BTC", "0.0000025 BTC")];
        check(100_000, Btc, "0.5", Btc, btc, &both);
        check(100_001, Btc, "0.5", Btc, btc, &both);
        check(0, Btc, "1", Btc, btc, &[("0 BTC", "0 BTC")]);
        check(100_000, Btc, "1", Eth, ("60000", "3000"), &[("0.0199 ETH", "0.0001 ETH")]);
        // No price: what came in is what is credited.
        let none = ("0", "0");
        for ratio in ["0", "0.5", "1"] {
            check(100_000, Btc, ratio, Btc, none, &[("0.000995 BTC", "0.000005 BTC")]);
        }
        check(100_000, Btc, "0.5", Eth, none, &[("0.000995 BTC", "0.000005 BTC")]);
    }
}
