//! Rate limits. A request with a verified token counts for the token, any other one for its client address: without a token
//! under one limit, with a token that is not verified yet under another, so that neither kind can use up the other's.

pub(crate) mod buckets;
mod client;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use checkout_domain::access::rate_limits::RateLimits;
use checkout_domain::access::token::{BUSINESS, ORGANISATION, TokenHash};
use checkout_domain::ids::BusinessId;
use tokio::sync::Semaphore;

use self::buckets::Buckets;
use crate::http::auth::{Verified, bearer_token};
use crate::http::checkout_page::{LOOKUP_ROUTE, ROUTE, WALLET_ROUTE, session_token};
use crate::http::problem::Refusal;
use crate::service::{App, authenticate};

pub(crate) use self::client::{client_address, forwarded, network_of};

/// Tokens that are looked up at the same time for clients over their limit. A flood occupies no more of the store.
const LOOKUPS: usize = 2;

/// How long such a look-up may take, with the wait for its turn.
const TIMEOUT: Duration = Duration::from_secs(1);

pub(crate) struct Limiter {
    app: Arc<App>,
    limits: RateLimits,
    clients: Buckets<IpAddr>,
    unverified: Buckets<IpAddr>,
    /// Verified tokens only, by their hash.
    merchants: Buckets<String>,
    sessions: Buckets<String>,
    session_changes: Buckets<String>,
    /// Transactions that payers look up.
    transactions: Buckets<BusinessId>,
    lookups: Semaphore,
}

/// Counts the transactions that payers of a business look up, over all of its payments: nodes answer them.
#[derive(Clone)]
pub(crate) struct Lookups(Arc<Limiter>);

impl Lookups {
    /// Whether the business is below its limit.
    pub(crate) fn take(&self, business: BusinessId) -> bool {
        self.0.transactions.take(&business).is_none()
    }
}

/// The limits of a group of routes.
#[derive(Clone)]
pub(crate) struct Guard {
    limiter: Arc<Limiter>,
    /// Every request needs a token.
    is_private: bool,
}

/// A token and what it is used for.
struct Token {
    text: String,
    hash: String,
    is_merchant: bool,
    changes: bool,
}

impl Token {
    fn of(request: &Request) -> Option<Self> {
        let text = bearer(request.headers()).map(str::to_owned).or_else(|| of_form(request))?;
        Some(Self {
            hash: TokenHash::of(&text).as_str().to_owned(),
            is_merchant: text.starts_with(BUSINESS) || text.starts_with(ORGANISATION),
            changes: !request.method().is_safe(),
            text,
        })
    }
}

impl Guard {
    pub(crate) fn new(limiter: &Arc<Limiter>, is_private: bool) -> Self {
        Self { limiter: Arc::clone(limiter), is_private }
    }

    /// Counts the request. Returns whether it counts for its token, or how long to wait.
    async fn admit(&self, client: IpAddr, token: Option<&Token>) -> Result<bool, Duration> {
        let limiter = &self.limiter;
        let Some(token) = token else { return limiter.clients.take(&client).map_or(Ok(false), Err) };
        if !limiter.knows(token) {
            let strangers = if self.is_private { &limiter.unverified } else { &limiter.clients };
            let Some(wait) = strangers.take(&client) else { return Ok(false) };
            if !limiter.is_valid(token).await {
                return Err(wait);
            }
        }
        limiter.take(token).map_or(Ok(true), Err)
    }
}

impl Limiter {
    pub(crate) fn new(app: &Arc<App>) -> Self {
        let limits = app.policy.limits;
        Self {
            app: Arc::clone(app),
            limits,
            clients: Buckets::new(limits.client),
            unverified: Buckets::new(limits.refused),
            merchants: Buckets::new(limits.merchant),
            sessions: Buckets::new(limits.session),
            session_changes: Buckets::new(limits.session_changes),
            transactions: Buckets::new(limits.session),
            lookups: Semaphore::new(LOOKUPS),
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

    fn knows(&self, token: &Token) -> bool {
        self.tokens().iter().any(|kind| kind.knows(&token.hash))
    }

    fn forget(&self, token: &Token) {
        self.tokens().iter().for_each(|kind| kind.forget(&token.hash));
    }

    fn tokens(&self) -> [&Buckets<String>; 3] {
        [&self.merchants, &self.sessions, &self.session_changes]
    }

    /// Looks up a token of a client that is over its limit: a right one is not refused because of a flood beside it.
    async fn is_valid(&self, token: &Token) -> bool {
        let lookup = async {
            let _turn = self.lookups.acquire().await;
            authenticate::caller(&self.app, &token.text).await
        };
        matches!(tokio::time::timeout(TIMEOUT, lookup).await, Ok(Ok(Some(_))))
    }
}

pub(crate) async fn limit(State(guard): State<Guard>, mut request: Request, next: Next) -> Response {
    let limiter = &guard.limiter;
    if !limiter.limits.enabled {
        return next.run(request).await;
    }
    let client = client_address(&request, limiter.limits.trusted_proxies);
    let token = Token::of(&request);
    let counted = match guard.admit(client, token.as_ref()).await {
        Ok(counted) => counted,
        Err(wait) => return Refusal::too_many(wait).into_response(),
    };
    let verified = Verified::default();
    request.extensions_mut().insert(verified.clone());
    request.extensions_mut().insert(Lookups(Arc::clone(limiter)));
    let response = next.run(request).await;
    if let Some(token) = &token {
        if response.status() == StatusCode::UNAUTHORIZED {
            limiter.forget(token);
        } else if !counted && verified.get() {
            limiter.take(token);
        }
    }
    response
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok().and_then(bearer_token)
}

/// The token of a choice on the page without script, which is a change like PATCH, of a look-up, and of a signed transaction.
fn of_form(request: &Request) -> Option<String> {
    let route = request.extensions().get::<MatchedPath>()?;
    let is_form =
        request.method() == Method::POST && [ROUTE, LOOKUP_ROUTE, WALLET_ROUTE].contains(&route.as_str());
    request.uri().query().filter(|_| is_form).and_then(session_token)
}
