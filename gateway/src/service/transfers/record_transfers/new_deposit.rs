//! A transfer as a deposit of its payment.

use checkout_core::{Amount, Decimal, pair};
use checkout_domain::business::Business;
use checkout_domain::chain::{OutputState, Transfer};
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::payment::hold::hold_of;
use checkout_wire::RateType;

use super::SenderScreening;
use crate::service::App;
use crate::service::transfers::required_confirmations;
use crate::service::transfers::valuation::{self, By, market};

/// `elsewhere` is the value of the instant deposits of the business that are in no block and not in the record, `beside` what else of the
/// payment can be lost with it: a price that is paid in parts at once can be lost at once. `None` for a coin that its network does not have, and before any quote: neither happens.
pub(super) fn new(
    app: &App,
    business: &Business,
    (record, elsewhere): (&PaymentWithDeposits, Decimal),
    transfer: &Transfer,
    (sums, beside): (&DepositSums, Amount),
    seq: u32,
    (screening, sender): SenderScreening,
) -> Option<Deposit> {
    let payment = &record.payment;
    payment.quote.as_ref()?;
    let pair = pair::find(transfer.currency, transfer.output.network)?;
    let judge = record.quote_for(transfer, pair, sums.of_pair(pair));
    let value = market(app, &record.quotes, transfer.currency, payment.display_currency).and_then(|market| {
        let coins = (transfer.amount, pair);
        valuation::value(app, record, sums, coins, judge.map(|(_, quote)| quote), (market, By::Feed))
    });
    if value.is_none() {
        let transaction = &transfer.output.transaction;
        tracing::warn!(payment = %payment.id, transaction, currency = %transfer.currency,
            "there is no rate: the deposit is being valued");
    }
    let hold = hold_of(business, record, transfer, pair);
    let screening = screening.with_hold(hold.is_some());
    // What is being valued may be above every limit.
    let can_be_instant = pair.network.spec().instant && !transfer.uncertain && value.is_some();
    let by_network = required_confirmations::by_network(app, pair.network);
    let at_once = transfer.amount.checked_add(beside).unwrap_or(Amount::MAX);
    let by_amount = required_confirmations::by_amount(app, pair, at_once);
    let mut deposit = Deposit {
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
        recorded_at: app.clock.now(),
        state: OutputState::Unconfirmed,
        confirmations: 0,
        required_confirmations: by_amount.max(by_network),
        required_by_amount: by_amount,
        instant: false,
        being_valued: true,
        rate: Decimal::ZERO,
        uniform_rate: Decimal::ZERO,
        price_rate: None,
        rate_type: RateType::Floating,
        quote: judge.map(|(place, _)| place),
        display_amount: Decimal::ZERO,
        uniform_amount: Decimal::ZERO,
        seen_seq: seq,
        confirmed_seq: None,
        screening,
        hold,
        sender,
    };
    if let Some(value) = value {
        value.put(&mut deposit);
    }
    deposit.take_report(transfer.state, by_network);
    deposit.confirmed_seq = deposit.is_confirmed().then_some(seq);
    let waiting = waiting(record).saturating_add(elsewhere);
    deposit.instant = can_be_instant && is_within_limit(app, business, waiting, deposit.uniform_amount);
    Some(deposit)
}

/// All unconfirmed instant deposits of a business together stay within its limit. Without a limit there are
/// none, except in the sandbox, where all are.
fn is_within_limit(app: &App, business: &Business, waiting: Decimal, amount: Decimal) -> bool {
    let Some(limit) = business.instant_deposit_limit else { return app.policy.sandbox };
    waiting.saturating_add(amount) <= limit
}

/// The value in EUR of the record's instant deposits that are not confirmed.
pub(super) fn waiting(record: &PaymentWithDeposits) -> Decimal {
    let is_waiting = |deposit: &&Deposit| deposit.instant && deposit.is_awaited();
    let waiting = record.deposits.iter().filter(is_waiting).map(|deposit| deposit.uniform_amount);
    waiting.fold(Decimal::ZERO, Decimal::saturating_add)
}
