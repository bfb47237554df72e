//! Lets a refund go that waits for an approval.

use checkout_domain::access::actor::Actor;
use checkout_domain::access::token::Caller;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::refund::Refund;
use checkout_domain::payment::refund_phase::Phase;
use checkout_domain::payment::refund_steps::NotNow;
use checkout_domain::ports::Tx;
use checkout_domain::withdrawal::approved::Approved;
use checkout_wire::ListedRefund;
use uuid::Uuid;

use super::limits::is_above_limit;
use super::{check_kept, find, refuse_disabled};
use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payouts::create_withdrawal::may_receive;
use crate::service::payouts::seen::Seen;
use crate::service::payouts::withdrawal_rules::is_asked_by;
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
    let rules = tx.rules(found.business, app.clock.now()).await?;
    let is_of_organisation = refund.is_approved_by_organisation(rules.approval_above);
    if caller != Caller::Organisation && is_of_organisation {
        return Err(Refused::OnlyOrganisation);
    }
    let is_new = refund.can_be_approved()?;
    if let Some(charge) = refund.charge().filter(|_| is_new && is_of_organisation)
        && is_asked_by(tx.as_mut(), charge, by).await?
    {
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

/// Approves it; what the payer asked for, within the limits of withdrawals: a stolen token, or a stolen link that a limit of the business
/// lets pass, does not get more than a withdrawal. The caller locked the payment, stores the events and commits.
pub(in crate::service) async fn let_go(
    app: &App,
    tx: &mut dyn Tx,
    (record, refund): (&PaymentWithDeposits, &Refund),
) -> Result<(), Refused> {
    let business = record.payment.business;
    let to = if let Phase::Claimed(claim) = &refund.phase { Some(&claim.to) } else { refund.given() };
    if let Some(to) = to {
        let goes_back = record.goes_back(refund, to);
        if !goes_back && !may_receive(app, tx, (business, refund.pair, to)).await? {
            return Err(Refused::NotWhitelisted);
        }
        let is_limited = refund.charge().is_some() || !goes_back;
        if is_limited && is_above_limit(app, tx, business, refund).await? {
            return Err(Refused::RefundLimit);
        }
    }
    let now = app.clock.now();
    let Some(charge) = refund.charge() else {
        return check_kept(send_of(tx, record, (app.new_id(), now), refund.id, to).await?, false);
    };
    let done = tx.approve(charge.id, &Approved::of(charge), now).await?;
    if done { Ok(()) } else { Err(NotNow::NeedsNoApproval.into()) }
}
