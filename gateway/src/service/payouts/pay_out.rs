//! Sends payouts (refunds and withdrawals), one step at a time.
//!
//! Every step is stored before the next one, and only stored bytes are broadcast. If a process dies between
//! two steps, the next one repeats the step; the network accepts the same bytes once.

mod compare;
mod doubts;
mod foreign;
mod is_final;
mod prepare_refund;
mod replace;
mod reverted;
mod screened;
mod send_signed;
mod stuck;
mod time_limit;
mod track_confirmation;

use std::collections::BTreeSet;

use checkout_core::chain::CHAINS;
use checkout_core::{Amount, Network};
use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::{Payout, Progress, Purpose};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ledger::cause::Cause;
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::{Account, Entry, exchange};
use checkout_domain::payment::refund::Refund;
use checkout_domain::payment::refund_phase::Phase;
use checkout_domain::payment::{PaymentWithDeposits, destination};
use checkout_domain::ports::broadcaster::{Broadcaster, Unsent};
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::approved;
use checkout_domain::withdrawal::may_leave::{Facts, Why, may_leave};
use checkout_domain::withdrawal::rules::Approval;
use checkout_wire::create_withdrawal::WithdrawalStatus;
use uuid::Uuid;

use self::compare::{Compared, compare, held, is_held};
use self::is_final::{is_backed, is_final};
use self::prepare_refund::{Prepared, hold, is_current, prepare, screen_recipient};
use self::send_signed::{broadcast, refuse, release, send_signed};
use self::time_limit::TimeLimited;
use self::track_confirmation::track_confirmation;
use crate::events::withdrawal_ended::WithdrawalEnded;
use crate::service::App;
use crate::service::callbacks::announce::announce;
use crate::service::callbacks::announce_events;
use crate::service::payments::keep_link;
use crate::service::payouts::network_fee;
use crate::service::payouts::own_address::{is_deposit_address, is_own_recipient};
use crate::service::transfers::book;
use crate::service::transfers::book::reverse;
use crate::service::transfers::follow_deposit::follow_unrefunded;
use crate::unwind::{Panicked, caught};

pub use self::doubts::Doubts;
pub use self::foreign::ForeignQuestions;
pub use self::prepare_refund::Looks;
pub use self::replace::Replacements;
pub use self::screened::screen;
pub use self::stuck::Stuck;
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
    for network in CHAINS.iter().map(|row| row.network).filter(is_silent) {
        let mut after = None;
        loop {
            let page = app.store.open_payouts_on(network, after).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.id);
            for payout in page.iter().filter(|payout| payout.progress == Progress::Waiting) {
                if app.store.approval(payout.id).await? == Some(Approval::Rejected)
                    && !is_held(app, payout).await?
                {
                    reject(app, payout).await?;
                }
            }
        }
    }
    Ok(())
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
    let (mut after, mut moved, mut panic) = (None, 0, None);
    let (mut open, waiting) = (BTreeSet::new(), app.state.polls.waiting(network));
    loop {
        let page = app.store.open_payouts_on(network, after).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        open.extend(page.iter().map(|payout| payout.id));
        for payout in page {
            // Nothing is asked of the network before.
            if payout.progress == Progress::Waiting
                && payout.purpose.is_charged()
                && !is_held(app, &payout).await?
                && !app.store.is_screened(payout.id).await?
                && app.store.approval(payout.id).await? != Some(Approval::Rejected)
            {
                continue;
            }
            let (polls, now) = (&app.state.polls, app.clock.now());
            if !polls.is_payout_due(&payout, now, app.policy.polling.pace(network), waiting) {
                continue;
            }
            match caught(step(app, &broadcaster, &payout)).await {
                Ok(stepped) => {
                    let stepped = stepped?;
                    polls.stepped(&payout, now, stepped);
                    moved += usize::from(stepped);
                }
                Err(Panicked(text)) => panic = Some(format!("payout {}: {text}", payout.id)),
            }
        }
    }
    app.state.stuck.keep(network, |payout| open.contains(&payout));
    app.state.doubts.keep(network, |payout| open.contains(&payout));
    app.state.replacements.keep(network, |payout| open.contains(&payout));
    app.state.refund_looks.keep(network, |payout| open.contains(&payout));
    app.state.polls.keep(network, |payout| open.contains(&payout));
    report(panic).map(|()| moved)
}

