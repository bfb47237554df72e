//! Settings shared by all outgoing HTTP requests: TLS 1.2 or later with the browsers' root certificates, no
//! redirects, no proxy, one connection per request.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Response};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};

pub const AGENT: &str = concat!("Crypto-Checkout/", env!("CARGO_PKG_VERSION"));

pub fn web_roots() -> RootCertStore {
    RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }
}

/// `timeout` covers everything from the DNS look-up to the end of the answer.
pub fn builder(roots: RootCertStore, timeout: Duration) -> ClientBuilder {
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider supports TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(Policy::none())
        .no_proxy()
        .pool_max_idle_per_host(0)
        .user_agent(AGENT)
        .timeout(timeout)
}

/// Longest answer of a node or an indexer: the trace of a full block has tens of megabytes.
pub const MAX_ANSWER: usize = 128 * MIB;

/// Longest answer of a signer or a feed of rates.
pub const MAX_SHORT_ANSWER: usize = MIB;

const MIB: usize = 1024 * 1024;

/// Why a body was not read.
#[derive(Debug)]
pub enum BodyError {
    /// It has more bytes than this.
    TooLong(usize),
    Broken(reqwest::Error),
}

impl fmt::Display for BodyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(limit) => write!(f, "it is longer than {} MiB", limit / MIB),
            Self::Broken(error) => f.write_str(&reason(error)),
        }
    }
}

/// Reads a body up to a number of bytes. A longer one is refused as soon as that is known, and is not kept.
pub async fn read_body(mut response: Response, limit: usize) -> Result<Vec<u8>, BodyError> {
    let length = response.content_length().and_then(|length| usize::try_from(length).ok());
    if response.content_length().is_some() && length.is_none_or(|length| length > limit) {
        return Err(BodyError::TooLong(limit));
    }
    let mut body = Vec::with_capacity(length.unwrap_or(0));
    while let Some(chunk) = response.chunk().await.map_err(|error| BodyError::Broken(error.without_url()))? {
        if chunk.len() > limit - body.len() {
            return Err(BodyError::TooLong(limit));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The failed step and its cause, for the log and the record of attempts.
pub fn reason(error: &reqwest::Error) -> String {
    let step = if error.is_timeout() && error.is_connect() {
        return "no connection in time".to_owned();
    } else if error.is_dns() {
        "the host's name cannot be resolved"
    } else if is_tls(error) {
        "TLS failed"
    } else if error.is_connect() {
        "no connection"
    } else {
        "no answer"
    };
    format!("{step}: {}", root_cause(error))
}

/// A failed TCP connection has its own error type below the client's error; a failed handshake is a plain
/// [`io::Error`].
fn is_tls(error: &reqwest::Error) -> bool {
    error.is_connect()
        && matches!(error.source().and_then(Error::source), Some(cause) if cause.is::<io::Error>())
}

fn root_cause(error: &reqwest::Error) -> &dyn Error {
    let mut cause: &dyn Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause
}
