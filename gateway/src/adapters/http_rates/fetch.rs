//! One GET: its own connection, one limit of time for all of it, one of size.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::pki_types::ServerName;
use url::{Position, Url};

use crate::adapters::http_courier::{AGENT, tls};

/// No list of rates is longer.
const LONGEST: usize = 1024 * 1024;

pub(super) struct Fetcher {
    url: Url,
    tls: TlsConnector,
    patience: Duration,
}

/// An address of the web; the reason is the end of a sentence.
pub(super) fn read_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("cannot be read: {error}"))?;
    if !matches!(url.scheme(), "https" | "http") || url.host_str().is_none() {
        return Err("has to begin with https:// (or http://, in a network of your own)".to_owned());
    }
    Ok(url)
}

impl Fetcher {
    pub(super) fn new(url: &str, patience: Duration) -> Result<Self, String> {
        Self::trusting(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }, url, patience)
    }

    /// The same with other roots than those of the web.
    pub(super) fn trusting(roots: RootCertStore, url: &str, patience: Duration) -> Result<Self, String> {
        Ok(Self { url: read_url(url)?, tls: tls(roots), patience })
    }

    /// The body of a sound answer.
    pub(super) async fn get(&self) -> Result<Vec<u8>, String> {
        let answer = tokio::time::timeout(self.patience, self.talk()).await;
        answer.unwrap_or_else(|_| Err(format!("no whole answer in {} seconds", self.patience.as_secs())))
    }

    async fn talk(&self) -> Result<Vec<u8>, String> {
        let (host, port) = (self.url.host_str(), self.url.port_or_known_default());
        let (host, port) = host.zip(port).ok_or("the URL has no host")?;
        let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let stream = TcpStream::connect((bare.as_str(), port)).await;
        let stream = stream.map_err(|error| format!("no connection: {error}"))?;
        if self.url.scheme() == "http" {
            return exchange(stream, self.request()?).await;
        }
        let name =
            ServerName::try_from(bare).map_err(|_| "the host's name is no name of a server".to_owned())?;
        let stream = self.tls.connect(name, stream).await.map_err(|error| format!("TLS failed: {error}"))?;
        exchange(stream, self.request()?).await
    }

    fn request(&self) -> Result<Request<Body>, String> {
        Request::get(&self.url[Position::BeforePath..Position::AfterQuery])
            .header(header::HOST, &self.url[Position::BeforeHost..Position::AfterPort])
            .header(header::USER_AGENT, AGENT)
            .header(header::ACCEPT, "application/json")
            .body(Body::empty())
            .map_err(|error| format!("no request: {error}"))
    }
}

async fn exchange<S>(stream: S, request: Request<Body>) -> Result<Vec<u8>, String>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let failed = |error: hyper::Error| format!("no answer: {error}");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
    // Dropping the set ends the connection.
    let mut driver = JoinSet::new();
    driver.spawn(connection);
    let response = sender.send_request(request).await.map_err(failed)?;
    let status = response.status();
    if status != 200 {
        return Err(format!("the feed answered {status}"));
    }
    let body = axum::body::to_bytes(Body::new(response.into_body()), LONGEST).await;
    body.map(|bytes| bytes.to_vec()).map_err(|error| format!("the answer broke off or is too long: {error}"))
}
