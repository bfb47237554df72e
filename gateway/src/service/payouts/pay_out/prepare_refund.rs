//! Looks at a refund before it is signed: whether it reaches the payer, and what its network asks for it now.
//!
//! It is looked at as soon as it is planned, so that the payment shows the fee and the obstacle, and again every minute until it
//! is signed.

use checkout_core::Amount;
use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::chain::screening::Screening;
use checkout_domain::ledger::fee::fee;
use checkout_domain::ledger::limits::less_fee;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::refund::Refund;
use checkout_domain::payment::stages::Stages;
use checkout_domain::ports::broadcaster::{Broadcaster, Unsent};
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::withdrawal::SCREENED_FOR;
use checkout_domain::withdrawal::may_leave::Why;

use super::changed::{Changed, refunded};
use super::compare::{Compared, compare};
use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payments::keep_link;
use crate::service::payouts::network_fee;
use crate::service::payouts::own_address::is_own_recipient;
use crate::service::transfers::settle_deposits;

/// Seconds in which a payment has its automatic refunds, and in which a refund waits until its fee is lower.
const DAY: u64 = 86_400;

pub(super) enum Prepared {
    /// It can be signed once its deposits are final, with the amount that it has here.
    Ready(Box<Payout>),
    /// It waits.
    Later(Why),
    /// It is not sent: it waits, or is not worth its fee.
    Ended,
}

/// Looks at a waiting refund; at what its network says, if it is time.
pub(super) async fn prepare(app: &App, broadcaster: &dyn Broadcaster, payout: Payout) -> Stored<Prepared> {
    let Some(payment) = app.store.refunded_payment(payout.id).await? else {
        return Ok(Prepared::Later(Why::Changed));
    };
    let Some(record) = app.store.payment(payment).await? else { return Ok(Prepared::Later(Why::Changed)) };
    let Some((deposit, refund)) = record.refund_by_payout(payout.id) else {
        return Ok(Prepared::Later(Why::Changed));
    };
    if !is_planned(&record, refund) {
        return plan_again(app, &payout).await;
    }
    let now = app.clock.now();
    let last = app.state.payouts.last_look(&payout, now);
    if last == Some(false) {
        return Ok(Prepared::Later(payout.why.unwrap_or(Why::Unanswered)));
    }
    let is_recent = last.is_some();
    match if is_recent { Some(false) } else { is_own_recipient(app, &payout).await } {
        Some(false) => {}
        Some(true) => {
            return hold(app, payout, |refund| refund.needs_address(NoRefundAddress::OwnAddress)).await;
        }
        None => {
            app.state.payouts.looked(&payout, now, false);
            return Ok(Prepared::Later(Why::Unanswered));
        }
    }
    // An operator's decision overrides what the network says of the sender.
    if !is_recent && refund.phase.decision().is_none() {
        match broadcaster.no_refund_address(&payout, &deposit.output).await {
            Ok(None) => {}
            Ok(Some(why)) => return hold(app, payout, |refund| refund.needs_address(why)).await,
            Err(error) => {
                tracing::warn!(payout = %payout.id, ?error, "it is not known whether a refund reaches its payer; it waits");
                app.state.payouts.looked(&payout, now, false);
                return Ok(Prepared::Later(Why::Unanswered));
            }
        }
    }
    if refund.phase.decision().is_none() && has_had_enough(app, &record, &payout) {
        return hold(app, payout, Refund::needs_approval).await;
    }
    if is_recent {
        return Ok(Prepared::Ready(Box::new(payout)));
    }
    let fee = match network_fee::asked(app, broadcaster, &payout).await {
        Ok(asked) => fee(payout.pair, asked),
        Err(Unsent::Refused(reason) | Unsent::Expired(reason)) => {
            tracing::error!(payout = %payout.id, reason, "refused by the network");
            return hold(app, payout, |refund| refund.needs_address(NoRefundAddress::Refused)).await;
        }
        Err(Unsent::Unavailable(error)) => {
            tracing::warn!(payout = %payout.id, %error, "the fee of a refund is not known; it waits");
            app.state.payouts.looked(&payout, now, false);
            return Ok(Prepared::Later(Why::FeeUnknown));
        }
    };
    let prepared = match less_fee(refund.gross, fee, payout.pair) {
        Some(amount) if (amount, fee) == (payout.amount, refund.fee) => Prepared::Ready(Box::new(payout)),
        Some(amount) => charge(app, payout, fee, amount).await?,
        // A claim of the payer waits for a lower fee; so does a refund, for a day.
        None if refund.phase.decision().is_none() && now >= payout.created_at.saturating_add(DAY) => {
            // A refund that is planned again after a restore may have been sent before, too.
            match compare(app, broadcaster, payout).await? {
                Compared::Unsent(payout) => give_up(app, *payout, fee).await?,
                Compared::Held => Prepared::Later(Why::Held),
                Compared::Adopted => Prepared::Ended,
            }
        }
        None => {
            let fee = fee.to_text(payout.pair.decimals);
            tracing::info!(payout = %payout.id, fee, "a refund waits until it is worth more than its fee");
            app.state.payouts.looked(&payout, now, false);
            Prepared::Later(Why::Fee)
        }
    };
    if let Prepared::Ready(payout) = &prepared {
        app.state.payouts.looked(payout, now, true);
    }
    Ok(prepared)
}

