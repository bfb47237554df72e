//! Broadcasts what is stored of a signed payout.

use std::error::Error;

use checkout_domain::chain::payout::state::Versions;
use checkout_domain::chain::payout::step::{Doubts, Offered, offered};
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::fail_point;
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::{Broadcaster, Unproven, Unsent};

use super::books::book_sent;
use super::changed::Changed;
use super::compare::restored_lately;
use super::ended::refuse;
use super::replace::replace;
use crate::service::App;
use crate::service::payouts::hourly_limit;

/// Seconds after which an operator is asked about a transaction of which the network cannot tell whether it was sent.
const OVERDUE: u64 = 3_600;

/// Offers the newest transaction that the network takes, and does what follows from its answers.
pub(super) async fn send_signed(
    app: &App,
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    versions: &Versions,
) -> Stored<bool> {
    let mut answers = Vec::with_capacity(1 + versions.later.len());
    for signed in versions.all().rev() {
        let answer = broadcast(broadcaster, signed).await;
        let is_last = matches!(answer, Ok(()) | Err(Unsent::Expired(_)));
        answers.push((signed, answer));
        if is_last {
            break;
        }
    }
    let doubts = doubts(app, payout, versions, &answers).await?;
    match offered(payout, versions, &answers, doubts) {
        Offered::Sent(signed) => note_sent(app, payout, signed).await,
        Offered::Held(why) => hold(app, payout, &why).await,
        Offered::Expired(why) => sign_again(app, payout, why).await,
        Offered::Waits => replace(app, broadcaster, payout, versions).await,
        Offered::Refused(why) => {
            let failed = refuse(app, payout.clone(), why).await?;
            for signed in versions.all().filter(|_| failed) {
                release(broadcaster, payout, signed, None).await;
            }
            Ok(failed)
        }
        Offered::Rests => Ok(false),
    }
}

async fn doubts(
    app: &App,
    payout: &Payout,
    versions: &Versions,
    answers: &[(&Signed, Result<(), Unsent>)],
) -> Stored<Doubts> {
    if let Some((_, Ok(()))) = answers.last() {
        return Ok(Doubts::default());
    }
    let error = answers.iter().find_map(|(_, answer)| match answer {
        Err(Unsent::Unavailable(error)) => Some(error),
        Ok(()) | Err(Unsent::Refused(_) | Unsent::Expired(_)) => None,
    });
    if let Some(error) = error {
        tracing::warn!(payout = %payout.id, %error, "not sent yet");
    }
    let is_unproven_for_long =
        error.is_some_and(|error| is_unproven_for_long(app, payout, versions.newest(), error.as_ref()));
    Ok(Doubts { restored_at: restored_lately(app).await?, is_unproven_for_long })
}

/// Whether the network has not been able to tell for an hour if a transaction was sent.
pub(super) fn is_unproven_for_long(
    app: &App,
    payout: &Payout,
    newest: &Signed,
    error: &(dyn Error + Send + Sync + 'static),
) -> bool {
    let now = app.clock.now();
    error.is::<Unproven>()
        && now >= app.state.payouts.unproven_since(payout, newest, now).saturating_add(OVERDUE)
}

async fn note_sent(app: &App, payout: &Payout, by: &Signed) -> Stored<bool> {
    let Some(mut changed) = Changed::of(app, payout.clone().sent(by)).await? else { return Ok(false) };
    book_sent(app, &mut changed).await?;
    hourly_limit::note_sent(app, changed.tx.as_mut(), payout).await?;
    changed.commit().await?;
    tracing::info!(payout = %payout.id, transaction = by.transaction_id, "sent");
    Ok(true)
}

pub(super) async fn broadcast(broadcaster: &dyn Broadcaster, signed: &Signed) -> Result<(), Unsent> {
    fail_point::reach("broadcast.before");
    let sent = broadcaster.broadcast(signed).await;
    fail_point::reach("broadcast.after");
    sent
}

/// A reserved number is not lost, so an error is only logged.
pub(super) async fn release(
    broadcaster: &dyn Broadcaster,
    payout: &Payout,
    unused: &Signed,
    kept: Option<&Signed>,
) {
    if let Err(error) = broadcaster.release(unused, kept).await {
        let transaction = &unused.transaction_id;
        tracing::warn!(payout = %payout.id, transaction, ?error, "its coins stay reserved");
    }
}

/// A transaction that can never be included leaves the payout as if it had not been signed.
async fn sign_again(app: &App, payout: &Payout, reason: &str) -> Stored<bool> {
    let Some(changed) = Changed::of(app, payout.clone().unsigned()).await? else { return Ok(false) };
    changed.commit().await?;
    tracing::warn!(payout = %payout.id, reason, "it is signed again");
    Ok(true)
}

/// An operator decides whether it is signed again.
async fn hold(app: &App, payout: &Payout, reason: &str) -> Stored<bool> {
    let Some(changed) = Changed::of(app, payout.clone().doubted(reason)).await? else { return Ok(false) };
    changed.commit().await?;
    tracing::error!(payout = %payout.id, reason, "held: see `checkout payouts held`");
    Ok(true)
}
