//! From a bearer token to the one it speaks for.

use std::sync::Arc;

use uuid::Uuid;

use crate::domain::access::session::{self, Session};
use crate::domain::access::token::{Caller, TokenHash};
use crate::domain::payment::Record;
use crate::ports::Stored;
use crate::service::App;

/// `None` for a token that is unknown, revoked or over.
pub async fn caller(app: &App, token: &str) -> Stored<Option<Caller>> {
    let now = app.clock.now();
    let called = app.store.caller(&TokenHash::of(token), now).await?;
    Ok(called.and_then(|called| whom(called, now)))
}

/// The caller, as above, and the payment with this id, whoever may see it.
pub async fn caller_and_payment(
    app: &App,
    token: &str,
    payment: Uuid,
) -> Stored<Option<(Caller, Option<Arc<Record>>)>> {
    let now = app.clock.now();
    let (called, record) = app.store.caller_and_payment(&TokenHash::of(token), now, payment).await?;
    Ok(called.and_then(|called| whom(called, now)).map(|caller| (caller, record)))
}

fn whom((caller, session): (Caller, Option<Session>), now: u64) -> Option<Caller> {
    let is_over = session.and_then(session::ends_at).is_some_and(|end| now >= end);
    (!is_over).then_some(caller)
}
