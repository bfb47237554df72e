//! Cancels a payment.

use checkout_domain::ids::PaymentId;
use checkout_domain::payment::{PaymentWithDeposits, status};
use checkout_domain::ports::Stored;
use checkout_wire::PaymentType;

use crate::service::App;
use crate::service::callbacks::announce_events;

/// The outcome of a cancellation.
#[derive(Debug)]
pub enum Cancelled {
    /// It is over, now or before.
    Over(Box<PaymentWithDeposits>),
    /// A deposit was seen: it can be refunded.
    DepositSeen,
    /// It never ends.
    Reusable,
    NoPayment,
}

/// Ends the window of a payment, and no payer opens another one. What a payer sends afterwards is a late deposit, as after any other end.
pub async fn cancel(app: &App, id: PaymentId) -> Stored<Cancelled> {
    let mut tx = app.store.begin().await?;
    let Some(mut record) = tx.payment(id).await? else { return Ok(Cancelled::NoPayment) };
    let now = app.clock.now();
    if record.payment.kind == PaymentType::Reusable {
        return Ok(Cancelled::Reusable);
    }
    if record.paying_deposits().any(|deposit| !record.is_given_back(deposit)) {
        return Ok(Cancelled::DepositSeen);
    }
    if record.payment.cancelled_at.is_some() {
        return Ok(Cancelled::Over(Box::new(record)));
    }
    record.payment.cancelled_at = Some(now);
    let has_moved = status::refresh_status(&mut record, now);
    tx.update_payment(&record.payment).await?;
    if has_moved {
        announce_events::status(app, tx.as_mut(), &record).await?;
    }
    tx.commit().await?;
    tracing::info!(payment = %id, "cancelled");
    Ok(Cancelled::Over(Box::new(record)))
}
