//! Sends payouts (refunds and withdrawals), one step at a time.
//!
//! Every step is stored before the next one, and only stored bytes are broadcast. If a process dies between
//! two steps, the next one repeats the step; the network accepts the same bytes once.

mod books;
mod changed;
mod compare;
mod cover;
mod ended;
mod foreign;
mod is_final;
mod leaving;
mod prepare_refund;
mod remembered;
mod replace;
mod reverted;
mod screened;
mod send_signed;
mod time_limit;
mod track_confirmation;

use std::collections::BTreeSet;

use checkout_core::chain::CHAINS;
use checkout_core::{Amount, Network};
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::chain::payout::{Payout, Purpose, Signed};
use checkout_domain::ports::Stored;
use checkout_domain::ports::broadcaster::{Broadcaster, Unsent};
use checkout_domain::withdrawal::may_leave::Why;
use checkout_domain::withdrawal::rules::Approval;

use self::changed::Changed;
use self::compare::{Compared, compare, held};
use self::ended::{approve_again, end_own, refuse, reject};
use self::is_final::{is_backed, is_final};
use self::leaving::{covered, leaving, may_be_signed, note, note_fee};
use self::prepare_refund::{Prepared, prepare, screen_recipient};
use self::send_signed::{broadcast, release, send_signed};
use self::time_limit::TimeLimited;
use self::track_confirmation::track_confirmation;
use crate::service::App;
use crate::service::payouts::network_fee;
use crate::service::payouts::own_address::is_own_recipient;
use crate::unwind::{Panicked, caught};

pub use self::ended::cancel;
pub use self::foreign::ForeignQuestions;
pub use self::remembered::Remembered;
pub use self::screened::screen;
pub use self::time_limit::TIME_LIMIT;

/// Advances all open payouts as far as possible. Returns how many changed.
pub async fn run(app: &App) -> Stored<usize> {
    screen(app).await?;
    end_cancelled(app).await?;
    send(app).await
}

/// What was cancelled on a network that nothing is sent on has left for nowhere: its money is back on the balance.
pub async fn end_cancelled(app: &App) -> Stored<()> {
    let is_silent = |network: &Network| !app.broadcasters.contains_key(network);
    let mut damaged = None;
    for network in CHAINS.iter().map(|row| row.network).filter(is_silent) {
        let mut after = None;
        loop {
            let page = app.store.open_payouts(Some(network), after).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.id);
            for payout in page.into_iter().filter(Payout::is_waiting) {
                if let Err(error) = end_or_note(app, payout).await {
                    damaged = damaged.or(Some(error));
                }
            }
        }
    }
    damaged.map_or(Ok(()), Err)
}

async fn end_or_note(app: &App, payout: Payout) -> Stored<()> {
    let why = if payout.hold.is_free() { Why::NoNetwork } else { Why::Held };
    if why == Why::NoNetwork && app.store.approval(payout.id).await? == Some(Approval::Rejected) {
        return reject(app, payout).await.map(drop);
    }
    note(app, &payout, why).await
}

/// The same without screening requests: withdrawals that are not screened yet do not change.
pub async fn send(app: &App) -> Stored<usize> {
    let (mut moved, mut panic) = (0, None);
    for network in app.broadcasters.keys().copied() {
        match caught(Box::pin(send_on(app, network))).await {
            Ok(sent) => moved += sent?,
            Err(Panicked(text)) => panic = Some(text),
        }
    }
    report(panic).map(|()| moved)
}

