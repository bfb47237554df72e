//! A transfer as a deposit of its payment.

use checkout_core::{Decimal, Pair, pair};
use checkout_domain::business::Business;
use checkout_domain::chain::{OutputState, Transfer};
use checkout_domain::payment::coverage::{plus, rescale};
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::payment::hold::hold_of;
use checkout_domain::payment::{Payment, PaymentWithDeposits, Quote, quote};
use checkout_domain::rates::fiat::Fiat;
use checkout_wire::RateType;

use super::SenderScreening;
use crate::service::App;

/// `elsewhere` is the value of the instant deposits of the business that are in no block and not in the record. `None` for a coin that its network does not have, and before any quote: neither happens.
pub(super) fn new(
    app: &App,
    business: &Business,
    (record, elsewhere): (&PaymentWithDeposits, Decimal),
    transfer: &Transfer,
    sums: &DepositSums,
    seq: u32,
    (screening, sender): SenderScreening,
) -> Option<Deposit> {
    let payment = &record.payment;
    let quote = payment.quote.as_ref()?;
    let pair = pair::find(transfer.currency, transfer.output.network)?;
    let judge = record.quote_for(transfer, pair, sums.of_pair(pair));
    let (rate, uniform_rate, rate_type) = rates(app, payment, judge.map(|(_, quote)| quote), quote, transfer);
    let (display_amount, uniform_amount) = value(record, sums, transfer, pair, (rate, uniform_rate));
    let hold = hold_of(business, record, transfer, pair);
    let screening = screening.with_hold(hold.is_some());
    let is_confirmed = transfer.state == OutputState::Confirmed && screening.is_cleared();
    // Without a rate its value is unknown, and may be above every limit.
    let can_be_instant = pair.network.spec().instant && !transfer.uncertain && !uniform_rate.is_zero();
    Some(Deposit {
        id: app.new_id(),
        output: transfer.output.clone(),
        currency: transfer.currency,
        amount: transfer.amount,
        to: transfer.to.clone(),
        tag: transfer.tag.clone(),
        from: transfer.from.clone(),
        other_senders: transfer.other_senders.clone(),
        from_tag: transfer.from_tag.clone(),
        fee: transfer.fee.clone(),
        seen_at: transfer.seen_at,
        state: transfer.state,
        confirmations: 0,
        instant: can_be_instant
            && is_within_limit(app, business, waiting(record).saturating_add(elsewhere), uniform_amount),
        rate,
        uniform_rate,
        price_rate: price_rate(app, payment, transfer),
        rate_type,
        quote: judge.map(|(place, _)| place),
        display_amount,
        uniform_amount,
        seen_seq: seq,
        confirmed_seq: is_confirmed.then_some(seq),
        screening,
        hold,
        sender,
        refund: None,
        claim: None,
    })
}

/// Display and EUR value of a transfer. At the rate of a quote it is the difference that it makes to the sum of the
/// deposits at this rate, so that the values of parts add up to the value of the whole.
fn value(
    record: &PaymentWithDeposits,
    sums: &DepositSums,
    transfer: &Transfer,
    pair: &Pair,
    (rate, uniform_rate): (Decimal, Decimal),
) -> (Decimal, Decimal) {
    let fiat = record.payment.display_currency;
    let Some((place, quote)) = record.quote_at_rate(transfer.currency, rate) else {
        let value = |rate, fiat| quote::value(transfer.amount, pair, rate, fiat).unwrap_or(Decimal::MAX);
        return (value(rate, fiat), value(uniform_rate, Fiat::EUR));
    };
    let sum = sums.at_quote(place);
    let after = plus(sum, rescale(transfer.amount, pair.decimals, quote.pair().decimals));
    let (before, after) = (quote.value(sum, fiat), quote.value(after, fiat));
    (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1))
}

/// The rate of a price in another cryptocurrency than the transfer's.
fn price_rate(app: &App, payment: &Payment, transfer: &Transfer) -> Option<Decimal> {
    let currency = payment.fixed_currency().filter(|currency| *currency != transfer.currency)?;
    app.quote_rates(currency, payment.display_currency).ok().map(|rates| rates.display)
}

/// All unconfirmed instant deposits of a business together stay within its limit. Without a limit there are
/// none, except in the sandbox, where all are.
fn is_within_limit(app: &App, business: &Business, waiting: Decimal, amount: Decimal) -> bool {
    let Some(limit) = business.instant_deposit_limit else { return app.policy.sandbox };
    waiting.saturating_add(amount) <= limit
}

/// The value in EUR of the record's instant deposits that are not confirmed.
pub(super) fn waiting(record: &PaymentWithDeposits) -> Decimal {
    let is_waiting = |deposit: &&Deposit| deposit.instant && deposit.state == OutputState::Unconfirmed;
    let waiting = record.deposits.iter().filter(is_waiting).map(|deposit| deposit.uniform_amount);
    waiting.fold(Decimal::ZERO, Decimal::saturating_add)
}

/// The rate of the quote that values a FIXED payment's deposit, otherwise the current rate.
fn rates(
    app: &App,
    payment: &Payment,
    judge: Option<&Quote>,
    last: &Quote,
    transfer: &Transfer,
) -> (Decimal, Decimal, RateType) {
    if let Some(Quote { terms, .. }) = judge
        && payment.rate_type == RateType::Fixed
    {
        return (terms.rate, terms.uniform_rate, RateType::Fixed);
    }
    match app.quote_rates(transfer.currency, payment.display_currency) {
        Ok(rates) => (rates.display, rates.uniform, RateType::Floating),
        // Without a current rate, the deposit is valued at the last rate known for this payment.
        Err(_) => match judge.or(Some(last).filter(|last| last.currency == transfer.currency)) {
            Some(Quote { terms, .. }) => (terms.rate, terms.uniform_rate, RateType::Floating),
            None => (Decimal::ZERO, Decimal::ZERO, RateType::Floating),
        },
    }
}
