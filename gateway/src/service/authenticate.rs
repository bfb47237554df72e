//! From a bearer token to the one it speaks for.

use crate::domain::session;
use crate::domain::token::{Caller, TokenHash};
use crate::ports::Stored;
use crate::service::App;

/// `None` for a token that is unknown, revoked or over.
pub async fn caller(app: &App, token: &str) -> Stored<Option<Caller>> {
    let now = app.clock.now();
    let Some((caller, session)) = app.store.caller(&TokenHash::of(token), now).await? else {
        return Ok(None);
    };
    let is_over = session.and_then(session::ends_at).is_some_and(|end| now >= end);
    Ok((!is_over).then_some(caller))
}
