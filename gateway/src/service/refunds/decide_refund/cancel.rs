//! Takes a refund of the merchant back that is not sent.

use checkout_domain::access::token::Caller;
use checkout_domain::payment::refund_steps::NotNow;
use checkout_wire::ListedRefund;
use uuid::Uuid;

use super::find;
use crate::service::App;
use crate::service::callbacks::announce_events;
use crate::service::payouts::pay_out;
use crate::service::refunds::refund_payment::read_listed;
use crate::service::refused::Refused;

/// Its money is back on the balance.
pub async fn cancel(app: &App, caller: Caller, id: Uuid) -> Result<ListedRefund, Refused> {
    let found = find(app, caller, id).await?;
    let mut tx = app.store.begin().await?;
    let record = tx.payment(found.payment).await?.ok_or(Refused::NoRefund)?;
    if record.refund(id).ok_or(Refused::NoRefund)?.can_be_cancelled()? {
        if !pay_out::cancel(app, tx.as_mut(), id).await? {
            return Err(NotNow::TooLate.into());
        }
        announce_events::since(app, tx.as_mut(), &record).await?;
        tx.commit().await?;
    }
    read_listed(app, id).await
}
