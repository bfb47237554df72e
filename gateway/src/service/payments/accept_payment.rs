//! Accepts what a payment received as its price.

use checkout_domain::ids::PaymentId;
use checkout_domain::payment::acceptance::NotAcceptable;
use checkout_domain::payment::{PaymentWithDeposits, status};
use checkout_domain::ports::{Store, Stored};

use crate::service::callbacks::announce_events::{self, EventStamp};

#[derive(Debug)]
pub enum Accepted {
    /// Now or before.
    Paid(Box<PaymentWithDeposits>),
    Refused(NotAcceptable),
    NoPayment,
}

/// The payment is paid from now on, as long as its deposits stand. It needs no running gateway: nothing is booked anew.
pub async fn accept(store: &dyn Store, source: &EventStamp<'_>, id: PaymentId) -> Stored<Accepted> {
    let mut tx = store.begin().await?;
    let Some(before) = tx.payment(id).await? else { return Ok(Accepted::NoPayment) };
    let mut record = before.clone();
    match record.accept(source.now) {
        Err(why) => return Ok(Accepted::Refused(why)),
        Ok(false) => return Ok(Accepted::Paid(Box::new(record))),
        Ok(true) => {}
    }
    status::refresh_status(&mut record, source.now);
    tx.update_payment(&record.payment).await?;
    announce_events::since_from(store, source, tx.as_mut(), &before).await?;
    tx.commit().await?;
    tracing::info!(payment = %id, "accepted");
    Ok(Accepted::Paid(Box::new(record)))
}
