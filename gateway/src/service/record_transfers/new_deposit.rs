//! A transfer as a deposit of its payment.

use checkout_core::{Decimal, pair};
use checkout_domain::business::Business;
use checkout_domain::chain::{OutputState, Transfer};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::payment::hold::hold_of;

use super::SenderScreening;
use crate::service::App;
use crate::service::deposit_value::{self, DepositValue};

/// `None` for a coin that its network does not have, and before any quote: neither happens.
pub(super) fn new(
    app: &App,
    business: &Business,
    record: &PaymentWithDeposits,
    transfer: &Transfer,
    sums: &DepositSums,
    seq: u32,
    (screening, sender): SenderScreening,
) -> Option<Deposit> {
    let payment = &record.payment;
    payment.quote.as_ref()?;
    let pair = pair::find(transfer.currency, transfer.output.network)?;
    let judge = record.quote_for(transfer, pair, sums.of_pair(pair));
    let value = deposit_value::of_new(app, record, judge.map(|(_, quote)| quote), transfer, pair, sums);
    let has_value = value.is_some();
    let DepositValue { rate, uniform_rate, price_rate, rate_type, display_amount, uniform_amount } =
        value.unwrap_or_default();
    let hold = hold_of(business, record, transfer, pair);
    let screening = screening.with_hold(hold.is_some()).with_value(has_value);
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
        other_senders: transfer.other_senders.clone(),
        from_tag: transfer.from_tag.clone(),
        fee: transfer.fee.clone(),
        seen_at: transfer.seen_at,
        state: transfer.state,
        confirmations: 0,
        instant: can_be_instant && has_value && is_within_limit(app, business, record, uniform_amount),
        rate,
        uniform_rate,
        price_rate,
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

/// A payment's unconfirmed instant deposits stay within the limit of the business. Without a limit there are
/// none, except in the sandbox, where all are.
fn is_within_limit(app: &App, business: &Business, record: &PaymentWithDeposits, amount: Decimal) -> bool {
    let Some(limit) = business.instant_deposit_limit else { return app.policy.sandbox };
    let is_waiting = |deposit: &&Deposit| deposit.instant && deposit.state == OutputState::Unconfirmed;
    let value = |deposit: &Deposit| if deposit.has_value() { deposit.uniform_amount } else { Decimal::MAX };
    let waiting = record.deposits.iter().filter(is_waiting).map(value);
    waiting.fold(amount, Decimal::saturating_add) <= limit
}
