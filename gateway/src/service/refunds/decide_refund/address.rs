//! Gives a refund that waits its address.

use checkout_domain::access::actor::Actor;
use checkout_domain::access::token::Caller;
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::refund::{Given, Refund};
use checkout_domain::payment::refund_phase::Phase;
use checkout_domain::ports::{Stored, Tx};
use checkout_domain::withdrawal::Withdrawal;
use checkout_wire::ListedRefund;
use uuid::Uuid;

use super::limits::is_above_limit;
use super::{NOT_WAITING, check_kept, find, refuse_disabled};
use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payouts::create_withdrawal::not_whitelisted;
use crate::service::payouts::daily_limit::withdrawn;
use crate::service::payouts::own_address;
use crate::service::payouts::recipient::{NamedRecipient, Recipient};
use crate::service::refunds::refund_payment::read_listed;
use crate::service::refunds::send_refund::send_of;
use crate::service::refused::{Refused, no_errors};

/// The same address again changes nothing.
pub async fn address(
    app: &App,
    caller: Caller,
    by: &Actor,
    id: Uuid,
    to: &NamedRecipient,
) -> Result<ListedRefund, Refused> {
    let found = find(app, caller, id).await?;
    refuse_disabled(app, &found).await?;
    let pair = found.refund.pair;
    let to = to.check(pair, &app.policy.environments)?;
    if own_address::is_own(app, pair.network, &to.address).await {
        return Err(Refused::OwnAddress("address"));
    }
    let mut tx = app.store.begin().await?;
    let record = tx.payment(found.payment).await?.ok_or(Refused::NoRefund)?;
    let refund = record.refund(id).ok_or(Refused::NoRefund)?;
    let given = to.in_normal_form();
    if !record.goes_back(refund, &given) {
        no_errors(not_whitelisted(app, tx.as_mut(), "address", (found.business, pair, &given)).await?)?;
    }
    let is_new = match refund.charge() {
        Some(charge) => address_charged(app, tx.as_mut(), by, (refund, charge), &to).await?,
        None => address_automatic(app, tx.as_mut(), (&record, refund), &given).await?,
    };
    if is_new {
        announce_events::since(app, tx.as_mut(), &record).await?;
        tx.commit().await?;
    }
    read_listed(app, id).await
}

/// Returns false if it has this address.
async fn address_automatic(
    app: &App,
    tx: &mut dyn Tx,
    (record, refund): (&PaymentWithDeposits, &Refund),
    to: &Given,
) -> Result<bool, Refused> {
    if refund.given() == Some(to) {
        return Ok(false);
    }
    // The sum and the decision are one transaction: two at once do not pass the limit together.
    if !record.goes_back(refund, to) && is_above_limit(app, tx, record.payment.business, refund).await? {
        return Err(Refused::RefundLimit);
    }
    let (new, to) = ((app.new_id(), app.clock.now()), Some((&*to.address, to.tag.as_deref())));
    check_kept(send_of(tx, record, new, refund.id, to).await?, true)?;
    Ok(true)
}

/// The payout of a refund of the merchant gets its address; returns false if it has one, or is held.
pub(in crate::service) async fn give_address(
    tx: &mut dyn Tx,
    id: Uuid,
    to: &Recipient,
    now: u64,
) -> Stored<bool> {
    let Given { address, tag } = to.in_normal_form();
    let addressed = tx.payout(id).await?.and_then(|payout| payout.addressed(address, tag));
    let Some(addressed) = addressed else { return Ok(false) };
    tx.put_recipient(id, &to.given, now).await?;
    Ok(tx.save_payout(addressed).await?.is_some())
}

/// Returns false if it has this address.
async fn address_charged(
    app: &App,
    tx: &mut dyn Tx,
    by: &Actor,
    (refund, charge): (&Refund, &Withdrawal),
    to: &Recipient,
) -> Result<bool, Refused> {
    let given = to.in_normal_form();
    if refund.phase != (Phase::NeedsAddress(NoRefundAddress::NotGiven)) {
        let is_known = refund.lasts() && Given::of(charge) == given;
        return if is_known { Ok(false) } else { Err(NOT_WAITING) };
    }
    tx.balance(charge.business, charge.balance(), charge.deducted.asset).await?;
    if !give_address(tx, charge.id, to, app.clock.now()).await? {
        return Err(NOT_WAITING);
    }
    tx.put_initiator(charge.id, by).await?;
    // With this one, which may have been asked for on another day.
    let sum = withdrawn(app, tx, charge.business).await?;
    if tx.rules(charge.business, app.clock.now()).await?.daily_limit.is_some_and(|most| sum > most) {
        return Err(Refused::RefundLimit);
    }
    Ok(true)
}
