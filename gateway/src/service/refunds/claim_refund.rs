//! The payer asks for money back: names the address, which the merchant approves, or a limit of the business.

use checkout_core::Decimal;
use checkout_domain::access::token::Caller;
use checkout_domain::business::Business;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::ids::PaymentId;
use checkout_domain::ledger::fee::Fees;
use checkout_domain::payment::PaymentWithDeposits;
use checkout_domain::payment::claimable::{ClaimSource, Claimable};
use checkout_domain::payment::refund::{Refund, Source};
use checkout_domain::payment::refund_said::{Claim, Given};
use checkout_domain::ports::{Stored, Tx};
use checkout_wire::claim_refund::{ClaimStatus, RefundClaim};
use uuid::Uuid;

use super::decide_refund::{give_address, let_go};
use crate::render::claim::claim as shown;
use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payments::keep_link::keep_link;
use crate::service::payments::refresh_payment;
use crate::service::payouts::create_withdrawal::reserve;
use crate::service::payouts::recipient::{NamedRecipient, Recipient};
use crate::service::payouts::withdrawal_request::Target;
use crate::service::payouts::{network_fee, own_address};
use crate::service::refunds::refund_payment;
use crate::service::refunds::refund_request::RefundRequest;
use crate::service::refused::{Created, Refused};

/// Stores what the payer asks for, once for each deposit. The same request again has what became of it.
pub async fn claim(
    app: &App,
    payment: PaymentId,
    id: Uuid,
    to: &NamedRecipient,
) -> Result<Created<RefundClaim>, Refused> {
    let seen = app.store.payment(payment).await?.ok_or(Refused::NoPayment)?;
    let fees = network_fee::of_all(app, seen.received_pairs()).await;
    let named = find(app, &seen, id, &fees).ok_or(Refused::NoClaim)?;
    let is_own = own_address::is_own(app, named.pair.network, &to.address).await;
    let mut tx = app.store.begin().await?;
    // The lock on the payment makes a second claim wait for the first one.
    let record = tx.payment(payment).await?.ok_or(Refused::NoPayment)?;
    let found = find(app, &record, id, &fees).ok_or(Refused::NoClaim)?;
    let to = to.check(found.pair, &app.policy.environments)?;
    let given = to.in_normal_form();
    if found.status != ClaimStatus::Open {
        let is_same = found.to.as_ref() == Some(&given);
        let body = shown(&found);
        return if is_same { Ok(Created { body, replayed: true }) } else { Err(Refused::Claimed) };
    }
    if is_own {
        return Err(Refused::OwnAddress("address"));
    }
    let business = app.store.business(record.payment.business).await?.ok_or(Refused::NoPayment)?;
    let is_own_wallet = found.sender.as_ref() == Some(&given);
    if is_own_wallet {
        send_back(app, tx.as_mut(), &record, &found, given).await?;
    } else {
        store(app, tx.as_mut(), &business, &record, (&found, &to)).await?;
    }
    keep_link(app, tx.as_mut(), payment).await?;
    let after = tx.payment(payment).await?.ok_or(Refused::NoPayment)?;
    if !is_own_wallet
        && !business.disabled
        && may_approve_itself(&record, found.source)
        && is_within_limit(app, tx.as_mut(), &after).await?
    {
        let refund = match found.source {
            ClaimSource::Kept => after.claim_of(id),
            ClaimSource::Automatic | ClaimSource::Merchant => after.refund(id),
        };
        let refund = refund.ok_or(Refused::NoClaim)?;
        let decided = let_go(app, tx.as_mut(), (&after, refund)).await;
        if let Err(refused) = decided {
            if let Refused::Store(error) = refused {
                return Err(error.into());
            }
            tracing::info!(claim = %id, ?refused, "a claim within the limit of the business waits for its approval");
        }
    }
    announce_events::since(app, tx.as_mut(), &record).await?;
    tx.commit().await?;
    tracing::info!(%payment, claim = %id, "the payer asked for a refund");
    let record = app.store.payment(payment).await?.ok_or(Refused::NoPayment)?;
    let found = find(app, &record, id, &fees).ok_or(Refused::NoClaim)?;
    Ok(Created { body: shown(&found), replayed: false })
}

