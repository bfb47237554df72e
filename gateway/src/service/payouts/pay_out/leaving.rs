//! Asks the rule by which a payout may leave.

use checkout_core::Amount;
use checkout_domain::chain::payout::Payout;
use checkout_domain::ledger::cover::Cover;
use checkout_domain::payment::destination;
use checkout_domain::ports::Stored;
use checkout_domain::withdrawal::approved;
use checkout_domain::withdrawal::may_leave::{Facts, Why, may_leave};

use super::changed::{Changed, refunded};
use super::cover::cover;
use super::prepare_refund::is_current;
use crate::service::App;
use crate::service::payouts::hourly_limit;
use crate::service::payouts::own_address::is_deposit_address;

/// Before it is signed. A refund that is not prepared yet can still change: its amount is compared with the limit later. The balances are
/// asked last, by [`covered`].
pub(super) async fn may_be_signed(
    app: &App,
    payout: &Payout,
    is_own: Option<bool>,
    is_prepared: bool,
) -> Stored<Result<(), Why>> {
    let business = app.store.business(payout.business).await?;
    let approval = app.store.approval(payout.id).await?;
    let is_disabled = business.is_none_or(|business| business.disabled);
    let is_screened =
        !payout.purpose.is_charged() || app.store.is_screened(payout.id, app.clock.now()).await?;
    let is_within_limit = !is_prepared || hourly_limit::allows(app, payout).await?;
    Ok(may_leave(Facts {
        is_disabled,
        cover: Cover::Final,
        is_own,
        approval,
        is_as_approved: true,
        is_screened,
        is_within_limit,
        is_fee_enough: true,
        is_current: true,
    }))
}

/// Whether its own money pays for it. Locks as [`Changed::of`] does.
pub(super) async fn covered(app: &App, payout: &Payout) -> Stored<Result<(), Why>> {
    let mut tx = app.store.begin().await?;
    let record = refunded(tx.as_mut(), payout).await?;
    tx.business(payout.business).await?;
    let charged = tx.withdrawal(payout.id).await?;
    Ok(match cover(tx.as_mut(), record.as_ref(), charged.as_ref(), payout).await? {
        Cover::Final => Ok(()),
        Cover::Pending => Err(Why::NotFinal),
        Cover::Others => Err(Why::Overdrawn),
    })
}

/// Why it waits is stored, so that it is said wherever the payout is shown. What its approval says of it is stored there.
pub(super) async fn note(app: &App, payout: &Payout, why: Why) -> Stored<()> {
    let is_of_approval = matches!(why, Why::Rejected | Why::Unapproved | Why::ApprovedOtherwise);
    let why = Some(why).filter(|_| !is_of_approval);
    if payout.why == why {
        return Ok(());
    }
    let mut tx = app.store.begin().await?;
    refunded(tx.as_mut(), payout).await?;
    tx.put_why(payout.id, why, app.clock.now()).await?;
    tx.commit().await
}

/// The same in the transaction that stores its bytes, which locked the payout and its payment.
pub(super) async fn leaving(app: &App, changed: &mut Changed, asked: Amount) -> Stored<Result<(), Why>> {
    let Changed { tx, before: record, payout } = changed;
    let (record, payout) = (record.as_ref(), &*payout);
    let is_disabled = tx.business(payout.business).await?.is_none_or(|business| business.disabled);
    let withdrawal = tx.withdrawal(payout.id).await?;
    let cover = cover(tx.as_mut(), record, withdrawal.as_ref(), payout).await?;
    let approval = withdrawal.as_ref().and_then(|withdrawal| withdrawal.approval);
    // An approval has it screened again, and so has each day.
    let now = app.clock.now();
    let is_screened = withdrawal.as_ref().is_none_or(|charged| charged.is_screened(now));
    let automatic = record.and_then(|record| record.refund_by_payout(payout.id));
    let is_fee_enough = withdrawal.as_ref().is_none_or(|charged| asked <= charged.fee)
        && automatic.is_none_or(|(_, refund)| asked <= refund.fee);
    let is_as_approved = withdrawal.is_none_or(|withdrawal| approved::is_as_approved(payout, &withdrawal))
        && automatic.is_none_or(|(deposit, refund)| destination::is_as_approved(payout, deposit, refund));
    let is_own = Some(is_deposit_address(tx.as_mut(), payout.pair.network, &payout.to).await?);
    let is_current = is_current(app, record, payout);
    let is_within_limit = hourly_limit::note_signed(app, tx.as_mut(), payout).await?;
    Ok(may_leave(Facts {
        is_disabled,
        cover,
        is_own,
        approval,
        is_as_approved,
        is_screened,
        is_within_limit,
        is_fee_enough,
        is_current,
    }))
}

/// Whether what was charged pays for what the network asks now. Meanwhile a withdrawal or a refund of the merchant is listed as one that
/// waits for its fee.
pub(super) async fn note_fee(app: &App, payout: &Payout, asked: Amount) -> Stored<bool> {
    let Some(charged) = app.store.charged(payout.id).await? else { return Ok(true) };
    let above = Some(asked).filter(|asked| *asked > charged.fee);
    if above != charged.asked_fee {
        let mut tx = app.store.begin().await?;
        refunded(tx.as_mut(), payout).await?;
        tx.put_asked_fee(payout.id, above).await?;
        tx.commit().await?;
        if above.is_some() && charged.asked_fee.is_none() {
            let [fee, asked] = [charged.fee, asked].map(|fee| fee.to_text(payout.pair.decimals));
            tracing::warn!(payout = %payout.id, fee, asked, why = Why::Fee.sentence(), "not sent");
        }
    }
    Ok(above.is_none())
}
