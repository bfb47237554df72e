//! Counts the HTTP requests to a server, whose bytes it passes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy};
use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Counter {
    /// In place of the server's.
    pub(crate) url: String,
    requests: Arc<AtomicU64>,
}

impl Counter {
    /// Serves until the runtime ends.
    pub(crate) async fn start(url: &str) -> Self {
        let rest = url.strip_prefix("http://").unwrap();
        let (server, path) =
            rest.split_once('/').map_or((rest, String::new()), |(host, path)| (host, format!("/{path}")));
        let (server, requests) = (server.to_owned(), Arc::new(AtomicU64::new(0)));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}{path}", listener.local_addr().unwrap());
        let counted = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass_on(client, server.clone(), Arc::clone(&counted)));
            }
        });
        Self { url, requests }
    }

    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::SeqCst)
    }
}

async fn pass_on(client: TcpStream, server: String, requests: Arc<AtomicU64>) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    let ((mut from, mut back), (mut answers, mut to)) = (client.into_split(), server.into_split());
    tokio::spawn(async move { copy(&mut answers, &mut back).await });
    let mut bytes = vec![0; 64 * 1024];
    // A client sends the head of a request at once, and waits for the answer to the one before.
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if [&b"POST /"[..], b"GET /"].iter().any(|method| bytes[..count].starts_with(method)) {
            requests.fetch_add(1, Ordering::SeqCst);
        }
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}
