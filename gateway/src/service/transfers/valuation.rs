//! What coins are worth when they arrive.

use checkout_core::{Amount, Currency, Decimal, Pair};
use checkout_domain::payment::coverage::{plus, rescale};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::payment::quote;
use checkout_domain::payment::{Payment, PaymentWithDeposits, Quote};
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::rates::market::{MarketRate, MarketRates, ShownRates};
use checkout_wire::RateType;

use crate::service::App;
use crate::service::transfers::missing_rate::MissingRate;

/// The rates of a deposit, and its values at them.
pub(crate) struct Valuation {
    rates: ShownRates,
    price_rate: Option<Decimal>,
    rate_type: RateType,
    display_amount: Decimal,
    uniform_amount: Decimal,
}

impl Valuation {
    pub(crate) fn put(&self, deposit: &mut Deposit) {
        deposit.being_valued = false;
        (deposit.rate, deposit.uniform_rate) = (self.rates.display, self.rates.uniform);
        (deposit.price_rate, deposit.rate_type) = (self.price_rate, self.rate_type);
        (deposit.display_amount, deposit.uniform_amount) = (self.display_amount, self.uniform_amount);
    }
}

/// The rates of the market now. Without a fresh rate, those of a quote of the last half hour.
pub(crate) fn market(app: &App, quotes: &[Quote], currency: Currency, fiat: Fiat) -> Option<MarketRates> {
    let now = app.clock.now();
    let is_recent =
        |quote: &&Quote| (quote.currency, quote.fiat) == (currency, fiat) && now < quote.market_end();
    let of_quote = |quote: &Quote| {
        let ShownRates { display, uniform } = quote.terms.shown;
        MarketRates { display, uniform: MarketRate::new(uniform) }
    };
    let fresh = app.market_rates(currency, fiat).ok();
    fresh.or_else(|| quotes.iter().rev().find(is_recent).map(of_quote))
}

/// Who says what the market pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Feed,
    Operator,
}

/// The value of coins at the rates of the market. A FIXED quote that judges them values them, as it was shown. `None` if the price is in
/// another coin, and the feed has no rate for that.
pub(crate) fn value(
    app: &App,
    record: &PaymentWithDeposits,
    sums: &DepositSums,
    (amount, pair): (Amount, &Pair),
    judge: Option<&Quote>,
    (market, by): (MarketRates, By),
) -> Option<Valuation> {
    let payment = &record.payment;
    let fixed = judge.filter(|_| payment.rate_type == RateType::Fixed).map(|quote| &quote.terms);
    let (rates, rate_type) = match fixed {
        Some(terms) => (terms.shown, RateType::Fixed),
        None => (market.shown(), RateType::Floating),
    };
    let (display_amount, uniform_amount) = amounts(record, sums, (amount, pair), rates);
    let price_rate = match (price_rate(app, payment, pair.currency), by) {
        (Ok(rate), _) => rate,
        // The quote has one.
        (Err(_), By::Operator) => None,
        (Err(_), By::Feed) => return None,
    };
    Some(Valuation { rates, price_rate, rate_type, display_amount, uniform_amount })
}

/// Display and EUR value. At the rate of a quote it is the difference that it makes to the sum of the deposits at this rate, so that the
/// values of parts add up to the value of the whole.
fn amounts(
    record: &PaymentWithDeposits,
    sums: &DepositSums,
    (amount, pair): (Amount, &Pair),
    rates: ShownRates,
) -> (Decimal, Decimal) {
    let fiat = record.payment.display_currency;
    let Some((place, quote)) = record.quote_at_rate(pair.currency, rates.display) else {
        let value = |rate, fiat| quote::value(amount, pair, rate, fiat).unwrap_or(Decimal::MAX);
        return (value(rates.display, fiat), value(rates.uniform, Fiat::EUR));
    };
    let sum = sums.at_quote(place);
    let after = plus(sum, rescale(amount, pair.decimals, quote.pair().decimals));
    let (before, after) = (quote.value(sum, fiat), quote.value(after, fiat));
    (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1))
}

/// The rate of a price in another cryptocurrency, if it is in one.
fn price_rate(app: &App, payment: &Payment, currency: Currency) -> Result<Option<Decimal>, MissingRate> {
    let fixed = payment.fixed_currency().filter(|fixed| *fixed != currency);
    fixed.map(|fixed| Ok(app.market_rates(fixed, payment.display_currency)?.display)).transpose()
}
