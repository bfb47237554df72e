//! Rate limits. A request counts for its client address until its token is verified, then for the token.
//! Refused tokens count for the client address, too.

mod buckets;
mod client;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use self::buckets::Buckets;
use crate::domain::access::rate_limits::Limits;
use crate::domain::access::token::{BUSINESS, ORGANISATION, TokenHash};
use crate::http::auth::{Verified, bearer_token};
use crate::http::problem::Refusal;

pub(crate) use self::client::{client_address, network_of};

pub(crate) struct Limiter {
    limits: Limits,
    clients: Buckets<IpAddr>,
    refused: Buckets<IpAddr>,
    /// Verified tokens only, by their hash.
    merchants: Buckets<String>,
    sessions: Buckets<String>,
    session_changes: Buckets<String>,
}

/// The key of a request with a token, once the token is verified.
struct Token {
    hash: String,
    is_merchant: bool,
    changes: bool,
}

impl Token {
    fn of(request: &Request) -> Option<Self> {
        let text = token(request.headers())?;
        Some(Self {
            hash: TokenHash::of(text).as_str().to_owned(),
            is_merchant: text.starts_with(BUSINESS) || text.starts_with(ORGANISATION),
            changes: request.method() != Method::GET,
        })
    }
}

impl Limiter {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            clients: Buckets::new(limits.client),
            refused: Buckets::new(limits.refused),
            merchants: Buckets::new(limits.merchant),
            sessions: Buckets::new(limits.session),
            session_changes: Buckets::new(limits.session_changes),
        }
    }

    fn take(&self, token: &Token) -> Option<Duration> {
        let buckets = match (token.is_merchant, token.changes) {
            (true, _) => &self.merchants,
            (false, false) => &self.sessions,
            (false, true) => &self.session_changes,
        };
        buckets.take(&token.hash)
    }

    fn tokens(&self) -> [&Buckets<String>; 3] {
        [&self.merchants, &self.sessions, &self.session_changes]
    }
}

pub(crate) async fn limit(State(limiter): State<Arc<Limiter>>, mut request: Request, next: Next) -> Response {
    if !limiter.limits.enabled || request.method() == Method::OPTIONS {
        return next.run(request).await;
    }
    let client = client_address(&request, limiter.limits.trusted_proxies);
    let token = Token::of(&request);
    let known = token.as_ref().filter(|token| limiter.tokens().iter().any(|kind| kind.knows(&token.hash)));
    let wait = known.map_or_else(|| limiter.clients.take(&client), |token| limiter.take(token));
    if let Some(wait) = wait {
        return Refusal::too_many(wait).into_response();
    }
    let verified = Verified::default();
    request.extensions_mut().insert(verified.clone());
    let response = next.run(request).await;
    if let Some(token) = &token {
        if response.status() == StatusCode::UNAUTHORIZED {
            limiter.tokens().iter().for_each(|kind| kind.forget(&token.hash));
            if let Some(wait) = limiter.refused.take(&client) {
                return Refusal::too_many(wait).into_response();
            }
        } else if known.is_none() && verified.get() {
            limiter.take(token);
        }
    }
    response
}

/// Preflights have no token: they count for the client address.
pub(crate) async fn limit_preflights(
    State(limiter): State<Arc<Limiter>>,
    request: Request,
    next: Next,
) -> Response {
    if limiter.limits.enabled && request.method() == Method::OPTIONS {
        let client = client_address(&request, limiter.limits.trusted_proxies);
        if let Some(wait) = limiter.clients.take(&client) {
            return Refusal::too_many(wait).into_response();
        }
    }
    next.run(request).await
}

fn token(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok().and_then(bearer_token)
}
