//! A small web server of another party: a merchant's page, or an attacker's.

use parking_lot::Mutex;
use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, Uri};
use checkout_test_nodes::serve_at;

/// Serves the same page at every path, until the journey ends.
pub(crate) struct Merchant {
    pub(crate) origin: String,
    visits: Arc<Mutex<Vec<String>>>,
}

impl Merchant {
    /// `headers` are complete lines, such as a Content-Security-Policy.
    pub(crate) fn open(html: &str, headers: &[&str]) -> Self {
        Self::listen(TcpListener::bind("127.0.0.1:0").expect("a port is free"), html, headers)
    }

    /// Listens on an origin that is known before its page.
    pub(crate) fn reserve() -> (TcpListener, String) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let origin = format!("http://{}", listener.local_addr().expect("it listens"));
        (listener, origin)
    }

    pub(crate) fn open_at(listener: TcpListener, html: &str) -> Self {
        Self::listen(listener, html, &[])
    }

    /// Listens on an origin that has the other one as a prefix, if that one is free.
    pub(crate) fn open_alike(origin: &str, html: &str) -> Self {
        let alike = origin.trim_start_matches("http://");
        let listener =
            TcpListener::bind(&alike[..alike.len() - 1]).or_else(|_| TcpListener::bind("127.0.0.1:0"));
        Self::listen(listener.expect("a port is free"), html, &[])
    }

    fn listen(listener: TcpListener, html: &str, headers: &[&str]) -> Self {
        let visits = Arc::new(Mutex::new(Vec::new()));
        let (log, html) = (Arc::clone(&visits), html.to_owned());
        let lines = headers.iter().filter_map(|line| line.split_once(": "));
        let mut head: HeaderMap = lines
            .map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value")))
            .collect();
        head.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        let answer = move |target: Uri| async move {
            log.lock().push(target.to_string());
            (head, html)
        };
        Self { origin: serve_at(listener, Router::new().fallback(answer)), visits }
    }

    /// The path and query of every request so far.
    pub(crate) fn visits(&self) -> Vec<String> {
        self.visits.lock().clone()
    }
}
