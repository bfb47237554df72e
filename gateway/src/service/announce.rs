//! Sends callbacks for payment events. A callback is stored in the transaction of the change that it reports.

use checkout_domain::business::Business;
use checkout_domain::ledger::settlement::Settlement;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::payment::{Payment, PaymentWithDeposits};
use checkout_domain::ports::Stored;
use checkout_domain::ports::callbacks::CallbackTx;
use checkout_domain::webhook::{Callback, Kind, State};
use checkout_domain::withdrawal::Withdrawal;
use uuid::Uuid;

use crate::events::{deposit_received, withdrawal_ended};
use crate::service::App;

/// The callback of a deposit that is credited. It is stored once per deposit, however often that leaves the chain and
/// returns.
pub fn deposit_counts(
    app: &App,
    business: &Business,
    record: &PaymentWithDeposits,
    deposit: &Deposit,
    settlement: &Settlement,
) -> Option<Callback> {
    let (Some(quote), Some(_)) = (&record.payment.quote, &business.deposit_callback) else { return None };
    let body = deposit_received::body(record, quote, deposit, settlement);
    Some(callback(app, business.id, Kind::Deposit, deposit.id, body))
}

/// Holds the callback of a deposit that is no longer credited, unless it was delivered, until the deposit
/// counts again.
pub async fn deposit_is_gone(tx: &mut dyn CallbackTx, payment: &Payment, deposit: &Deposit) -> Stored<()> {
    if tx.hold_callback(Kind::Deposit, deposit.id).await? == Some(State::Delivered) {
        // The interface has no message that revokes a callback.
        tracing::warn!(payment = %payment.id, deposit = %deposit.id, transaction = deposit.output.transaction,
            "a deposit left the chain after its callback was sent");
    }
    Ok(())
}

/// Adds the callback of a withdrawal that is COMPLETED, FAILED or BLOCKED.
pub async fn withdrawal_ended(app: &App, tx: &mut dyn CallbackTx, withdrawal: &Withdrawal) -> Stored<()> {
    put_withdrawal(app, tx, withdrawal, Kind::Withdrawal, withdrawal.id).await
}

/// Adds the callback of a withdrawal that another of its transactions paid than the one that was reported.
pub async fn withdrawal_replaced(app: &App, tx: &mut dyn CallbackTx, withdrawal: &Withdrawal) -> Stored<()> {
    put_withdrawal(app, tx, withdrawal, Kind::WithdrawalReplaced, app.new_id()).await
}

/// Adds the callback of a withdrawal that was reported as COMPLETED and failed in its block. A report that was not delivered is
/// not sent any more.
pub async fn withdrawal_reverted(app: &App, tx: &mut dyn CallbackTx, withdrawal: &Withdrawal) -> Stored<()> {
    tx.hold_callback(Kind::Withdrawal, withdrawal.id).await?;
    tx.hold_replacements(withdrawal.business, withdrawal.id).await?;
    put_withdrawal(app, tx, withdrawal, Kind::WithdrawalReverted, withdrawal.id).await
}

async fn put_withdrawal(
    app: &App,
    tx: &mut dyn CallbackTx,
    withdrawal: &Withdrawal,
    kind: Kind,
    subject: Uuid,
) -> Stored<()> {
    let business = app.store.business(withdrawal.business).await?;
    let Some(business) = business.filter(|business| business.withdrawal_callback.is_some()) else {
        return Ok(());
    };
    let body = withdrawal_ended::body(withdrawal, app.policy.both_spellings);
    tx.put_callback(&callback(app, business.id, kind, subject, body)).await
}

fn callback(app: &App, business: Uuid, kind: Kind, subject: Uuid, body: String) -> Callback {
    let (id, now) = (app.new_id(), app.clock.now());
    Callback {
        id,
        business,
        kind,
        subject,
        body,
        created_at: now,
        state: State::Pending,
        attempts: 0,
        failures: 0,
        due_at: Some(now),
    }
}
