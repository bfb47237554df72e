//! Gives a refund that waits its address.

use checkout_domain::access::actor::Actor;
use checkout_domain::access::token::Caller;
use checkout_domain::payment::refund_said::Given;
use checkout_domain::payment::refund_steps::NotNow;
use checkout_domain::ports::{Stored, Tx};
use checkout_wire::ListedRefund;
use uuid::Uuid;

use super::limits::is_above_limit;
use super::{check_kept, find, refuse_disabled};
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
    let goes_back = record.goes_back(refund, &given);
    if !goes_back {
        no_errors(not_whitelisted(app, tx.as_mut(), "address", (found.business, pair, &given)).await?)?;
    }
    if refund.can_be_addressed(&given)? {
        let now = app.clock.now();
        if let Some(charge) = refund.charge() {
            tx.balance(found.business, charge.balance(), charge.deducted.asset).await?;
            if !give_address(tx.as_mut(), id, &to, now).await? {
                return Err(NotNow::NeedsNoAddress.into());
            }
            tx.put_initiator(id, by).await?;
            // With this one, which may have been asked for on another day.
            let sum = withdrawn(app, tx.as_mut(), found.business).await?;
            if tx.rules(found.business, now).await?.daily_limit.is_some_and(|most| sum > most) {
                return Err(Refused::RefundLimit);
            }
        } else {
            // The sum and the decision are one transaction: two at once do not pass the limit together.
            if !goes_back && is_above_limit(app, tx.as_mut(), found.business, refund).await? {
                return Err(Refused::RefundLimit);
            }
            let new = (app.new_id(), now);
            check_kept(send_of(tx.as_mut(), &record, new, id, Some(&given)).await?, true)?;
        }
        announce_events::since(app, tx.as_mut(), &record).await?;
        tx.commit().await?;
    }
    read_listed(app, id).await
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