/// An error of one payout does not delay the others, but is reported.
fn report(panic: Option<String>) -> Stored<()> {
    match panic {
        None => Ok(()),
        Some(panic) => std::panic::resume_unwind(Box::new(panic)),
    }
}

async fn step(app: &App, broadcaster: &dyn Broadcaster, payout: &Payout) -> Stored<bool> {
    match (&payout.progress, &payout.signed) {
        (Progress::Waiting, _) => {
            if payout.purpose.is_charged() {
                // Before anything else: until then its money stays reserved.
                if is_held(app, payout).await? {
                    match compare(app, broadcaster, payout).await? {
                        Compared::Unsent => {}
                        Compared::Held => return Ok(false),
                        Compared::Adopted => return Ok(true),
                    }
                    if !app.store.is_screened(payout.id).await? {
                        return Ok(false);
                    }
                }
                match may_be_signed(app, payout, Some(false)).await? {
                    Err(Why::Rejected) => return reject(app, payout).await,
                    Err(_) => return Ok(false),
                    Ok(()) => {}
                }
            }
            let payout = match payout.purpose {
                Purpose::Withdrawal => Prepared::Ready(Box::new(payout.clone())),
                Purpose::MerchantRefund if is_backed(app, payout).await? => {
                    Prepared::Ready(Box::new(payout.clone()))
                }
                Purpose::MerchantRefund => Prepared::Later,
                Purpose::Refund => match held(app, payout).await? {
                    Compared::Unsent if may_be_signed(app, payout, Some(false)).await?.is_err() => {
                        Prepared::Later
                    }
                    Compared::Unsent => prepared(app, broadcaster, payout).await?,
                    Compared::Held => Prepared::Later,
                    Compared::Adopted => Prepared::Ended,
                },
            };
            let payout = match &payout {
                Prepared::Ready(payout) => payout.as_ref(),
                Prepared::Later => return Ok(false),
                Prepared::Ended => return Ok(true),
            };
            match compare(app, broadcaster, payout).await? {
                Compared::Unsent => {}
                Compared::Held => return Ok(false),
                Compared::Adopted => return Ok(true),
            }
            // Since it was asked for, its address may have become ours.
            match may_be_signed(app, payout, is_own_recipient(app, payout).await).await? {
                Err(why @ Why::OwnAddress) => return end_own(app, payout, why).await,
                Err(_) => return Ok(false),
                Ok(()) => {}
            }
            let asked = match payout.purpose {
                // It was prepared with what its network asks.
                Purpose::Refund => Ok(Amount::ZERO),
                Purpose::Withdrawal | Purpose::MerchantRefund => {
                    network_fee::asked(app, broadcaster, payout).await
                }
            };
            let asked = match asked {
                Ok(asked) => asked,
                Err(error) => return unsigned(app, payout, error).await,
            };
            if !note_fee(app, payout, asked).await? {
                return Ok(false);
            }
            let signed = match broadcaster.sign(payout).await {
                Ok(signed) => signed,
                Err(error) => return unsigned(app, payout, error).await,
            };
            let mut tx = app.store.begin().await?;
            let record = refunded(tx.as_mut(), payout).await?;
            // It locks the payout: what is decided of it is decided before this, or after it was signed.
            let is_stored = tx.store_signed(payout.id, &signed, app.clock.now()).await?;
            let refused = leaving(app, tx.as_mut(), record.as_ref(), (payout, asked)).await?.err();
            if refused.is_some() || !is_stored {
                // Another process signed it, or it may not leave any more.
                drop(tx);
                if refused == Some(Why::ApprovedOtherwise) {
                    approve_again(app, payout).await?;
                }
                if let Some(why) = refused {
                    tracing::info!(payout = %payout.id, why = why.sentence(), "not sent");
                }
                release(broadcaster, payout, &signed, None).await;
                return Ok(false);
            }
            tx.commit().await?;
            send_signed(app, broadcaster, payout).await
        }
        (Progress::Unaddressed, _) => Ok(matches!(held(app, payout).await?, Compared::Adopted)),
        (Progress::Signed, Some(_)) => send_signed(app, broadcaster, payout).await,
        (Progress::Sent | Progress::Confirmed, Some(signed)) => {
            track_confirmation(app, broadcaster, payout, signed).await
        }
        (Progress::Signed | Progress::Sent | Progress::Confirmed, None)
        | (Progress::Final | Progress::Cancelled | Progress::Failed | Progress::Reverted, _) => Ok(false),
    }
}

