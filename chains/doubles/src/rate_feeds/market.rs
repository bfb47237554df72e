//! What the feeds list, and at what price.

use std::time::Duration;

use checkout_core::chain::CHAINS;
use checkout_core::currency::EVERY_CURRENCY;
use checkout_core::{Decimal, decimal};
use serde_json::Value;

use super::FeedMood;

/// The key that the stand-in of CoinGecko accepts.
pub const KEY: &str = "CG-key-of-the-stand-in";

/// Units of a currency for one euro.
pub(super) const FIATS: [(&str, &str); 14] = [
    ("USD", "1.1435"),
    ("GBP", "0.85363"),
    ("CHF", "0.9227"),
    ("TRY", "52.1"),
    ("RUB", "91.4"),
    ("JPY", "185.72"),
    ("PLN", "4.2525"),
    ("CZK", "24.254"),
    ("SEK", "11.02"),
    ("NOK", "11.31"),
    ("DKK", "7.4628"),
    ("CAD", "1.5688"),
    ("AUD", "1.6402"),
    ("BRL", "6.2011"),
];

pub(super) struct Market {
    pub(super) mood: FeedMood,
    /// Since the UNIX epoch.
    pub(super) now: Duration,
}

impl Market {
    /// Code, id at CoinGecko, market at Kraken, euros of one coin.
    pub(super) fn coins(&self) -> Vec<(&'static str, &'static str, Option<&'static str>, Decimal)> {
        let currencies = EVERY_CURRENCY.iter().map(|row| {
            let names = row.currency.feed_names();
            (row.code, names.coingecko, Some(names.kraken), row.sandbox_eur)
        });
        let gas = CHAINS.iter().filter_map(|chain| chain.gas_coin.as_ref());
        let gas = gas.map(|coin| (coin.code, coin.coingecko, coin.kraken, coin.sandbox_eur));
        let listed = currencies.chain(gas).filter(|(code, ..)| self.has(code));
        listed.map(|(code, id, market, euros)| (code, id, market, self.moved(code, number(euros)))).collect()
    }

    /// Code and units for one euro.
    pub(super) fn fiats(&self) -> Vec<(&'static str, Decimal)> {
        let listed = FIATS.iter().filter(|(code, _)| self.has(code));
        listed
            .map(|(code, units)| (*code, Decimal::ONE / self.moved(code, Decimal::ONE / number(units))))
            .collect()
    }

    pub(super) fn has(&self, code: &str) -> bool {
        self.mood != FeedMood::Missing(listed(code))
    }

    fn moved(&self, code: &str, euros: Decimal) -> Decimal {
        let percent = match self.mood {
            FeedMood::Percent(one, percent) if one == code => percent,
            FeedMood::AllPercent(percent) => percent,
            _ => 100,
        };
        euros * Decimal::from(percent) / Decimal::ONE_HUNDRED
    }

    /// The second at which the prices were made.
    pub(super) fn made(&self) -> Duration {
        let age = if self.mood == FeedMood::Old { Duration::from_hours(240) } else { Duration::ZERO };
        self.now.saturating_sub(age)
    }

    /// A price as JSON, a text or a number as the feed usually writes it.
    pub(super) fn written(&self, code: &str, price: Decimal, as_text: bool) -> Value {
        let price = price.round_sf(20).unwrap_or(price).normalize().to_string();
        let code = listed(code);
        let as_text = as_text != (self.mood == FeedMood::OtherType(code));
        let price = match self.mood {
            FeedMood::Null(odd) if odd == code => return Value::Null,
            FeedMood::Empty(odd) if odd == code => return Value::from(""),
            FeedMood::Zero(odd) if odd == code => "0".to_owned(),
            _ => price,
        };
        if as_text { Value::from(price) } else { serde_json::from_str(&price).expect("a number is JSON") }
    }
}

/// The same code, which lives as long as the tables.
fn listed(code: &str) -> &'static str {
    let fiats = FIATS.iter().map(|(code, _)| *code);
    let currencies = EVERY_CURRENCY.iter().map(|row| row.code);
    let gas = CHAINS.iter().filter_map(|chain| chain.gas_coin.as_ref()).map(|coin| coin.code);
    fiats.chain(currencies).chain(gas).find(|known| *known == code).unwrap_or("")
}

fn number(text: &str) -> Decimal {
    decimal::parse(text, 28).expect("the prices are numbers")
}
