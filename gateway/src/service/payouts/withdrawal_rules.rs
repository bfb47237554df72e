//! Decisions about withdrawals above a limit of the business.

use checkout_domain::access::actor::Actor;
use checkout_domain::ports::{Store, Stored, Tx};
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::approved::Approved;
use uuid::Uuid;

use crate::service::callbacks::announce_events::{self, EventStamp};
use crate::service::payouts::seen::Seen;

/// A decision about a withdrawal that waits for one.
#[derive(Clone, Copy, Debug)]
pub enum Decision<'a> {
    /// Of what was seen, by somebody else than who asked for it.
    Approve(&'a Seen, &'a Actor),
    Reject,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    Done,
    NotWaiting,
    /// Its address, tag or amount are not what was seen.
    Changed,
    /// Who approves it asked for it.
    SameInitiator,
}

/// Whether this actor asked for it, if only with a token that they made.
pub(crate) async fn is_asked_by(tx: &mut dyn Tx, withdrawal: &Withdrawal, by: &Actor) -> Stored<bool> {
    let maker = match &withdrawal.initiator {
        Some(initiator) => tx.maker(initiator).await?,
        None => None,
    };
    Ok(withdrawal.is_of(by, maker.as_ref()))
}

/// Stores an operator's decision about a withdrawal. A running gateway applies it. `id` becomes that of an event.
pub async fn decide(
    store: &dyn Store,
    (id, now): (Uuid, u64),
    withdrawal: Uuid,
    decision: Decision<'_>,
) -> Stored<Decided> {
    let mut tx = store.begin().await?;
    let refunded = match tx.payment_of_refund(withdrawal).await? {
        Some(payment) => tx.payment(payment).await?,
        None => None,
    };
    let done = match decision {
        Decision::Reject => tx.reject(withdrawal).await?,
        Decision::Approve(seen, by) => {
            tx.payout(withdrawal).await?;
            let found = tx.withdrawal(withdrawal).await?;
            let Some(found) = found.filter(Withdrawal::waits) else { return Ok(Decided::NotWaiting) };
            if is_asked_by(tx.as_mut(), &found, by).await? {
                return Ok(Decided::SameInitiator);
            }
            let stands = Approved::of(&found);
            if !seen.is(found.pair, &stands) {
                return Ok(Decided::Changed);
            }
            tx.approve(withdrawal, &stands, now).await?
        }
    };
    if done {
        if let Some(before) = refunded {
            let source = EventStamp { new_id: &|| id, now };
            announce_events::since_from(store, &source, tx.as_mut(), &before).await?;
        }
        tx.commit().await?;
    }
    Ok(if done { Decided::Done } else { Decided::NotWaiting })
}

/// Cancels a withdrawal until its bytes are signed; false if it does not wait for that. A running gateway returns its money.
pub async fn cancel(store: &dyn Store, withdrawal: Uuid) -> Stored<bool> {
    let mut tx = store.begin().await?;
    let done = tx.cancel_withdrawal(withdrawal).await?;
    if done {
        tx.commit().await?;
    }
    Ok(done)
}