/// Before it is signed.
async fn may_be_signed(app: &App, payout: &Payout, is_own: Option<bool>) -> Stored<Result<(), Why>> {
    let business = app.store.business(payout.business).await?;
    let approval = app.store.approval(payout.id).await?;
    let is_disabled = business.is_none_or(|business| business.disabled);
    let (is_as_approved, is_fee_enough, is_current) = (true, true, true);
    Ok(may_leave(Facts { is_disabled, is_own, approval, is_as_approved, is_fee_enough, is_current }))
}

/// The same in the transaction that stores its bytes, which locked the payout and its payment.
async fn leaving(
    app: &App,
    tx: &mut dyn Tx,
    record: Option<&PaymentWithDeposits>,
    (payout, asked): (&Payout, Amount),
) -> Stored<Result<(), Why>> {
    let is_disabled = tx.business(payout.business).await?.is_none_or(|business| business.disabled);
    let withdrawal = tx.withdrawal(payout.id).await?;
    let approval = withdrawal.as_ref().and_then(|withdrawal| withdrawal.approval);
    let is_fee_enough = withdrawal.as_ref().is_none_or(|charged| asked <= charged.fee);
    // An approval has it screened again.
    let is_screened = withdrawal.as_ref().is_none_or(|charged| charged.owner.is_some());
    let deposit = record.and_then(|record| record.refund_by_payout(payout.id)).map(|(deposit, _)| deposit);
    let is_as_approved = withdrawal.is_none_or(|withdrawal| approved::is_as_approved(payout, &withdrawal))
        && deposit.is_none_or(|deposit| destination::is_as_approved(payout, deposit));
    let is_own = Some(is_deposit_address(tx, payout.pair.network, &payout.to).await?);
    let is_current = is_screened && is_current(app, record, payout);
    Ok(may_leave(Facts { is_disabled, is_own, approval, is_as_approved, is_fee_enough, is_current }))
}

/// Whether what was charged pays for what the network asks now. Meanwhile a withdrawal or a refund of the merchant is listed as one that
/// waits for its fee.
async fn note_fee(app: &App, payout: &Payout, asked: Amount) -> Stored<bool> {
    let Some(charged) = app.store.charged(payout.id).await? else { return Ok(true) };
    let above = Some(asked).filter(|asked| *asked > charged.fee);
    if above != charged.asked_fee {
        let mut tx = app.store.begin().await?;
        tx.put_asked_fee(payout.id, above).await?;
        tx.commit().await?;
        if above.is_some() && charged.asked_fee.is_none() {
            let [fee, asked] = [charged.fee, asked].map(|fee| fee.to_text(payout.pair.decimals));
            tracing::warn!(payout = %payout.id, fee, asked, why = Why::Fee.sentence(), "not sent");
        }
    }
    Ok(above.is_none())
}

/// Takes a refund of the merchant back that is not signed: its money is back on the balance. Returns false if it is not in the
/// state `from`. The caller locked its payment.
pub async fn cancel(app: &App, tx: &mut dyn Tx, id: Uuid, from: Progress) -> Stored<bool> {
    if !tx.move_payout(id, from, Progress::Cancelled).await? {
        return Ok(false);
    }
    finish(app, tx, id, WithdrawalStatus::Failed).await?;
    Ok(true)
}

