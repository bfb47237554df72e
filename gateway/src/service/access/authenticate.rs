//! Resolves a bearer token to its caller.

use checkout_domain::access::session::{self, Session};
use checkout_domain::access::token::TokenHash;
use checkout_domain::ids::PaymentId;
use checkout_domain::payment::Version;
use checkout_domain::ports::Stored;
use checkout_domain::ports::credentials::Known;

use crate::service::App;
use crate::service::sales::counters;

/// Returns `None` for a token that is unknown, revoked or expired.
pub async fn caller(app: &App, token: &str) -> Stored<Option<Known>> {
    let now = app.clock.now();
    let found = app.store.caller(&TokenHash::of(token), now).await?;
    Ok(found.filter(|known| is_open(known.session, now)))
}

/// Whether the token is accepted by some route.
pub async fn is_known(app: &App, token: &str) -> Stored<bool> {
    let is_counter = counters::of_secret(app.store.as_ref(), token).await?.is_some();
    Ok(is_counter || caller(app, token).await?.is_some())
}

/// The caller, and the version of a payment.
pub async fn caller_and_version(
    app: &App,
    token: &str,
    payment: PaymentId,
) -> Stored<Option<(Known, Option<Version>)>> {
    let now = app.clock.now();
    let found = app.store.caller_and_version(&TokenHash::of(token), now, payment).await?;
    Ok(found.filter(|(known, _)| is_open(known.session, now)))
}

fn is_open(session: Option<Session>, now: u64) -> bool {
    session.and_then(session::ends_at).is_none_or(|end| now < end)
}
