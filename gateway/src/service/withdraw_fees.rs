//! Fees and minimums of withdrawals.

use checkout_core::currency::CURRENCIES;
use checkout_core::wire::texts::AmountText;
use checkout_core::wire::withdraw_fees::{WithdrawFee, WithdrawFees};
use checkout_core::{Currency, Decimal, pair};
use checkout_domain::chain::opt_ins::OptIns;
use checkout_domain::ledger::limits;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::ports::NoRate;
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;

use crate::service::App;

/// The code for all coins.
const ALL: &str = "ALL";

/// Parses the coins of a path: one code, several separated by commas, or `ALL` of the interface. `None` for unknown coins.
pub fn coins(text: &str, opt_ins: &OptIns) -> Option<Vec<Currency>> {
    if text == ALL {
        return Some(CURRENCIES.iter().map(|row| row.currency).collect());
    }
    let mut coins: Vec<Currency> = Vec::new();
    for code in text.split(',') {
        let coin = opt_ins.currency(code)?;
        if !coins.contains(&coin) {
            coins.push(coin);
        }
    }
    Some(coins)
}

/// One row per coin, valid on each of its networks. Fees in the display currency are rounded up.
pub fn list(app: &App, coins: &[Currency], fiat: Fiat) -> Result<WithdrawFees, NoRate> {
    let fees = coins.iter().map(|coin| row(app, *coin, fiat)).collect::<Result<_, _>>()?;
    Ok(WithdrawFees { display_currency: fiat.code().into(), fees })
}

fn row(app: &App, currency: Currency, fiat: Fiat) -> Result<WithdrawFee, NoRate> {
    let limits = limits::of_currency(currency);
    let rate = app.rates.rate(Asset::Crypto(currency), Asset::Fiat(fiat))?;
    let display = |money: Money| {
        let shown = money.convert(Asset::Fiat(fiat), rate, Decimal::ONE, Round::Up);
        shown.map(|money| AmountText::from(money.to_string())).ok_or(NoRate)
    };
    let mut networks = pair::usual(currency).filter(|pair| pair.withdrawal);
    Ok(WithdrawFee {
        withdraw_currency: currency.into(),
        withdraw_fee: limits.fee.to_string().into(),
        display_withdraw_fee: display(limits.fee)?,
        minimum_withdrawable_amount: limits.minimum.to_string().into(),
        display_minimum_withdrawable_amount: display(limits.minimum)?,
        withdraw_available: networks.any(|pair| app.broadcasters.contains_key(&pair.network)),
        withdraw_precision: limits.precision,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coins_of_a_path_are_parsed() {
        use Currency::{Btc, Eth};
        let check = |text: &str, expected: Option<&[Currency]>| {
            assert_eq!(coins(text, &OptIns::default()).as_deref(), expected, "{text:?}");
        };
        check("BTC", Some(&[Btc]));
        check("ETH,BTC,ETH", Some(&[Eth, Btc]));
        for text in ["", "btc", "BTC,", "NOPE", "BTC,NOPE", "BTC, ETH", "all", "EUR"] {
            check(text, None);
        }
        assert_eq!(coins("ALL", &OptIns::default()).unwrap().len(), 9);
    }
}
