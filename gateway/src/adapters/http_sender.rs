//! Sends webhooks to merchants.
//!
//! Outside the sandbox, requests go only to public addresses. The resolver discards others, and the
//! connection uses the address that was checked, so that a second DNS answer cannot redirect it.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use checkout_chain_http::client::{builder, reason, web_roots};
use checkout_domain::callback::Outcome;
use checkout_domain::ports::callbacks::{Post, Posted, RetryAfter, WebhookSender};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{Client, Response};
use rustls::RootCertStore;
use url::{Host, Url};

use crate::texts::origin::check_link;
use crate::texts::public_address::is_public;

/// Time limit from the DNS look-up to the response headers.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// Time limit of look-up, TCP and TLS.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

const NOT_PUBLIC: &str = "the host is not on the public internet";

pub struct HttpSender {
    client: Client,
    guard: Guard,
    timeout: Duration,
}

/// Allowed targets of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// `https:` to public addresses.
    Public,
    /// Any address, also by `http:`: the sandbox, where merchants' programs run on the same machine.
    Anywhere,
}

/// Checks a callback URL before its name is resolved, so that an error is reported when the URL is set. The
/// error is the end of a sentence.
pub fn check_url(text: &str, reach: Reach) -> Result<Url, String> {
    check_link(text, reach == Reach::Anywhere).map_err(|error| error.detail().to_owned())?;
    let url = Url::parse(text).map_err(|error| format!("cannot be read: {error}"))?;
    // `localhost.` is the same name as an absolute name.
    let name = url.domain().map(|name| name.trim_end_matches('.'));
    let is_local = name.is_some_and(|name| name == "localhost" || name.ends_with(".localhost"));
    if reach == Reach::Public && (is_local || !Guard { reach, is_public }.allows_literal(&url)) {
        return Err("is not on the public internet".to_owned());
    }
    Ok(url)
}

impl HttpSender {
    pub fn new(reach: Reach) -> Self {
        Self::trusting(web_roots(), reach, TIMEOUT)
    }

    /// With other root certificates and another time limit.
    pub fn trusting(roots: RootCertStore, reach: Reach, timeout: Duration) -> Self {
        Self::resolving(roots, timeout, Guard { reach, is_public }, Arc::new(SystemResolver))
    }

    fn resolving(roots: RootCertStore, timeout: Duration, guard: Guard, names: Arc<dyn Resolve>) -> Self {
        let client = builder(roots, timeout)
            .connect_timeout(CONNECT_TIMEOUT)
            .dns_resolver(GuardedResolver { names, guard })
            .build()
            .expect("the settings are constant");
        Self { client, guard, timeout }
    }

    async fn send(&self, post: Post<'_>) -> Result<Posted, String> {
        check_link(post.url, self.guard.reach == Reach::Anywhere)
            .map_err(|error| format!("the URL {}", error.detail()))?;
        let url = Url::parse(post.url).map_err(|error| format!("the URL cannot be read: {error}"))?;
        if !self.guard.allows_literal(&url) {
            return Err(NOT_PUBLIC.to_owned());
        }
        let mut request = self.client.post(url).header(CONTENT_TYPE, "application/json");
        for (name, value) in post.headers {
            request = request.header(*name, value);
        }
        let response =
            request.body(post.body.to_owned()).send().await.map_err(|error| self.reason(&error))?;
        if let Some(target) = redirect(&response) {
            let status = response.status().as_u16();
            return Err(format!(
                "a redirect ({status}) to {target}, which is not followed: set the URL to where it leads"
            ));
        }
        let outcome = Outcome::Answered { status: response.status().as_u16() };
        Ok(Posted { outcome, retry_after: retry_after(response.headers()) })
    }

    fn reason(&self, error: &reqwest::Error) -> String {
        if error.is_timeout() && !error.is_connect() {
            return format!("no answer in {} seconds", self.timeout.as_secs());
        }
        let reason = reason(error);
        if reason.ends_with(NOT_PUBLIC) { NOT_PUBLIC.to_owned() } else { reason }
    }
}

/// Where a redirect leads, without the query, which can be a secret.
fn redirect(response: &Response) -> Option<Url> {
    let target = response.headers().get(LOCATION).filter(|_| response.status().is_redirection())?;
    let mut target = response.url().join(target.to_str().ok()?).ok()?;
    target.set_query(None);
    target.set_fragment(None);
    Some(target)
}

#[async_trait]
impl WebhookSender for HttpSender {
    fn refusal(&self, url: &str) -> Option<String> {
        check_url(url, self.guard.reach).err()
    }

    async fn post(&self, post: Post<'_>) -> Posted {
        let sent = self.send(post).await;
        sent.unwrap_or_else(|reason| Posted { outcome: Outcome::Unanswered { reason }, retry_after: None })
    }
}

/// Resolves names to allowed addresses.
#[derive(Clone, Copy)]
struct Guard {
    reach: Reach,
    is_public: fn(IpAddr) -> bool,
}

impl Guard {
    fn allows(self, address: IpAddr) -> bool {
        self.reach == Reach::Anywhere || (self.is_public)(address)
    }

    /// IP addresses in a URL are never resolved, so they are checked here.
    fn allows_literal(self, url: &Url) -> bool {
        match url.host() {
            Some(Host::Ipv4(address)) => self.allows(address.into()),
            Some(Host::Ipv6(address)) => self.allows(address.into()),
            Some(Host::Domain(_)) => true,
            None => false,
        }
    }
}

struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?.collect::<Vec<_>>();
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

struct GuardedResolver {
    names: Arc<dyn Resolve>,
    guard: Guard,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (found, guard) = (self.names.resolve(name), self.guard);
        Box::pin(async move {
            let allowed: Vec<_> = found.await?.filter(|address| guard.allows(address.ip())).collect();
            if allowed.is_empty() {
                Err(NOT_PUBLIC.into())
            } else {
                Ok(Box::new(allowed.into_iter()) as Addrs)
            }
        })
    }
}

/// `Retry-After`: seconds or a date (RFC 9110, section 10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<RetryAfter> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(RetryAfter::Seconds(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let since_epoch = date.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(RetryAfter::At(since_epoch.as_secs()))
}

#[cfg(test)]
mod tests;
