//! The value of a deposit. Without a rate it has none yet: it waits, and the first rate afterwards values it.

use checkout_core::wire::RateType;
use checkout_core::{Amount, Currency, Decimal, Pair};
use checkout_domain::chain::Transfer;
use checkout_domain::payment::coverage::{plus, rescale};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::payment::{Payment, PaymentWithDeposits, Quote, quote};
use checkout_domain::rates::fiat::Fiat;

use crate::service::App;
use crate::service::missing_rate::MissingRate;

/// As the fields of a [`Deposit`]. The default is no value.
pub(super) struct DepositValue {
    pub rate: Decimal,
    pub uniform_rate: Decimal,
    pub price_rate: Option<Decimal>,
    pub rate_type: RateType,
    pub display_amount: Decimal,
    pub uniform_amount: Decimal,
}

impl Default for DepositValue {
    fn default() -> Self {
        Self {
            rate: Decimal::ZERO,
            uniform_rate: Decimal::ZERO,
            price_rate: None,
            rate_type: RateType::Floating,
            display_amount: Decimal::ZERO,
            uniform_amount: Decimal::ZERO,
        }
    }
}

impl DepositValue {
    pub(super) fn put(self, deposit: &mut Deposit) {
        deposit.rate = self.rate;
        deposit.uniform_rate = self.uniform_rate;
        deposit.price_rate = self.price_rate;
        deposit.display_amount = self.display_amount;
        deposit.uniform_amount = self.uniform_amount;
    }
}

/// Of a transfer, at the quote that holds for it or at the current rate. `None` without a rate.
pub(super) fn of_new(
    app: &App,
    record: &PaymentWithDeposits,
    judge: Option<&Quote>,
    transfer: &Transfer,
    pair: &Pair,
    sums: &DepositSums,
) -> Option<DepositValue> {
    let price_rate = price_rate(app, &record.payment, transfer.currency).ok()?;
    let rates = rates(app, &record.payment, judge, transfer.currency)?;
    Some(value(record, sums, (transfer.amount, pair), rates, price_rate))
}

/// Of a deposit that has none, at the current rate. `None` without a rate.
pub(super) fn of_waiting(app: &App, record: &PaymentWithDeposits, deposit: &Deposit) -> Option<DepositValue> {
    let price_rate = price_rate(app, &record.payment, deposit.currency).ok()?;
    let rates = rates(app, &record.payment, None, deposit.currency)?;
    Some(value(record, &DepositSums::of(record), (deposit.amount, deposit.pair()), rates, price_rate))
}

/// Display and EUR value. At the rate of a quote it is the difference that it makes to the sum of the deposits at this rate, so that
/// the values of parts add up to the value of the whole.
fn value(
    record: &PaymentWithDeposits,
    sums: &DepositSums,
    (amount, pair): (Amount, &Pair),
    (rates, rate_type): (quote::Rates, RateType),
    price_rate: Option<Decimal>,
) -> DepositValue {
    let quote::Rates { display: rate, uniform: uniform_rate } = rates;
    let fiat = record.payment.display_currency;
    let (display_amount, uniform_amount) =
        if let Some((place, quote)) = record.quote_at_rate(pair.currency, rate) {
            let sum = sums.at_quote(place);
            let after = plus(sum, rescale(amount, pair.decimals, quote.pair().decimals));
            let (before, after) = (quote.value(sum, fiat), quote.value(after, fiat));
            (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1))
        } else {
            let value = |rate, fiat| quote::value(amount, pair, rate, fiat).unwrap_or(Decimal::MAX);
            (value(rate, fiat), value(uniform_rate, Fiat::EUR))
        };
    DepositValue { rate, uniform_rate, price_rate, rate_type, display_amount, uniform_amount }
}

/// The rate of a price in another cryptocurrency than the deposit's, if it is one.
fn price_rate(app: &App, payment: &Payment, currency: Currency) -> Result<Option<Decimal>, MissingRate> {
    let price = payment.fixed_currency().filter(|price| *price != currency);
    let rate = |price| app.quote_rates(price, payment.display_currency).map(|rates| rates.display);
    price.map(rate).transpose()
}

/// The rate of the quote that values a FIXED payment's deposit, otherwise the current rate. Without one the quote that values it is
/// as good: the transfer came within its window.
fn rates(
    app: &App,
    payment: &Payment,
    judge: Option<&Quote>,
    currency: Currency,
) -> Option<(quote::Rates, RateType)> {
    let quoted =
        judge.map(|Quote { terms, .. }| quote::Rates { display: terms.rate, uniform: terms.uniform_rate });
    if let Some(rates) = quoted
        && payment.rate_type == RateType::Fixed
    {
        return Some((rates, RateType::Fixed));
    }
    let rates = app.quote_rates(currency, payment.display_currency).ok().or(quoted)?;
    Some((rates, RateType::Floating))
}
