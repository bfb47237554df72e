//! A hostile server: the answer to everything never ends.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::Response;

#[derive(Clone, Debug)]
pub struct Flood {
    pub url: String,
    sent: Arc<AtomicU64>,
}

const CHUNK: usize = 1024 * 1024;

impl Flood {
    /// Serves until the runtime ends.
    pub async fn start() -> Self {
        let sent = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&sent);
        let chunk = Bytes::from(vec![b' '; CHUNK]);
        let answer = move || {
            let (count, chunk) = (Arc::clone(&count), chunk.clone());
            let chunks = std::iter::repeat_with(move || {
                count.fetch_add(CHUNK as u64, Ordering::Relaxed);
                Ok::<_, Infallible>(chunk.clone())
            });
            async move { Response::new(Body::from_stream(futures::stream::iter(chunks))) }
        };
        let router = Router::new().fallback(answer);
        Self { url: crate::serve(router).await, sent }
    }

    /// Bytes that went out so far.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}
