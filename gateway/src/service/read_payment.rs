//! One payment, for who may see it.

use std::sync::Arc;

use uuid::Uuid;

use crate::domain::access::token::Caller;
use crate::domain::payment::{Payment, Record};
use crate::ports::Stored;
use crate::service::{App, authenticate};

/// The caller of a token, and the payment. `None` without a caller; no payment when there is none, and when it is somebody
/// else's.
pub async fn find(app: &App, token: &str, id: Uuid) -> Stored<Option<(Caller, Option<Arc<Record>>)>> {
    let called = authenticate::caller_and_payment(app, token, id).await?;
    Ok(called.map(|(caller, record)| (caller, record.filter(|record| may_see(caller, &record.payment)))))
}

pub fn may_see(caller: Caller, payment: &Payment) -> bool {
    match caller {
        Caller::Organisation => true,
        Caller::Business(business) => business == payment.business,
        Caller::Session { payment: own } => own == payment.id,
    }
}
