//! Sends callbacks for payment events. A callback is stored in the transaction of the change that it reports.

use uuid::Uuid;

use crate::domain::business::Business;
use crate::domain::ledger::settlement::Settlement;
use crate::domain::payment::deposit::Deposit;
use crate::domain::payment::{Payment, PaymentWithDeposits};
use crate::domain::webhook::{Callback, Kind, State, deposit_received, withdrawal_ended};
use crate::domain::withdrawal::Withdrawal;
use crate::ports::Stored;
use crate::ports::callbacks::CallbackTx;
use crate::service::App;

/// Adds the callback of a deposit that is credited; once per deposit, however often it leaves the chain and
/// returns.
pub async fn deposit_counts(
    app: &App,
    tx: &mut dyn CallbackTx,
    business: &Business,
    record: &PaymentWithDeposits,
    deposit: &Deposit,
    settlement: &Settlement,
) -> Stored<()> {
    let (Some(quote), Some(_)) = (&record.payment.quote, &business.deposit_callback) else { return Ok(()) };
    let body = deposit_received::body(record, quote, deposit, settlement);
    put(app, tx, business.id, Kind::Deposit, deposit.id, body).await
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
    let business = app.store.business(withdrawal.business).await?;
    let Some(business) = business.filter(|business| business.withdrawal_callback.is_some()) else {
        return Ok(());
    };
    let body = withdrawal_ended::body(withdrawal, app.policy.both_spellings);
    put(app, tx, business.id, Kind::Withdrawal, withdrawal.id, body).await
}

async fn put(
    app: &App,
    tx: &mut dyn CallbackTx,
    business: Uuid,
    kind: Kind,
    subject: Uuid,
    body: String,
) -> Stored<()> {
    let (id, now) = (app.new_id(), app.clock.now());
    let callback = Callback {
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
    };
    tx.put_callback(&callback).await
}
