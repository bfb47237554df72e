//! From a bearer token to the one it speaks for.

use crate::domain::session;
use crate::domain::token::{Caller, TokenHash};
use crate::ports::Stored;
use crate::service::App;

/// `None` for a token that is unknown, revoked or over.
pub async fn caller(app: &App, token: &str) -> Stored<Option<Caller>> {
    let caller = app.store.caller(&TokenHash::of(token)).await?;
    if let Some(Caller::Session { payment }) = caller {
        let Some(record) = app.store.payment(payment).await? else { return Ok(None) };
        if session::ends_at(&record.payment).is_some_and(|end| app.clock.now() >= end) {
            return Ok(None);
        }
    }
    Ok(caller)
}
