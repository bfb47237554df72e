//! What leaves of one business in an hour, for which the operator may have a limit.

use checkout_core::Decimal;
use checkout_domain::chain::payout::Payout;
use checkout_domain::ledger::money::Money;
use checkout_domain::ports::{Stored, Tx};

use crate::service::App;

const HOUR: u64 = 3_600;

fn worth(app: &App, payout: &Payout) -> Option<Decimal> {
    Money::of_amount(payout.amount, payout.pair).and_then(|money| app.eur(money).ok())
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
    let (now, worth) = (app.clock.now(), worth(app, payout));
    tx.put_left(payout.id, now, worth).await?;
    let Some(limit) = app.policy.hourly_limit else { return Ok(true) };
    let left = tx.left_since(payout.business, now.saturating_sub(HOUR), payout.id).await?;
    Ok(is_within(limit, left, worth))
}