/// An operator rejected or cancelled a withdrawal: its money is back on the balance.
async fn reject(app: &App, payout: &Payout) -> Stored<bool> {
    let mut tx = app.store.begin().await?;
    let record = refunded(tx.as_mut(), payout).await?;
    if !tx.move_payout(payout.id, Progress::Waiting, Progress::Failed).await? {
        return Ok(false);
    }
    finish(app, tx.as_mut(), payout.id, WithdrawalStatus::Blocked).await?;
    tell(app, tx.as_mut(), payout, record.as_ref(), EventType::WithdrawalFailed).await?;
    tx.commit().await?;
    tracing::info!(payout = %payout.id, "a withdrawal was rejected");
    Ok(true)
}

/// What was approved is not what would be sent: it waits for another approval.
async fn approve_again(app: &App, payout: &Payout) -> Stored<()> {
    let mut tx = app.store.begin().await?;
    let record = refunded(tx.as_mut(), payout).await?;
    if payout.purpose.is_charged() {
        tx.require_approval(payout.id).await?;
    } else if let Some(record) = &record
        && let Some((deposit, refund)) = record.refund_by_payout(payout.id)
        && let Some(decision) = &deposit.decision
        && tx.move_payout(payout.id, Progress::Waiting, Progress::Cancelled).await?
    {
        let (claim, phase) = decision.again();
        let refund = Refund { claim, phase, ..refund.clone() };
        tx.put_refund(record.payment.id, payout.business, &refund).await?;
        tx.put_decision(deposit.id, None).await?;
        keep_link::keep_link(app, tx.as_mut(), record.payment.id).await?;
    }
    if let Some(before) = &record {
        announce_events::since(app, tx.as_mut(), before).await?;
    }
    tx.commit().await
}

/// What would be sent to ourselves: its money is back on the balance, or it waits for another address.
async fn end_own(app: &App, payout: &Payout, why: Why) -> Stored<bool> {
    match payout.purpose {
        Purpose::Withdrawal | Purpose::MerchantRefund => refuse(app, payout, &[], why.sentence()).await,
        Purpose::Refund => {
            let phase = Phase::NeedsAddress(NoRefundAddress::OwnAddress);
            let held = hold(app, payout, phase).await?;
            Ok(matches!(held, Prepared::Ended))
        }
    }
}

/// A refund that reaches its payer, is worth its fee, and is of deposits that stay.
async fn prepared(app: &App, broadcaster: &dyn Broadcaster, payout: &Payout) -> Stored<Prepared> {
    let payout = match prepare(app, broadcaster, payout).await? {
        Prepared::Ready(payout) => payout,
        other => return Ok(other),
    };
    if !is_final(app, &payout).await? {
        return Ok(Prepared::Later);
    }
    screen_recipient(app, *payout).await
}

/// Retries a payout that cannot be signed now; returns the money of one that can never be sent.
async fn unsigned(app: &App, payout: &Payout, error: Unsent) -> Stored<bool> {
    match error {
        Unsent::Unavailable(error) => {
            tracing::warn!(payout = %payout.id, %error, "not sent yet");
            Ok(false)
        }
        Unsent::Refused(reason) | Unsent::Expired(reason) => refuse(app, payout, &[], &reason).await,
    }
}

/// The money is on its way: the books and the merchant are told.
async fn book_sent(
    app: &App,
    tx: &mut dyn Tx,
    payout: &Payout,
    record: Option<PaymentWithDeposits>,
) -> Stored<()> {
    match payout.purpose {
        Purpose::Refund => {
            if let Some(entry) = record.as_ref().and_then(|record| sent_refund(app, record, payout)) {
                tx.post(&entry).await?;
            }
        }
        Purpose::Withdrawal | Purpose::MerchantRefund => {
            finish(app, tx, payout.id, WithdrawalStatus::Completed).await?;
        }
    }
    tell(app, tx, payout, record.as_ref(), EventType::WithdrawalSent).await
}

