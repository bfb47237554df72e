//! Computes a quote from a price, a pair and rates.

use std::fmt;

use checkout_core::decimal::{quote_up, value_down};
use checkout_core::{Amount, AmountError, Decimal, Pair};

use crate::ledger::limits::relayed;
use crate::payment::{Price, Terms};
use crate::rates::fiat::Fiat;
use crate::rates::market::ShownRates;

/// The cost of `pair`. Expected amounts are rounded up, values down.
pub fn terms(price: &Price, fiat: Fiat, pair: &Pair, shown: ShownRates) -> Result<Terms, AmountError> {
    let expected = match price {
        Price::Display(amount) => quote_up(*amount, shown.display, pair.decimals, pair.quote_precision)?,
        Price::Crypto { amount, .. } => Amount::parse(amount, pair.decimals)?,
    };
    let display = match price {
        Price::Display(amount) => *amount,
        Price::Crypto { .. } => value(expected, pair, shown.display, fiat)?,
    };
    let uniform = if fiat == Fiat::EUR { display } else { value(expected, pair, shown.uniform, Fiat::EUR)? };
    Ok(Terms { expected, shown, display, uniform })
}

/// Nodes do not relay a transfer of this amount.
#[derive(Clone, Copy, Debug)]
pub struct TooSmall<'a> {
    amount: Amount,
    smallest: Amount,
    pair: &'a Pair,
}

impl fmt::Display for TooSmall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pair { currency, network, decimals, .. } = self.pair;
        let [amount, smallest] = [self.amount, self.smallest].map(|amount| amount.to_text(*decimals));
        write!(
            f,
            "is {amount} {currency}; the {network} network relays no transfer below {smallest} {currency}"
        )
    }
}

/// Whether nodes relay a transfer of this amount.
pub fn can_be_sent(amount: Amount, pair: &Pair) -> Result<(), TooSmall<'_>> {
    let smallest = relayed(pair);
    if amount < smallest { Err(TooSmall { amount, smallest, pair }) } else { Ok(()) }
}

/// The value of an amount, rounded down to the minor unit.
pub fn value(amount: Amount, pair: &Pair, rate: Decimal, fiat: Fiat) -> Result<Decimal, AmountError> {
    value_down(amount, pair.decimals, rate, u32::from(fiat.decimals()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::{Currency, Network, decimal, pair};

    #[track_caller]
    fn check(price: &Price, fiat: &str, pair: (Currency, Network), rates: (&str, &str), expected: [&str; 3]) {
        let fiat: Fiat = fiat.parse().unwrap();
        let pair = pair::find(pair.0, pair.1).unwrap();
        let d = |text| decimal::parse(text, 12).unwrap();
        let terms =
            terms(price, fiat, pair, ShownRates { display: d(rates.0), uniform: d(rates.1) }).unwrap();
        let expected_texts =
            [terms.expected.to_text(pair.decimals), fiat.text(terms.display), Fiat::EUR.text(terms.uniform)];
        assert_eq!(expected_texts, expected);
    }

    #[test]
    fn an_amount_below_the_networks_smallest_cannot_be_sent() {
        let check = |currency, network, text, expected| {
            let pair = pair::find(currency, network).unwrap();
            let amount = Amount::parse(text, pair.decimals).unwrap();
            assert_eq!(can_be_sent(amount, pair).is_ok(), expected, "{text} {currency}");
        };
        check(Currency::Btc, Network::Btc, "0.00000293", false);
        check(Currency::Btc, Network::Btc, "0.00000294", true);
        check(Currency::Bch, Network::Bch, "0.00000545", false);
        check(Currency::Ltc, Network::Ltc, "0.00002939", false);
        check(Currency::Ltc, Network::Ltc, "0.0000294", true);
        check(Currency::Doge, Network::Doge, "0.0009", false);
        check(Currency::Xrp, Network::Xrp, "0.000001", true);
        check(Currency::Usdt, Network::Trx, "0.000001", true);
        for pair in pair::EVERY_PAIR {
            assert!(can_be_sent(Amount::MAX, pair).is_ok(), "{}", pair.currency);
        }
        let pair = pair::find(Currency::Btc, Network::Btc).unwrap();
        let error = can_be_sent(Amount::parse("0.00000017", pair.decimals).unwrap(), pair).unwrap_err();
        let text = "is 0.00000017 BTC; the BTC network relays no transfer below 0.00000294 BTC";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn prices() {
        let display = |text| Price::Display(decimal::parse(text, 2).unwrap());
        let btc = (Currency::Btc, Network::Btc);
        let bsc = (Currency::Usdt, Network::Bsc);
        check(&display("100"), "EUR", btc, ("60000", "60000"), ["0.00166667", "100.00", "100.00"]);
        check(&display("100"), "USD", btc, ("64800", "60000"), ["0.00154321", "100.00", "92.59"]);
        check(&display("10000"), "JPY", btc, ("9900000", "60000"), ["0.00101011", "10000", "60.60"]);
        check(&display("19.99"), "EUR", bsc, ("0.92", "0.92"), ["21.728261", "19.99", "19.99"]);
        let crypto = Price::Crypto { currency: Currency::Btc, amount: "0.00012345".into() };
        check(&crypto, "USD", btc, ("64800", "60000"), ["0.00012345", "7.99", "7.40"]);
    }
}
