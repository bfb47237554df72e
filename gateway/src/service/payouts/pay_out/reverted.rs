//! Payouts whose transaction is in a final block and moved nothing.

use checkout_domain::business::events::EventType;
use checkout_domain::chain::payout::{Payout, Purpose};
use checkout_domain::chain::refund_address::NoRefundAddress;
use checkout_domain::ledger::cause::Cause;
use checkout_domain::ports::{Stored, Tx};
use checkout_wire::create_withdrawal::WithdrawalStatus;

use super::changed::Changed;
use super::prepare_refund::wait_again;
use crate::events::Event as _;
use crate::events::withdrawal_ended::WithdrawalEnded;
use crate::events::withdrawal_replaced::WithdrawalReplaced;
use crate::events::withdrawal_reverted::WithdrawalReverted;
use crate::service::App;
use crate::service::callbacks::announce::announce;
use crate::service::transfers::book::reverse;
use crate::service::transfers::follow_deposit::follow_unrefunded;

/// A withdrawal is FAILED and its money is back on the balance; a refund waits for another address.
pub(super) async fn reverted(app: &App, payout: &Payout) -> Stored<bool> {
    let Some(mut changed) = Changed::of(app, payout.clone().reverted()).await? else { return Ok(false) };
    match payout.purpose {
        Purpose::Withdrawal | Purpose::MerchantRefund => fail(app, changed.tx.as_mut(), payout).await?,
        Purpose::Refund => {
            reverse(app, changed.tx.as_mut(), Cause::SentRefund(payout.id)).await?;
            wait_again(app, &mut changed, |refund| refund.needs_address(NoRefundAddress::Reverted)).await?;
        }
    }
    changed.tell(app, EventType::WithdrawalReverted).await?;
    changed.commit().await?;
    tracing::error!(payout = %payout.id, to = payout.to, "its transaction reverted in a final block and moved nothing");
    Ok(true)
}

/// The block of its transaction left the chain.
pub(super) async fn unconfirm(app: &App, payout: &Payout) -> Stored<bool> {
    let next = payout.clone().unconfirmed(app.clock.now());
    let Some(mut changed) = Changed::of(app, next).await? else { return Ok(false) };
    changed.tell(app, EventType::WithdrawalSent).await?;
    changed.commit().await?;
    Ok(true)
}

async fn fail(app: &App, tx: &mut dyn Tx, payout: &Payout) -> Stored<()> {
    let Some(mut withdrawal) = tx.withdrawal(payout.id).await? else { return Ok(()) };
    withdrawal.status = WithdrawalStatus::Failed;
    tx.update_withdrawal(&withdrawal).await?;
    reverse(app, tx, withdrawal.sent_cause()).await?;
    reverse(app, tx, withdrawal.cause()).await?;
    if let Some(payment) = withdrawal.payment() {
        return follow_unrefunded(app, tx, payment).await;
    }
    // A report that was not delivered is not sent any more. Each replacement has a subject of its own; its body names the withdrawal.
    tx.hold_callback(&WithdrawalEnded::ABOUT.kind, withdrawal.id).await?;
    tx.hold_naming(withdrawal.business, &WithdrawalReplaced::ABOUT.kind, withdrawal.id).await?;
    let event = WithdrawalReverted::new(&withdrawal, app.policy.both_spellings);
    announce(app, tx, withdrawal.business, withdrawal.id, event).await
}
