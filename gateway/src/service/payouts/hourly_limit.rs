//! What leaves of one business in an hour, for which the operator may have a limit.

use checkout_core::Decimal;
use checkout_domain::chain::payout::Payout;
use checkout_domain::ledger::money::{Money, Round};
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;

use crate::service::App;

const HOUR: u64 = 3_600;

/// The value in EUR, rounded up; `None` without a rate.
pub(super) fn value(app: &App, money: Money) -> Option<Decimal> {
    let eur = Asset::Fiat(Fiat::EUR);
    let rate = app.rates.rate(money.asset, eur).ok()?;
    let value = money.convert(eur, rate, Decimal::ONE, Round::Up);
    Some(value.map_or(Decimal::MAX, Money::to_decimal))
}

fn worth(app: &App, payout: &Payout) -> Option<Decimal> {
    Money::of_amount(payout.amount, payout.pair).and_then(|money| value(app, money))
}

fn is_within(limit: Decimal, left: Decimal, worth: Option<Decimal>) -> bool {
    worth.is_some_and(|worth| left.saturating_add(worth) <= limit)
}

/// Whether a payout can be signed now. Others can be signed meanwhile: see `note_signed`.
pub(super) async fn allows(app: &App, payout: &Payout) -> Stored<bool> {
    let Some(limit) = app.policy.hourly_limit else { return Ok(true) };
    let left = app.store.left_since(payout.business, app.clock.now().saturating_sub(HOUR)).await?;
    Ok(is_within(limit, left, worth(app, payout)))
}

/// It was sent, now or by another transaction: from now on it counts for an hour.
pub(super) async fn note_sent(app: &App, tx: &mut dyn Tx, payout: &Payout) -> Stored<()> {
    tx.put_left(payout.id, app.clock.now(), worth(app, payout)).await
}

/// The same in the transaction that stores its bytes. The business is locked: payouts that are signed at once stay within the
/// limit together.
pub(super) async fn note_signed(app: &App, tx: &mut dyn Tx, payout: &Payout) -> Stored<bool> {
    note_sent(app, tx, payout).await?;
    let Some(limit) = app.policy.hourly_limit else { return Ok(true) };
    let since = app.clock.now().saturating_sub(HOUR);
    let left = tx.left_since(payout.business, since, payout.id).await?;
    Ok(is_within(limit, left, worth(app, payout)))
}
