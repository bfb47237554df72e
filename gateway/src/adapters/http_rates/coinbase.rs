//! Coinbase's public API: its prices of one euro in every currency.
//!
//! Form: <https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates>.

use std::collections::BTreeMap;

use checkout_core::Decimal;
use checkout_core::currency::EVERY_CURRENCY;
use checkout_domain::rates::asset::{Asset, gas_coins};
use checkout_domain::rates::fiat::Fiat;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::feed::{self, Answer};

pub(super) const BASE: &str = "https://api.coinbase.com";

pub(super) fn path() -> String {
    "/v2/exchange-rates?currency=EUR".to_owned()
}

#[derive(Deserialize)]
struct CoinbaseAnswer {
    data: ExchangeRates,
}

#[derive(Deserialize)]
struct ExchangeRates {
    currency: String,
    rates: BTreeMap<String, Box<RawValue>>,
}

pub(super) fn read(body: &[u8], _: u64) -> Result<Answer, String> {
    let text = feed::checked(body)?;
    let CoinbaseAnswer { data } = serde_json::from_str(text).map_err(|error| feed::not_rates(&error))?;
    if data.currency != "EUR" {
        return Err("Coinbase was asked for prices of the euro, and answers for another currency".to_owned());
    }
    let euro = Asset::Fiat(Fiat::EUR);
    let mut answer = Answer::default();
    for fiat in Fiat::all().map(Asset::Fiat).filter(|fiat| *fiat != euro) {
        if let Some(rate) = data.rates.get(fiat.code()) {
            answer.add(fiat.code(), euro, fiat, feed::number(rate));
        }
    }
    let currencies = EVERY_CURRENCY.iter().map(|row| Asset::Crypto(row.currency));
    for coin in currencies.chain(gas_coins().map(Asset::Gas)) {
        let Some(rate) = data.rates.get(coin.code()) else { continue };
        let price = feed::number(rate)
            .and_then(|rate| Decimal::ONE.checked_div(rate).ok_or_else(|| "is too small".to_owned()));
        answer.add(coin.code(), coin, euro, price);
    }
    answer.checked()
}

#[cfg(test)]
mod tests {
    use super::super::feed::tests::expect;
    use super::*;

    /// In the form of the documentation's example.
    const RECORDED: &str = r#"{"data":{"currency":"EUR","rates":{"AED":"3.90788","BTC":"0.0000125","POL":"5",
        "RUB":"96.5000000000000187","USD":"1.0801"}}}"#;

    #[test]
    fn recorded_answers() {
        let check = |from: &str, to: &str, expected: Result<&str, &str>| {
            expect(&read(RECORDED.replace(from, to).as_bytes(), 0), expected, to);
        };
        let all = "EUR USD 1.0801, EUR RUB 96.5000000000000187, BTC EUR 80000, POL EUR 0.20";
        check("", "", Ok(all));
        check("\"5\"", "5", Ok(all));
        check("\"POL\"", "\"MATIC\"", Ok("EUR USD 1.0801, EUR RUB 96.5000000000000187, BTC EUR 80000"));
        let odd = "EUR USD 1.0801, EUR RUB 96.5000000000000187, POL EUR 0.20, odd: BTC";
        check("\"0.0000125\"", "null", Ok(&format!("{odd} is null")));
        check("0.0000125", "0", Ok(&format!("{odd} is zero")));
        check("\"currency\":\"EUR\"", "\"currency\":\"USD\"", Err("another currency"));
        check("\"AED\"", "\"USD\"", Err("twice"));
        expect(&read(br#"{"data":{"currency":"EUR","rates":{}}}"#, 0), Err("no rate"), "empty");
        let refused = br#"{"errors":[{"id":"invalid_request","message":"Currency is invalid"}]}"#;
        expect(&read(refused, 0), Err("no list of rates"), "errors");
    }
}
