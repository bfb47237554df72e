//! One payment, for who may see it.

use std::sync::Arc;

use checkout_core::wire::PaymentStatus;
use uuid::Uuid;

use crate::domain::payment::{Payment, Record};
use crate::domain::standing;
use crate::domain::token::Caller;
use crate::ports::Stored;
use crate::service::App;

/// The payment in the status of this moment. `None` when there is none, and when it is somebody else's.
pub async fn read(app: &App, caller: Caller, id: Uuid) -> Stored<Option<(Arc<Record>, PaymentStatus)>> {
    let record = find(app, caller, id).await?;
    Ok(record.map(|record| {
        let status = standing::status(&record, app.clock.now());
        (record, status)
    }))
}

pub async fn find(app: &App, caller: Caller, id: Uuid) -> Stored<Option<Arc<Record>>> {
    Ok(app.store.payment(id).await?.filter(|record| may_see(caller, &record.payment)))
}

pub fn may_see(caller: Caller, payment: &Payment) -> bool {
    match caller {
        Caller::Organisation => true,
        Caller::Business(business) => business == payment.business,
        Caller::Session { payment: own } => own == payment.id,
    }
}
