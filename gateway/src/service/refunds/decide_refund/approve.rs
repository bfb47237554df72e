//! Lets a refund go that waits for an approval.

use checkout_domain::access::actor::Actor;
use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::refund::Refund;
use checkout_domain::payment::refund_phase::Phase;
use checkout_domain::ports::Tx;
use checkout_domain::withdrawal::Withdrawal;
use checkout_domain::withdrawal::approved::Approved;
use checkout_domain::withdrawal::rules::Approval;
use checkout_domain::withdrawal::rules::Unapproved;
use checkout_wire::ListedRefund;
use uuid::Uuid;

use super::limits::{is_above_limit, is_large};
use super::{NOT_UNAPPROVED, check_kept, find, refuse_disabled};
use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payouts::create_withdrawal::may_receive;
use crate::service::payouts::daily_limit::withdrawn;
use crate::service::payouts::seen::Seen;
use crate::service::refunds::refund_payment::read_listed;
use crate::service::refunds::send_refund::send_of;
use crate::service::refused::Refused;

/// One beyond the automatic refunds of a day goes to its sender, a claim where the payer asked for. One above the limit of the business
/// is approved by an organisation key, and not by who asked for it.
pub async fn approve(
    app: &App,
    caller: Caller,
    by: &Actor,
    id: Uuid,
    seen: &Seen,
) -> Result<ListedRefund, Refused> {
    let found = find(app, caller, id).await?;
    refuse_disabled(app, &found).await?;
    let mut tx = app.store.begin().await?;
    // What was found may have changed until the payment is locked.
    let record = tx.payment(found.payment).await?.ok_or(Refused::NoRefund)?;
    let refund = record.refund(id).ok_or(Refused::NoRefund)?;
    let is_new = match refund.charge() {
        None => is_automatic_unapproved(refund)?,
        Some(charge) => is_charge_unapproved(app, caller, refund, charge).await?,
    };
    if is_new && is_above_and_of(app, by, refund).await? {
        return Err(Refused::SameInitiator);
    }
    if !record.to_approve(refund).is_some_and(|now| seen.is(refund.pair, &now)) {
        return Err(Refused::AddressChanged);
    }
    if is_new {
        let_go(app, tx.as_mut(), (&record, refund)).await?;
        announce_events::since(app, tx.as_mut(), &record).await?;
        tx.commit().await?;
    }
    read_listed(app, id).await
}

/// Returns false if it was approved before.
fn is_automatic_unapproved(refund: &Refund) -> Result<bool, Refused> {
    let decision = refund.decision.as_ref();
    match refund.phase {
        Phase::NeedsApproval(_) => Ok(true),
        Phase::NeedsAddress(_) => Err(Refused::RefundState("waits for an address")),
        _ if refund.claim.is_some() || decision.is_some_and(|decision| decision.to.is_none()) => Ok(false),
        _ => Err(NOT_UNAPPROVED),
    }
}

/// Returns false if it was approved before.
async fn is_charge_unapproved(
    app: &App,
    caller: Caller,
    refund: &Refund,
    charge: &Withdrawal,
) -> Result<bool, Refused> {
    let Some(approval) = charge.approval else { return Err(NOT_UNAPPROVED) };
    if caller != Caller::Organisation && (refund.claim.is_none() || is_large(app, charge).await?) {
        return Err(Refused::OnlyOrganisation);
    }
    match approval {
        Approval::Waiting => Ok(true),
        Approval::Approved => Ok(false),
        Approval::Rejected => Err(NOT_UNAPPROVED),
    }
}

/// Whether this actor asked for a charged refund above the limit, or named its address. The address of a claim is the payer's: below the
/// limit whoever made the refund approves it.
async fn is_above_and_of(app: &App, by: &Actor, refund: &Refund) -> Result<bool, Refused> {
    let Some(charge) = refund.charge().filter(|charge| charge.is_of(by)) else { return Ok(false) };
    Ok(refund.claim.is_none() || is_large(app, charge).await?)
}

async fn let_go(
    app: &App,
    tx: &mut dyn Tx,
    (record, refund): (&PaymentWithDeposits, &Refund),
) -> Result<(), Refused> {
    match refund.charge() {
        None if refund.phase == Phase::NeedsApproval(Unapproved::Limit) => {
            let new = (app.new_id(), app.clock.now());
            check_kept(send_of(tx, record, new, refund.id, None).await?, false)
        }
        Some(charge) if refund.claim.is_none() => approve_charge(app, tx, charge).await,
        None | Some(_) => {
            let business = app.store.business(record.payment.business).await?.ok_or(Refused::NoRefund)?;
            approve_claim(app, tx, (&business, record), refund.id).await
        }
    }
}

async fn approve_charge(app: &App, tx: &mut dyn Tx, charge: &Withdrawal) -> Result<(), Refused> {
    let done = tx.approve(charge.id, &Approved::of(charge), app.clock.now()).await?;
    if done { Ok(()) } else { Err(NOT_UNAPPROVED) }
}

/// Approves what the payer asked for, within the limits of withdrawals: a stolen token, or a stolen link that a limit of the business
/// lets pass, does not get more than a withdrawal. The caller locked the payment, stores the events and commits.
pub(crate) async fn approve_claim(
    app: &App,
    tx: &mut dyn Tx,
    (business, record): (&Business, &PaymentWithDeposits),
    id: Uuid,
) -> Result<(), Refused> {
    if business.disabled {
        return Err(Refused::Disabled);
    }
    let refund = record.refund(id).ok_or(NOT_UNAPPROVED)?;
    let to = refund.claim.as_ref().map(|claim| &claim.to).ok_or(NOT_UNAPPROVED)?;
    let goes_back = record.goes_back(refund, to);
    if !goes_back && !may_receive(app, tx, (business.id, refund.pair, to)).await? {
        return Err(Refused::NotWhitelisted);
    }
    if let Some(charge) = refund.charge() {
        let rules = tx.rules(business.id, app.clock.now()).await?;
        tx.balance(business.id, charge.balance(), charge.deducted.asset).await?;
        let sum = withdrawn(app, tx, business.id).await?;
        if rules.daily_limit.is_some_and(|most| sum.saturating_add(charge.uniform_amount) > most) {
            return Err(Refused::RefundLimit);
        }
        return approve_charge(app, tx, charge).await;
    }
    if refund.phase != (Phase::NeedsApproval(Unapproved::Claim)) {
        return Err(NOT_UNAPPROVED);
    }
    if !goes_back && is_above_limit(app, tx, business.id, refund).await? {
        return Err(Refused::RefundLimit);
    }
    let new = (app.new_id(), app.clock.now());
    check_kept(send_of(tx, record, new, id, Some((&to.address, to.tag.as_deref()))).await?, false)
}
