//! Rate limits: by token where there is one, else by client address; refused tokens by client address.

mod client;
mod gcra;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use self::gcra::Buckets;
use crate::domain::access::rate_limits::Limits;
use crate::domain::access::token::{BUSINESS, ORGANISATION, TokenHash};
use crate::http::auth::bearer_token;
use crate::http::problem::Refusal;

pub(crate) use self::client::client_address;

/// What a bucket belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A token by its hash, and whether it changes something.
    Token(String, bool),
    Client(IpAddr),
    /// Of refused tokens.
    Refused(IpAddr),
}

pub(crate) struct Limiter {
    limits: Limits,
    started: Instant,
    buckets: Buckets<Key>,
}

impl Limiter {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, started: Instant::now(), buckets: Buckets::default() }
    }

    /// How long to wait; `None` to go on.
    fn wait(&self, request: &Request, client: IpAddr) -> Option<Duration> {
        let now = self.started.elapsed();
        let Some(token) = token(request.headers()) else {
            return self.buckets.take(Key::Client(client), self.limits.client, now);
        };
        if let Some(wait) = self.buckets.look(&Key::Refused(client), self.limits.refused, now) {
            return Some(wait);
        }
        let is_merchant = token.starts_with(BUSINESS) || token.starts_with(ORGANISATION);
        let changes = !is_merchant && request.method() != Method::GET;
        let quota = match (is_merchant, changes) {
            (true, _) => self.limits.merchant,
            (false, false) => self.limits.session,
            (false, true) => self.limits.session_changes,
        };
        let hash = TokenHash::of(token).as_str().to_owned();
        self.buckets.take(Key::Token(hash, changes), quota, now)
    }

    fn note_refused(&self, client: IpAddr) {
        let now = self.started.elapsed();
        self.buckets.take(Key::Refused(client), self.limits.refused, now);
    }
}

pub(in crate::http) async fn limit(
    State(limiter): State<Arc<Limiter>>,
    request: Request,
    next: Next,
) -> Response {
    // Browsers ask before they send; the request itself is counted.
    if !limiter.limits.enabled || request.method() == Method::OPTIONS {
        return next.run(request).await;
    }
    let client = client_address(&request, limiter.limits.trusted_proxies);
    if let Some(wait) = limiter.wait(&request, client) {
        return Refusal::too_many(wait).into_response();
    }
    let has_token = token(request.headers()).is_some();
    let response = next.run(request).await;
    if has_token && response.status() == StatusCode::UNAUTHORIZED {
        limiter.note_refused(client);
    }
    response
}

fn token(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok().and_then(bearer_token)
}
