//! Connections: accepted, timed, and ended in order.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tower::Service as _;

/// For the head of a request, and for the next one on the same connection.
const HEAD: Duration = Duration::from_secs(30);

/// How long to rest when no connection can be accepted, such as for want of file handles.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until `shutdown`, then finishes the requests in progress. Handlers find the peer's address as
/// [`ConnectInfo`].
pub async fn serve(listener: TcpListener, router: Router, shutdown: impl Future<Output = ()>) {
    let connections = GracefulShutdown::new();
    tokio::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, peer)) => talk(stream, peer, router.clone(), &connections, HEAD),
            Err(error) if is_of_the_connection(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    connections.shutdown().await;
}

fn talk(stream: TcpStream, peer: SocketAddr, router: Router, connections: &GracefulShutdown, head: Duration) {
    // Answers are written in one piece; waiting for more only delays them.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let mut router = router.clone();
        async move {
            Ok::<Response, Infallible>(router.call(request).await.unwrap_or_else(|never| match never {}))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .serve_connection(TokioIo::new(stream), service);
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection broke");
        }
    });
}

fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(error.kind(), Kind::ConnectionRefused | Kind::ConnectionAborted | Kind::ConnectionReset)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    async fn pair() -> (TcpStream, TcpStream, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (server, peer) = listener.accept().await.unwrap();
        (client, server, peer)
    }

    #[tokio::test]
    async fn who_sends_no_whole_head_is_left() {
        for beginning in ["", "GET / HTTP/1.1\r\nhost: a\r\n"] {
            let (mut client, server, peer) = pair().await;
            let connections = GracefulShutdown::new();
            talk(server, peer, Router::new(), &connections, Duration::from_millis(100));
            client.write_all(beginning.as_bytes()).await.unwrap();
            let started = Instant::now();
            let mut rest = Vec::new();
            let ended = tokio::time::timeout(Duration::from_secs(5), client.read_to_end(&mut rest)).await;
            assert!(ended.is_ok(), "{beginning:?} still waits after {:?}", started.elapsed());
        }
    }

    #[tokio::test]
    async fn what_is_in_progress_is_finished() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let slow = get(async |peer: ConnectInfo<SocketAddr>| {
            tokio::time::sleep(Duration::from_millis(300)).await;
            peer.0.ip().to_string()
        });
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let server = tokio::spawn(serve(listener, Router::new().route("/", slow), async {
            let _ = stopped.await;
        }));
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        stop.send(()).unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("127.0.0.1"), "{answer}");
        server.await.unwrap();
        assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
    }
}
