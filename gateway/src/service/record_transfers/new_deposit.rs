//! A transfer as a deposit of its payment.

use checkout_core::wire::RateType;
use checkout_core::{Decimal, pair};

use super::Verdict;
use crate::domain::business::Business;
use crate::domain::chain::{OutputState, Transfer};
use crate::domain::payment::coverage::rescale;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::hold::Hold;
use crate::domain::payment::quote;
use crate::domain::payment::{Payment, PaymentWithDeposits, Quote};
use crate::domain::rates::fiat::Fiat;
use crate::service::App;

/// `None` for a coin that its network does not have, and before any quote: neither happens.
pub(super) fn new(
    app: &App,
    business: &Business,
    record: &PaymentWithDeposits,
    transfer: &Transfer,
    seq: u32,
    (screening, sender): Verdict,
) -> Option<Deposit> {
    let payment = &record.payment;
    let quote = payment.quote.as_ref()?;
    let pair = pair::find(transfer.currency, transfer.output.network)?;
    let judge = record.quote_for(transfer);
    let (rate, uniform_rate, rate_type) = rates(app, payment, judge.map(|(_, quote)| quote), quote, transfer);
    let at_rate = judge.map(|(_, quote)| quote).filter(|quote| quote.terms.rate == rate);
    let (display_amount, uniform_amount) = if let Some(quote) = at_rate {
        let decimals = (pair.decimals, quote.pair().decimals);
        quote.value(rescale(transfer.amount, decimals.0, decimals.1), payment.display_currency)
    } else {
        let value = |rate, fiat| quote::value(transfer.amount, pair, rate, fiat).unwrap_or(Decimal::MAX);
        (value(rate, payment.display_currency), value(uniform_rate, Fiat::EUR))
    };
    let hold = Hold::of(business, record, transfer, pair);
    let screening = screening.with_hold(hold.is_some());
    let is_confirmed = transfer.state == OutputState::Confirmed && screening.is_cleared();
    let can_be_instant = pair.network.spec().instant && !transfer.uncertain;
    Some(Deposit {
        id: app.new_id(),
        output: transfer.output.clone(),
        currency: transfer.currency,
        amount: transfer.amount,
        to: transfer.to.clone(),
        tag: transfer.tag.clone(),
        from: transfer.from.clone(),
        from_tag: transfer.from_tag.clone(),
        fee: transfer.fee.clone(),
        seen_at: transfer.seen_at,
        state: transfer.state,
        confirmations: 0,
        instant: can_be_instant && is_within_limit(app, business, record, uniform_amount),
        rate,
        uniform_rate,
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
    })
}

/// A payment's unconfirmed instant deposits stay within the limit of the business. Without a limit there are
/// none, except in the sandbox, where all are.
fn is_within_limit(app: &App, business: &Business, record: &PaymentWithDeposits, amount: Decimal) -> bool {
    let Some(limit) = business.instant_deposit_limit else { return app.policy.sandbox };
    let is_waiting = |deposit: &&Deposit| deposit.instant && deposit.state == OutputState::Unconfirmed;
    let waiting = record.deposits.iter().filter(is_waiting).map(|deposit| deposit.uniform_amount);
    waiting.fold(amount, Decimal::saturating_add) <= limit
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
