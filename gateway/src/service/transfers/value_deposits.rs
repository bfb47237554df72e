//! Values the deposits for which there was no rate, at the first one, or at one that an operator gives.

use checkout_core::Decimal;
use checkout_domain::ledger::settlement::Prices;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::ports::valuations::BeingValued;
use checkout_domain::ports::{Store, Stored};
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::rates::market::{MarketRate, MarketRates};
use uuid::Uuid;

use crate::service::App;
use crate::service::transfers::valuation::{self, By};
use crate::service::transfers::{deposit_sums, follow_deposit, settle_deposits};

/// Returns how many were valued. An error of one does not delay the others, but is reported.
pub async fn run(app: &App) -> Stored<usize> {
    let (mut after, mut valued, mut damaged) = (None, 0, None);
    loop {
        let page = app.store.being_valued(after).await?;
        let Some(last) = page.last() else { return damaged.map_or(Ok(valued), Err) };
        after = Some(last.deposit);
        for waiting in page {
            match value(app, &waiting).await {
                Ok(has_value) => valued += usize::from(has_value),
                Err(error) => damaged = damaged.or(Some(error)),
            }
        }
    }
}

/// Returns false without a rate, and if another process was first.
async fn value(app: &App, waiting: &BeingValued) -> Stored<bool> {
    let rates = waiting.given.or_else(|| app.market_rates(waiting.currency, waiting.fiat).ok());
    let Some(market) = rates else { return Ok(false) };
    let mut tx = app.store.begin().await?;
    let Some(mut record) = tx.payment(waiting.payment).await? else { return Ok(false) };
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(false) };
    let Some(at) = record.deposits.iter().position(|deposit| deposit.id == waiting.deposit) else {
        return Ok(false);
    };
    let deposit = &record.deposits[at];
    let coins = (deposit.amount, deposit.pair());
    let by = if waiting.given.is_some() { By::Operator } else { By::Feed };
    let (sums, judge) = (DepositSums::of(&record), record.quote_of(deposit));
    let value = valuation::value(app, &record, &sums, coins, judge, (market, by));
    let Some(value) = value.filter(|_| deposit.being_valued) else { return Ok(false) };
    let mut changed = follow_deposit::Changed::default();
    changed.note(at, deposit);
    let deposit = &mut record.deposits[at];
    value.put(deposit);
    tx.value_deposit(deposit).await?;
    let mut booked = tx.booked(waiting.payment).await?;
    if let Some(booked) = booked.get_mut(&waiting.deposit) {
        let crypto =
            settle_deposits::crypto_price(app, booked.terms.crypto, waiting.currency, market.uniform);
        booked.prices = Prices { deposit: market.uniform, crypto };
        // What is not booked yet is booked at these prices later.
        tx.put_booked(&[(waiting.deposit, *booked)]).await?;
    }
    follow_deposit::follow(app, tx.as_mut(), &business, &mut record, None, &mut booked, &changed).await?;
    deposit_sums::keep(tx.as_mut(), &record).await?;
    tx.commit().await?;
    let (deposit, rate) = (waiting.deposit, market.uniform.eur());
    tracing::info!(payment = %waiting.payment, %deposit, %rate, by_operator = waiting.given.is_some(), "valued");
    Ok(true)
}

/// The result of giving a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Stored; a running gateway values the deposit.
    Kept,
    NoDeposit,
    /// It has a value.
    Valued,
    /// The payment is in another display currency: its rate is missing.
    NoDisplayRate,
}

/// Stores the rates that an operator gives for a deposit that is being valued: EUR per coin, and that of the display currency.
pub async fn give(
    store: &dyn Store,
    now: u64,
    deposit: Uuid,
    (uniform, display): (Decimal, Option<Decimal>),
) -> Stored<Given> {
    let Some(payment) = store.payment_of_deposit(deposit).await? else { return Ok(Given::NoDeposit) };
    let mut tx = store.begin().await?;
    let Some(record) = tx.payment(payment).await? else { return Ok(Given::NoDeposit) };
    let found = record.deposits.iter().find(|known| known.id == deposit);
    let Some(found) = found else { return Ok(Given::NoDeposit) };
    if !found.being_valued {
        return Ok(Given::Valued);
    }
    let is_eur = record.payment.display_currency == Fiat::EUR;
    let Some(display) = display.or(Some(uniform).filter(|_| is_eur)) else { return Ok(Given::NoDisplayRate) };
    let given = MarketRates { display, uniform: MarketRate::new(uniform) };
    tx.give_rates(deposit, given, now).await?;
    tx.commit().await?;
    Ok(Given::Kept)
}
