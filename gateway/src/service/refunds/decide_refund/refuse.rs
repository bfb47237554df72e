//! Refuses what the payer asked for.

use checkout_domain::access::token::Caller;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::refund_steps::NotNow;
use checkout_domain::ports::Store;
use checkout_wire::ListedRefund;
use uuid::Uuid;

use super::find;
use crate::service::App;
use crate::service::callbacks::announce_events::{self, EventStamp};
use crate::service::refunds::refund_payment::read_listed;
use crate::service::refused::Refused;

/// Again, it changes nothing.
pub async fn refuse(app: &App, caller: Caller, id: Uuid, reason: &str) -> Result<ListedRefund, Refused> {
    let found = find(app, caller, id).await?;
    refuse_claim(app.store.as_ref(), (app.new_id(), app.clock.now()), found.payment, (id, reason)).await?;
    read_listed(app, id).await
}

/// The same without a gateway.
pub async fn refuse_claim(
    store: &dyn Store,
    (event, now): (Uuid, u64),
    payment: PaymentId,
    (id, reason): (Uuid, &str),
) -> Result<(), Refused> {
    let mut tx = store.begin().await?;
    let record = tx.payment(payment).await?.ok_or(Refused::NoRefund)?;
    let refund = record.refund(id).ok_or(Refused::NoRefund)?;
    let Some(refused) = refund.clone().refused(reason)? else { return Ok(()) };
    if refused.charge().is_some() && !tx.reject(id).await? {
        return Err(NotNow::NotAsked.into());
    }
    tx.put_refund(payment, record.payment.business, &refused).await?;
    let source = EventStamp { new_id: &|| event, now };
    announce_events::since_from(store, &source, tx.as_mut(), &record).await?;
    tx.commit().await?;
    Ok(())
}