fn find(app: &App, record: &PaymentWithDeposits, id: Uuid, fees: &Fees) -> Option<Claimable> {
    record.claimable(app.clock.now(), fees).into_iter().find(|claim| claim.id == id)
}

/// It came from the payer's own wallet, and needs no approval to go back there.
async fn send_back(
    app: &App,
    tx: &mut dyn Tx,
    record: &PaymentWithDeposits,
    claim: &Claimable,
    to: Given,
) -> Result<(), Refused> {
    let (now, business) = (app.clock.now(), record.payment.business);
    let refund = record.refund(claim.id).ok_or(Refused::NoClaim)?.clone();
    let payout = refund.payout(app.new_id(), business, to.clone(), false, now);
    tx.insert_payout(&payout).await?;
    let claim = Claim { is_own_wallet: true, ..Claim::new(to, now) };
    let refund = refund.claimed(claim)?.queued(&payout);
    Ok(tx.put_refund(record.payment.id, business, &refund).await?)
}

async fn store(
    app: &App,
    tx: &mut dyn Tx,
    business: &Business,
    record: &PaymentWithDeposits,
    (claim, to): (&Claimable, &Recipient),
) -> Result<(), Refused> {
    let now = app.clock.now();
    let given = to.in_normal_form();
    match claim.source {
        ClaimSource::Automatic | ClaimSource::Merchant => {
            let refund = record.refund(claim.id).ok_or(Refused::NoClaim)?.clone();
            let is_charged = refund.charge().is_some();
            if is_charged && !give_address(tx, claim.id, to, now).await? {
                return Err(Refused::Claimed);
            }
            tx.put_refund(record.payment.id, business.id, &refund.claimed(Claim::new(given, now))?).await?;
            if is_charged {
                tx.require_approval(claim.id).await?;
            }
        }
        ClaimSource::Kept => {
            if business.disabled || !app.broadcasters.contains_key(&claim.pair.network) {
                return Err(Refused::NotClaimable);
            }
            let request = RefundRequest::of_claim(claim.id);
            let what = (claim.pair, to.clone(), Target::Crypto(claim.amount), claim.fee);
            let payer = Caller::Session { payment: record.payment.id };
            let charged = refund_payment::charged(app, tx, payer, business, record, &request, what).await;
            let withdrawal = charged.map_err(|refused| match refused {
                Refused::Invalid(_) => Refused::NotClaimable,
                refused => refused,
            })?;
            if !reserve(app, tx, &withdrawal, &request.hash(record.payment.id), PayoutState::Waiting).await? {
                return Err(Refused::Claimed);
            }
            tx.require_approval(withdrawal.id).await?;
            refresh_payment::refresh(app, tx, &withdrawal).await?;
        }
    }
    Ok(())
}

/// What the merchant refunded may be meant for the same money, also in another coin: then only the merchant knows.
fn may_approve_itself(record: &PaymentWithDeposits, source: ClaimSource) -> bool {
    let is_by_merchant = |refund: &Refund| refund.lasts() && matches!(refund.source, Source::Merchant(_));
    match source {
        ClaimSource::Kept => !record.refunds().any(is_by_merchant),
        ClaimSource::Automatic | ClaimSource::Merchant => true,
    }
}

/// Whether all that was asked for of this payment is within the limit up to which the business approves by itself, and within the one
/// above which an operator approves. A deposit that came when there was no rate is in neither.
async fn is_within_limit(app: &App, tx: &mut dyn Tx, after: &PaymentWithDeposits) -> Stored<bool> {
    let rules = tx.rules(after.payment.business, app.clock.now()).await?;
    let Some(limit) = rules.claim_limit else { return Ok(false) };
    let limit = rules.approval_above.map_or(limit, |most| limit.min(most));
    let claims = after.refunds().filter(|refund| refund.phase.claim().is_some());
    let booked = tx.booked(after.payment.id).await?;
    let all: Option<Decimal> = claims.map(|refund| after.worth(refund, &booked)).sum();
    Ok(all.is_some_and(|all| all <= limit))
}