/// The payouts of one network. Each network has its own task, so that one that does not answer delays no other.
pub async fn send_on(app: &App, network: Network) -> Stored<usize> {
    let Some(broadcaster) = app.broadcasters.get(&network) else { return Ok(0) };
    let broadcaster = TimeLimited(broadcaster.as_ref());
    let (mut after, mut moved, mut panic, mut damaged) = (None, 0, None, None);
    let (mut open, waiting) = (BTreeSet::new(), app.state.payouts.waiting(network));
    loop {
        let page = app.store.open_payouts(Some(network), after).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        open.extend(page.iter().map(|payout| payout.id));
        for payout in page {
            let (known, now) = (&app.state.payouts, app.clock.now());
            // Nothing is asked of the network before.
            if payout.is_waiting()
                && payout.purpose.is_charged()
                && payout.hold.is_free()
                && !app.store.is_screened(payout.id, now).await?
                && let Err(why) = may_be_signed(app, &payout, Some(false), false).await?
                && why != Why::Rejected
            {
                known.waits(&payout, why);
                if let Err(error) = note(app, &payout, why).await {
                    damaged = damaged.or(Some(error));
                }
                continue;
            }
            if !known.is_due(&payout, now, app.policy.polling.pace(network), waiting) {
                continue;
            }
            let step = async {
                let stepped = step(app, &broadcaster, payout.clone()).await?;
                if let Err(why) = stepped {
                    note(app, &payout, why).await?;
                }
                Ok(stepped)
            };
            match caught(Box::pin(step)).await {
                Ok(Err(error)) => damaged = damaged.or(Some(error)),
                Ok(Ok(stepped)) => {
                    known.stepped(&payout, now, stepped);
                    moved += usize::from(stepped == Ok(true));
                }
                Err(Panicked(text)) => panic = Some(format!("payout {}: {text}", payout.id)),
            }
        }
    }
    app.state.payouts.keep(network, |payout| open.contains(&payout));
    report(panic)?;
    damaged.map_or(Ok(moved), Err)
}

/// An error of one payout does not delay the others, but is reported.
fn report(panic: Option<String>) -> Stored<()> {
    match panic {
        None => Ok(()),
        Some(panic) => std::panic::resume_unwind(Box::new(panic)),
    }
}

/// Whether a step changed a payout; otherwise why it waits, if it does.
type Stepped = Result<bool, Why>;

async fn step(app: &App, broadcaster: &dyn Broadcaster, payout: Payout) -> Stored<Stepped> {
    let moved = match &payout.state {
        PayoutState::Waiting => return sign(app, broadcaster, payout).await,
        PayoutState::Unaddressed => matches!(held(app, payout).await?, Compared::Adopted),
        PayoutState::Signed(versions) => send_signed(app, broadcaster, &payout, versions).await?,
        PayoutState::Sent { versions, shown } | PayoutState::Confirmed { versions, by: shown, .. } => {
            track_confirmation(app, broadcaster, &payout, (versions, shown)).await?
        }
        PayoutState::Final { .. } | PayoutState::Cancelled | PayoutState::Failed | PayoutState::Reverted => {
            false
        }
    };
    Ok(Ok(moved))
}