/// Stores the event of a withdrawal; of a refund those of its payment, which was `before`.
async fn tell(
    app: &App,
    tx: &mut dyn Tx,
    payout: &Payout,
    before: Option<&PaymentWithDeposits>,
    event: EventType,
) -> Stored<()> {
    match before {
        Some(before) => announce_events::since(app, tx, before).await,
        None if payout.purpose == Purpose::Withdrawal => {
            announce_events::withdrawal(app, tx, payout.business, payout.id, event).await
        }
        None => Ok(()),
    }
}

/// Completes a withdrawal or a refund of the merchant: its status, its ledger entry, the callback of a withdrawal.
async fn finish(app: &App, tx: &mut dyn Tx, id: Uuid, status: WithdrawalStatus) -> Stored<()> {
    let Some(mut withdrawal) = tx.withdrawal(id).await? else { return Ok(()) };
    let sent = status == WithdrawalStatus::Completed;
    withdrawal.status = status;
    tx.update_withdrawal(&withdrawal).await?;
    if !sent {
        reverse(app, tx, withdrawal.cause()).await?;
    } else if let Some(entry) = sent_withdrawal(app, &withdrawal) {
        tx.post(&entry).await?;
    }
    if let Some(payment) = withdrawal.payment() {
        return if sent { Ok(()) } else { follow_unrefunded(app, tx, payment).await };
    }
    let event = WithdrawalEnded::new(&withdrawal, app.policy.both_spellings);
    announce(app, tx, withdrawal.business, withdrawal.id, event).await
}

/// Books the amount charged to the balance to the chain, its costs and the service fee.
fn sent_withdrawal(app: &App, withdrawal: &Withdrawal) -> Option<Entry> {
    let amount = Money::of_amount(withdrawal.amount, withdrawal.pair)?;
    let fee = Money::of_amount(withdrawal.fee, withdrawal.pair)?;
    let (given, taken) = (withdrawal.deducted.less(withdrawal.service_fee), amount.plus(fee));
    let mut lines = vec![
        (withdrawal.reserved(), withdrawal.deducted.negated()),
        (Account::Fees, withdrawal.service_fee),
        (Account::Chain, amount),
        (Account::Costs, fee),
    ];
    if given.asset != taken.asset {
        lines.extend(exchange(given, taken));
    }
    let header = book::header(app, withdrawal.business, withdrawal.sent_cause(), withdrawal.payment());
    Some(Entry::new(header, book::price(app), lines))
}

/// Locks the payment that a payout refunds. All changes that write both lock the payment before the payout.
async fn lock_refunded(tx: &mut dyn Tx, payout: &Payout) -> Stored<()> {
    if !payout.purpose.has_payment() {
        return Ok(());
    }
    let payment = tx.payment_of_refund(payout.id).await?;
    tx.lock(payment.as_slice()).await
}

/// The payment that a payout refunds, locked before the payout.
async fn refunded(tx: &mut dyn Tx, payout: &Payout) -> Stored<Option<PaymentWithDeposits>> {
    if !payout.purpose.has_payment() {
        return Ok(None);
    }
    let Some(payment) = tx.payment_of_refund(payout.id).await? else { return Ok(None) };
    tx.payment(payment).await
}

/// Books the refund to the chain, less its costs.
fn sent_refund(app: &App, record: &PaymentWithDeposits, payout: &Payout) -> Option<Entry> {
    let money = |amount| Money::of_amount(amount, payout.pair);
    let (_, refund) = record.refund_by_payout(payout.id)?;
    let (gross, amount) = (money(refund.gross)?, money(payout.amount)?);
    let lines =
        [(Account::Refunds, gross.negated()), (Account::Chain, amount), (Account::Costs, gross.less(amount))];
    let header = book::header(app, payout.business, Cause::SentRefund(payout.id), Some(record.payment.id));
    Some(Entry::new(header, book::price(app), lines))
}