/// Screens the recipient of a refund before the refund is signed, unless that is a sender who was screened lately, or whom an operator
/// released.
pub(super) async fn screen_recipient(app: &App, payout: Payout) -> Stored<Prepared> {
    if !payout.claimed && is_known(app, &payout).await? {
        return Ok(Prepared::Ready(Box::new(payout)));
    }
    match app.screening.screen(payout.pair.network, &payout.to).await {
        Ok(screened) if screened.blocked => {
            hold(app, payout, |refund| refund.needs_address(NoRefundAddress::Blocked)).await
        }
        Ok(_) => Ok(Prepared::Ready(Box::new(payout))),
        Err(error) => {
            tracing::warn!(payout = %payout.id, ?error, "the screening did not answer");
            Ok(Prepared::Later(Why::Unscreened))
        }
    }
}

async fn is_known(app: &App, payout: &Payout) -> Stored<bool> {
    let Some(payment) = app.store.refunded_payment(payout.id).await? else { return Ok(false) };
    let Some(record) = app.store.payment(payment).await? else { return Ok(false) };
    let Some((deposit, _)) = record.refund_by_payout(payout.id) else { return Ok(false) };
    let is_of_today = app.clock.now() < deposit.seen_at.saturating_add(SCREENED_FOR);
    Ok(is_of_today || deposit.screening == Screening::Released)
}

/// Whether a refund is still what was prepared, and within the limit of its payment: asked in the transaction that stores the
/// signed bytes.
pub(super) fn is_current(app: &App, record: Option<&PaymentWithDeposits>, payout: &Payout) -> bool {
    let Some(record) = record else { return payout.purpose == Purpose::Withdrawal };
    if payout.purpose == Purpose::MerchantRefund {
        return record.refundable_until(payout.pair, Some(payout.id)).is_covered();
    }
    let Some((_, refund)) = record.refund_by_payout(payout.id) else { return false };
    let within = refund.phase.decision().is_some() || !has_had_enough(app, record, payout);
    within && is_planned(record, refund) && refund.gross.checked_sub(refund.fee) == Some(payout.amount)
}

/// Whether it is what its payment owes now: one that is held stays as it was while its payment changes.
fn is_planned(record: &PaymentWithDeposits, refund: &Refund) -> bool {
    settle_deposits::plans(record, Deposit::is_confirmed).get(&refund.id).copied() == refund.plan()
}

/// Whether the payment had its automatic refunds of a day, without this one.
fn has_had_enough(app: &App, record: &PaymentWithDeposits, payout: &Payout) -> bool {
    let since = app.clock.now().saturating_sub(DAY);
    let automatic =
        record.refunds().filter(|refund| refund.charge().is_none() && refund.phase.decision().is_none());
    let sent = automatic.filter(|refund| refund.is_binding()).filter_map(|refund| refund.phase.transfer());
    let lately = sent.filter(|sent| sent.payout != payout.id && sent.planned_at > since);
    lately.count() >= usize::try_from(app.policy.refunds_per_day).unwrap_or(usize::MAX)
}

