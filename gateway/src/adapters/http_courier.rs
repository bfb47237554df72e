//! The way to merchants: one connection for each request, over TLS by the roots that browsers trust.
//!
//! Names are resolved here and the connection goes to the very address that was checked, so that no second
//! answer of the name service leads elsewhere. Redirects are answers like any other: nothing follows them.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::body::Body;
use axum::http::{HeaderMap, Request, header};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use url::{Host, Url};

use crate::domain::input::origin::check_link;
use crate::domain::input::public_address::is_public;
use crate::domain::webhook::Outcome;
use crate::ports::callbacks::{Courier, Post, Posted, RetryAfter};

/// From the name's look-up to the answer's head.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// For one of several addresses of a name.
const CONNECT: Duration = Duration::from_secs(5);

pub(super) const AGENT: &str = concat!("Crypto-Checkout/", env!("CARGO_PKG_VERSION"));

pub struct HttpCourier {
    tls: TlsConnector,
    reach: Reach,
    patience: Duration,
    resolver: Arc<dyn Resolver>,
    is_public: fn(IpAddr) -> bool,
}

/// The name service.
#[async_trait]
trait Resolver: Send + Sync {
    async fn resolve(&self, name: &str, port: u16) -> std::io::Result<Vec<SocketAddr>>;
}

/// That of the machine.
struct System;

#[async_trait]
impl Resolver for System {
    async fn resolve(&self, name: &str, port: u16) -> std::io::Result<Vec<SocketAddr>> {
        Ok(tokio::net::lookup_host((name, port)).await?.collect())
    }
}

/// TLS 1.2 or later, by these roots.
pub(super) fn tls(roots: RootCertStore) -> TlsConnector {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

/// What can be said of a callback URL before its name is resolved, so that a merchant hears of it when it is set. The reason is
/// the end of a sentence.
pub fn check_url(text: &str, reach: Reach) -> Result<Url, String> {
    check_link(text, reach == Reach::Anywhere).map_err(|fault| fault.detail().to_owned())?;
    let url = Url::parse(text).map_err(|error| format!("cannot be read: {error}"))?;
    let is_private = match url.host() {
        Some(Host::Ipv4(address)) => !is_public(address.into()),
        Some(Host::Ipv6(address)) => !is_public(address.into()),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => true,
    };
    if reach == Reach::Public && is_private {
        return Err("is not on the public internet".to_owned());
    }
    Ok(url)
}

/// Where requests may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// `https:` to addresses of the public internet.
    Public,
    /// Anywhere, `http:` too: the sandbox, where merchants' programs run on the same machine.
    Anywhere,
}

impl HttpCourier {
    pub fn new(reach: Reach) -> Self {
        Self::trusting(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }, reach, PATIENCE)
    }

    /// With other roots and another patience.
    pub fn trusting(roots: RootCertStore, reach: Reach, patience: Duration) -> Self {
        Self { tls: tls(roots), reach, patience, resolver: Arc::new(System), is_public }
    }

    async fn deliver(&self, post: Post<'_>) -> Result<Posted, String> {
        let anywhere = self.reach == Reach::Anywhere;
        check_link(post.url, anywhere).map_err(|fault| format!("the URL {}", fault.detail()))?;
        let url = Url::parse(post.url).map_err(|error| format!("the URL cannot be read: {error}"))?;
        let host = url.host().ok_or("the URL has no host")?;
        let number = url.port_or_known_default().ok_or("the URL has no port")?;
        let stream = self.connect(&host, number).await?;
        let request = request(&url, &post)?;
        if url.scheme() != "https" {
            return exchange(stream, request).await;
        }
        let name = match host {
            Host::Domain(name) => ServerName::try_from(name.to_owned())
                .map_err(|_| "the host's name is no name of a server".to_owned())?,
            Host::Ipv4(address) => ServerName::from(IpAddr::V4(address)),
            Host::Ipv6(address) => ServerName::from(IpAddr::V6(address)),
        };
        let stream = self.tls.connect(name, stream).await.map_err(|error| format!("TLS failed: {error}"))?;
        exchange(stream, request).await
    }

    /// Connects to the first address that may be reached and answers.
    async fn connect(&self, host: &Host<&str>, port: u16) -> Result<TcpStream, String> {
        let addresses: Vec<SocketAddr> = match host {
            Host::Ipv4(address) => vec![(*address, port).into()],
            Host::Ipv6(address) => vec![(*address, port).into()],
            Host::Domain(name) => {
                let found = self.resolver.resolve(name, port).await;
                found.map_err(|error| format!("the host's name cannot be resolved: {error}"))?
            }
        };
        let mut reason = None;
        for address in addresses {
            if self.reach == Reach::Public && !(self.is_public)(address.ip()) {
                continue;
            }
            match tokio::time::timeout(CONNECT, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => reason = Some(format!("no connection: {error}")),
                Err(_) => reason = Some("no connection in time".to_owned()),
            }
        }
        Err(reason.unwrap_or_else(|| "the host is not on the public internet".to_owned()))
    }
}

#[async_trait]
impl Courier for HttpCourier {
    async fn post(&self, post: Post<'_>) -> Posted {
        let posted = tokio::time::timeout(self.patience, self.deliver(post)).await;
        let posted =
            posted.unwrap_or_else(|_| Err(format!("no answer in {} seconds", self.patience.as_secs())));
        posted.unwrap_or_else(|reason| Posted { outcome: Outcome::Unanswered { reason }, retry_after: None })
    }
}

fn request(url: &Url, post: &Post<'_>) -> Result<Request<Body>, String> {
    let authority = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let mut request = Request::post(target)
        .header(header::HOST, authority)
        .header(header::USER_AGENT, AGENT)
        .header(header::CONTENT_TYPE, "application/json");
    for (name, value) in post.headers {
        request = request.header(*name, value);
    }
    request.body(Body::from(post.body.to_owned())).map_err(|error| format!("no request: {error}"))
}

/// One request and the head of its answer; the connection ends with it.
async fn exchange<S>(stream: S, request: Request<Body>) -> Result<Posted, String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let failed = |error: hyper::Error| format!("no answer: {error}");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
    // Dropping the set ends the connection.
    let mut driver = JoinSet::new();
    driver.spawn(connection);
    let response = sender.send_request(request).await.map_err(failed)?;
    let status = response.status().as_u16();
    Ok(Posted { outcome: Outcome::Answered { status }, retry_after: retry_after(response.headers()) })
}

/// `Retry-After`: seconds or a date (RFC 9110, section 10.2.3).
fn retry_after(headers: &HeaderMap) -> Option<RetryAfter> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(RetryAfter::Seconds(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let since_epoch = date.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(RetryAfter::At(since_epoch.as_secs()))
}

#[cfg(test)]
mod tests;
