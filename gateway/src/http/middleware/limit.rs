//! Rate limits. A request with a verified token counts for the token, any other one for its client address: without a token
//! under one limit, with a token that is not verified yet under another, so that neither kind can use up the other's. What was
//! counted for the address before its token was verified is given back: payers behind one address do not limit each other.

pub(crate) mod buckets;
mod client;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use checkout_domain::access::rate_limits::RateLimits;
use checkout_domain::access::token::{BUSINESS, ORGANISATION, TokenHash};
use checkout_domain::ids::BusinessId;
use tokio::sync::Semaphore;

use self::buckets::Buckets;
use crate::http::auth::{Verified, bearer_token};
use crate::http::checkout::checkout_page::{
    CLAIM_ROUTE, LOOKUP_ROUTE, RECEIPT_ROUTE, ROUTE, WALLET_ROUTE, parameter, session_token,
};
use crate::http::checkout::visit::is_for_a_person;
use crate::http::problem::{Refusal, whole_seconds};
use crate::service::App;
use crate::service::access::authenticate;
use crate::site;

pub(crate) use self::client::{client_address, forwarded, network_of};

/// Tokens that are looked up at the same time for clients over their limit. A flood occupies no more of the store.
const LOOKUPS: usize = 2;

/// How long such a look-up may take, with the wait for its turn.
const TIMEOUT: Duration = Duration::from_secs(5);

/// For the operator, once.
const CROWD: &str = "requests from one address are over its limit. If it is a proxy's, all clients share it: set [limits] trusted_proxies. \
Payers have limits of their own";

pub(crate) struct Limiter {
    app: Arc<App>,
    limits: RateLimits,
    clients: Buckets<IpAddr>,
    unverified: Buckets<IpAddr>,
    /// Verified tokens only, by their hash.
    merchants: Buckets<String>,
    sessions: Buckets<String>,
    session_changes: Buckets<String>,
    pages: Buckets<String>,
    /// Transactions that payers look up.
    transactions: Buckets<BusinessId>,
    lookups: Semaphore,
    /// Whether the log says that an address is over its limit.
    told: AtomicBool,
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
    purpose: Purpose,
}

enum Purpose {
    Merchant,
    /// A payer's page, or one of its forms as it opens.
    Page,
    Read,
    Change,
}

impl Token {
    fn of(request: &Request) -> Option<Self> {
        // A page verifies the token in its address, whatever stands in a header.
        let of_page = of_page(request);
        let is_page = of_page.is_some();
        let text = of_page.or_else(|| bearer(request.headers()).map(str::to_owned))?;
        let is_safe = request.method().is_safe();
        let purpose = match text.as_str() {
            text if text.starts_with(BUSINESS) || text.starts_with(ORGANISATION) => Purpose::Merchant,
            _ if !is_safe => Purpose::Change,
            _ if is_page => Purpose::Page,
            _ => Purpose::Read,
        };
        Some(Self { hash: TokenHash::of(&text).as_str().to_owned(), purpose, text })
    }
}

impl Guard {
    pub(crate) fn new(limiter: &Arc<Limiter>, is_private: bool) -> Self {
        Self { limiter: Arc::clone(limiter), is_private }
    }

    /// Counts the request. Returns whether it counts for its token, or how long to wait.
    async fn admit(&self, client: IpAddr, token: Option<&Token>) -> Result<bool, Duration> {
        let limiter = &self.limiter;
        let Some(token) = token else {
            return limiter.count(&limiter.clients, client).map_or(Ok(false), Err);
        };
        if !limiter.knows(token) {
            let Some(wait) = limiter.count(self.strangers(), client) else { return Ok(false) };
            if !limiter.is_valid(token).await {
                return Err(wait);
            }
        }
        limiter.take(token).map_or(Ok(true), Err)
    }

    /// Counts what has a token that is not verified yet.
    fn strangers(&self) -> &Buckets<IpAddr> {
        if self.is_private { &self.limiter.unverified } else { &self.limiter.clients }
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
            pages: Buckets::new(limits.client),
            transactions: Buckets::new(limits.session),
            lookups: Semaphore::new(LOOKUPS),
            told: AtomicBool::new(false),
        }
    }

    /// Counts a request for its address. The first one over the limit is told to the operator.
    fn count(&self, addresses: &Buckets<IpAddr>, client: IpAddr) -> Option<Duration> {
        let wait = addresses.take(&client)?;
        if !self.told.swap(true, Ordering::Relaxed) {
            tracing::warn!("{CROWD}");
        }
        Some(wait)
    }

    fn take(&self, token: &Token) -> Option<Duration> {
        let buckets = match token.purpose {
            Purpose::Merchant => &self.merchants,
            Purpose::Page => &self.pages,
            Purpose::Read => &self.sessions,
            Purpose::Change => &self.session_changes,
        };
        buckets.take(&token.hash)
    }

    fn knows(&self, token: &Token) -> bool {
        self.tokens().iter().any(|kind| kind.knows(&token.hash))
    }

    fn forget(&self, token: &Token) {
        self.tokens().iter().for_each(|kind| kind.forget(&token.hash));
    }

    fn tokens(&self) -> [&Buckets<String>; 4] {
        [&self.merchants, &self.pages, &self.sessions, &self.session_changes]
    }

    /// Looks up a token of a client that is over its limit: a right one is not refused because of a flood beside it.
    async fn is_valid(&self, token: &Token) -> bool {
        let lookup = async {
            let _turn = self.lookups.acquire().await;
            authenticate::is_known(&self.app, &token.text).await
        };
        matches!(tokio::time::timeout(TIMEOUT, lookup).await, Ok(Ok(true)))
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
        Err(wait) => return refuse(&request, wait),
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
            guard.strangers().give_back(&client);
        }
    }
    response
}

fn refuse(request: &Request, wait: Duration) -> Response {
    if !is_for_a_person(request.headers()) {
        return Refusal::too_many(wait).into_response();
    }
    let locale = parameter(request.uri().query().unwrap_or_default(), "locale").unwrap_or_default();
    site::busy_page(whole_seconds(wait), &locale)
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok().and_then(bearer_token)
}

/// The session token in the address of a payment's page and of its forms.
fn of_page(request: &Request) -> Option<String> {
    const ROUTES: [&str; 5] = [ROUTE, LOOKUP_ROUTE, WALLET_ROUTE, CLAIM_ROUTE, RECEIPT_ROUTE];
    let route = request.extensions().get::<MatchedPath>()?;
    request.uri().query().filter(|_| ROUTES.contains(&route.as_str())).and_then(session_token)
}