/// Signs it, if it may leave, and sends it.
async fn sign(app: &App, broadcaster: &dyn Broadcaster, mut payout: Payout) -> Stored<Stepped> {
    if payout.purpose.is_charged() {
        // Before anything else: until then its money stays reserved.
        if !payout.hold.is_free() {
            payout = match compare(app, broadcaster, payout).await? {
                Compared::Unsent(payout) => *payout,
                Compared::Held => return Ok(Err(Why::Held)),
                Compared::Adopted => return Ok(Ok(true)),
            };
        }
        match may_be_signed(app, &payout, Some(false), true).await? {
            Err(Why::Rejected) => return reject(app, payout).await.map(Ok),
            Err(why) => return Ok(Err(why)),
            Ok(()) => {}
        }
    }
    let prepared = match payout.purpose {
        Purpose::Withdrawal => Prepared::Ready(Box::new(payout)),
        Purpose::MerchantRefund if is_backed(app, &payout).await? => Prepared::Ready(Box::new(payout)),
        Purpose::MerchantRefund => Prepared::Later(Why::NotFinal),
        Purpose::Refund => match held(app, payout).await? {
            Compared::Unsent(payout) => match may_be_signed(app, &payout, Some(false), false).await? {
                Ok(()) => prepared(app, broadcaster, *payout).await?,
                Err(why) => Prepared::Later(why),
            },
            Compared::Held => Prepared::Later(Why::Held),
            Compared::Adopted => Prepared::Ended,
        },
    };
    let payout = match prepared {
        Prepared::Ready(payout) => *payout,
        Prepared::Later(why) => return Ok(Err(why)),
        Prepared::Ended => return Ok(Ok(true)),
    };
    let payout = match compare(app, broadcaster, payout).await? {
        Compared::Unsent(payout) => *payout,
        Compared::Held => return Ok(Err(Why::Held)),
        Compared::Adopted => return Ok(Ok(true)),
    };
    // Since it was asked for, its address may have become ours.
    match may_be_signed(app, &payout, is_own_recipient(app, &payout).await, true).await? {
        Err(why @ Why::OwnAddress) => return end_own(app, payout, why).await.map(Ok),
        Err(why) => return Ok(Err(why)),
        Ok(()) => {}
    }
    if let Err(why) = covered(app, &payout).await? {
        return Ok(Err(why));
    }
    let asked = match network_fee::asked(app, broadcaster, &payout).await {
        Ok(asked) => asked,
        Err(error) => return unsigned(app, payout, error, Why::FeeUnknown).await,
    };
    if !note_fee(app, &payout, asked).await? {
        return Ok(Err(Why::Fee));
    }
    let signed = match broadcaster.sign(&payout).await {
        Ok(signed) => signed,
        Err(error) => return unsigned(app, payout, error, Why::Unsigned).await,
    };
    let stored = store(app, &payout, &signed, asked).await;
    // Without an answer to the commit it may be stored.
    if stored.as_ref().is_err_and(|error| !error.is_unknown()) {
        release(broadcaster, &payout, &signed, None).await;
    }
    match stored? {
        Ok(payout) => match payout.state.versions() {
            Some(versions) => send_signed(app, broadcaster, &payout, versions).await.map(Ok),
            None => Ok(Ok(false)),
        },
        // Another process signed it, or it may not leave any more.
        Err(why) => {
            match why {
                Some(Why::ApprovedOtherwise) => approve_again(app, &payout).await?,
                Some(Why::Fee) => app.state.payouts.look_again(&payout),
                _ => {}
            }
            if let Some(why) = why {
                tracing::info!(payout = %payout.id, why = why.sentence(), "not sent");
            }
            release(broadcaster, &payout, &signed, None).await;
            Ok(why.map_or(Ok(false), Err))
        }
    }
}

/// Stores the signed bytes of a payout that may leave. It locks the payout: what is decided of it is decided before this, or after it
/// was signed.
async fn store(
    app: &App,
    payout: &Payout,
    signed: &Signed,
    asked: Amount,
) -> Stored<Result<Payout, Option<Why>>> {
    let next = payout.clone().signed(signed.clone(), app.clock.now());
    let Some(mut changed) = Changed::of(app, next).await? else { return Ok(Err(None)) };
    Ok(match leaving(app, &mut changed, asked).await? {
        Ok(()) => Ok(changed.commit().await?),
        Err(why) => Err(Some(why)),
    })
}

/// A refund that reaches its payer, is worth its fee, and is of deposits that stay.
async fn prepared(app: &App, broadcaster: &dyn Broadcaster, payout: Payout) -> Stored<Prepared> {
    let payout = match prepare(app, broadcaster, payout).await? {
        Prepared::Ready(payout) => payout,
        other => return Ok(other),
    };
    if !is_final(app, &payout).await? {
        return Ok(Prepared::Later(Why::NotFinal));
    }
    screen_recipient(app, *payout).await
}

/// Retries a payout that cannot be signed now; returns the money of one that can never be sent.
async fn unsigned(app: &App, payout: Payout, error: Unsent, why: Why) -> Stored<Stepped> {
    match error {
        Unsent::Unavailable(error) => {
            tracing::warn!(payout = %payout.id, %error, "not sent yet");
            Ok(Err(why))
        }
        Unsent::Refused(reason) | Unsent::Expired(reason) => refuse(app, payout, &reason).await.map(Ok),
    }
}
