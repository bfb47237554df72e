//! Settings shared by all outgoing HTTP requests: TLS 1.2 or later with the browsers' root certificates, no
//! redirects, no proxy, one connection per request.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use reqwest::ClientBuilder;
use reqwest::redirect::Policy;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};

pub(super) const AGENT: &str = concat!("Crypto-Checkout/", env!("CARGO_PKG_VERSION"));

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