/// Stores another fee.
async fn charge(app: &App, payout: Payout, fee: Amount, amount: Amount) -> Stored<Prepared> {
    let Some(mut changed) = Changed::of(app, payout.with_amount(amount)).await? else {
        return Ok(Prepared::Later(Why::Changed));
    };
    let Changed { tx, before: Some(record), payout } = &mut changed else {
        return Ok(Prepared::Later(Why::Changed));
    };
    let Some((_, refund)) = record.refund_by_payout(payout.id) else {
        return Ok(Prepared::Later(Why::Changed));
    };
    tx.put_refund(record.payment.id, payout.business, &Refund { fee, ..refund.clone() }).await?;
    Ok(Prepared::Ready(Box::new(changed.commit().await?)))
}

/// The network still asks for more than the refund is worth: the merchant keeps the money.
async fn give_up(app: &App, payout: Payout, fee: Amount) -> Stored<Prepared> {
    let Some(Changed { mut tx, before: Some(mut record), payout }) =
        Changed::of(app, payout.cancelled()).await?
    else {
        return Ok(Prepared::Later(Why::Changed));
    };
    let before = Stages::of(&record);
    let Some((_, refund)) = record.refund_by_payout(payout.id) else {
        return Ok(Prepared::Later(Why::Changed));
    };
    let refund = Refund { fee, ..refund.clone() }.given_up();
    tx.put_refund(record.payment.id, payout.business, &refund).await?;
    record.refunds.insert(refund.id, refund);
    follow(app, tx, record, before).await?;
    tracing::info!(payout = %payout.id, fee = fee.to_text(payout.pair.decimals), "a refund is not worth its fee");
    Ok(Prepared::Ended)
}

async fn plan_again(app: &App, payout: &Payout) -> Stored<Prepared> {
    let mut tx = app.store.begin().await?;
    let Some(record) = refunded(tx.as_mut(), payout).await? else { return Ok(Prepared::Later(Why::Changed)) };
    let before = Stages::of(&record);
    follow(app, tx, record, before).await?;
    tracing::warn!(payout = %payout.id, "its payment changed while it was held: its refund is planned again");
    Ok(Prepared::Ended)
}

/// What follows for the books and the merchant from a refund that is not sent.
async fn follow(
    app: &App,
    mut tx: Box<dyn Tx>,
    mut record: PaymentWithDeposits,
    before: Stages,
) -> Stored<()> {
    let Some(business) = app.store.business(record.payment.business).await? else { return Ok(()) };
    let mut booked = tx.booked(record.payment.id).await?;
    settle_deposits::follow(app, tx.as_mut(), &business, &mut record, &mut booked).await?;
    announce_events::payment(app, tx.as_mut(), &business, before.events(&record), &record).await?;
    tx.commit().await
}

/// Nothing is sent for now. The money stays owed to the payer.
pub(super) async fn hold(app: &App, payout: Payout, wait: impl FnOnce(Refund) -> Refund) -> Stored<Prepared> {
    let Some(mut changed) = Changed::of(app, payout.cancelled()).await? else {
        return Ok(Prepared::Later(Why::Changed));
    };
    wait_again(app, &mut changed, wait).await?;
    changed.tell(app, EventType::WithdrawalFailed).await?;
    changed.commit().await?;
    Ok(Prepared::Ended)
}

/// Takes the payout off its refund, which waits from now on. The payer names another address, unless the merchant refused one.
pub(super) async fn wait_again(
    app: &App,
    changed: &mut Changed,
    wait: impl FnOnce(Refund) -> Refund,
) -> Stored<()> {
    let Changed { tx, before: Some(record), payout } = changed else { return Ok(()) };
    let Some((deposit, refund)) = record.refund_by_payout(payout.id) else { return Ok(()) };
    let refund = wait(refund.clone());
    tx.put_refund(record.payment.id, payout.business, &refund).await?;
    keep_link::keep_link(app, tx.as_mut(), record.payment.id).await?;
    tracing::warn!(deposit = %deposit.id, waits = ?refund.phase.wait(), to = payout.to,
        "a refund waits for an operator: see `checkout refunds`");
    Ok(())
}
