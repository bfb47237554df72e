//! Connections: limits, time limits, graceful shutdown.

mod caps;
mod malformed;
mod stream;

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

pub use self::caps::Caps;
use self::caps::{ConnectionSlot, Connections};
use self::stream::GuardedStream;

/// Time limits for clients.
#[derive(Clone, Copy, Debug)]
struct TimeLimits {
    /// For the head of a request, and for the next one on the same connection.
    head: Duration,
    /// Time limit for the client to read some bytes of a response.
    write: Duration,
}

const TIME_LIMITS: TimeLimits = TimeLimits { head: Duration::from_secs(30), write: Duration::from_secs(20) };

/// On a reserved connection.
const SHORT_LIMITS: TimeLimits = TimeLimits { head: Duration::from_secs(2), write: Duration::from_secs(2) };

/// The purpose of reserved connections.
const HEALTH: [&str; 2] = ["/healthz", "/readyz"];

/// Pause if no connection can be accepted, for example without free file handles.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until `shutdown`, then finishes requests in progress. Handlers get the peer's address as
/// [`ConnectInfo`].
pub async fn serve(listener: TcpListener, router: Router, caps: Caps, shutdown: impl Future<Output = ()>) {
    let connections = GracefulShutdown::new();
    let open = Connections::new(caps);
    tokio::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, peer)) => match open.admit(peer.ip()) {
                Some(slot) => {
                    let limits = if slot.is_reserve { SHORT_LIMITS } else { TIME_LIMITS };
                    talk(stream, peer, router.clone(), &connections, limits, Some(slot));
                }
                None => drop(stream),
            },
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

fn talk(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    connections: &GracefulShutdown,
    limits: TimeLimits,
    slot: Option<ConnectionSlot>,
) {
    let is_reserve = slot.as_ref().is_some_and(|slot| slot.is_reserve);
    // Responses are written in one piece; waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let crowded = is_reserve && !HEALTH.contains(&request.uri().path());
        let refusal =
            if crowded { Some(malformed::too_many_connections()) } else { malformed::wrong_host(&request) };
        let mut router = router.clone();
        async move {
            Ok::<Response, Infallible>(match refusal {
                Some(refusal) => malformed::response(refusal),
                None => router.call(request).await.unwrap_or_else(|never| match never {}),
            })
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .keep_alive(!is_reserve)
        .serve_connection(TokioIo::new(GuardedStream::new(stream, limits.write)), service);
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection broke");
        }
        drop(slot);
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
    async fn an_incomplete_request_head_is_disconnected() {
        for beginning in ["", "GET / HTTP/1.1\r\nhost: a\r\n"] {
            let (mut client, server, peer) = pair().await;
            let connections = GracefulShutdown::new();
            let limits = TimeLimits { head: Duration::from_millis(100), ..TIME_LIMITS };
            talk(server, peer, Router::new(), &connections, limits, None);
            client.write_all(beginning.as_bytes()).await.unwrap();
            let started = Instant::now();
            let mut rest = Vec::new();
            let ended = tokio::time::timeout(Duration::from_secs(5), client.read_to_end(&mut rest)).await;
            assert!(ended.is_ok(), "{beginning:?} still waits after {:?}", started.elapsed());
        }
    }

    #[tokio::test]
    async fn requests_in_progress_are_finished() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let slow = get(async |peer: ConnectInfo<SocketAddr>| {
            tokio::time::sleep(Duration::from_millis(300)).await;
            peer.0.ip().to_string()
        });
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let server = tokio::spawn(serve(listener, Router::new().route("/", slow), Caps::default(), async {
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
        assert!(TcpStream::connect(address).await.is_err(), "the listener is still open");
    }

    /// Sends `sent` and returns everything received until the connection ends.
    async fn answer(sent: &[u8], slot: Option<ConnectionSlot>) -> String {
        let (mut client, server, peer) = pair().await;
        let router = Router::new().route("/", get(async || "fine")).route("/healthz", get(async || "alive"));
        let connections = GracefulShutdown::new();
        talk(server, peer, router, &connections, TIME_LIMITS, slot);
        client.write_all(sent).await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn invalid_http_gets_a_problem_with_a_request_id() {
        let long = format!("GET /{} HTTP/1.1\r\nhost: a\r\n\r\n", "a".repeat(70_000));
        let headers = format!("GET / HTTP/1.1\r\nhost: a\r\n{}\r\n", "a: b\r\n".repeat(200));
        for (sent, status, code) in [
            ("nonsense\r\n\r\n", "400", "unreadable_request"),
            ("GET / HTTP/1.1\r\nhost : a\r\n\r\n", "400", "unreadable_request"),
            ("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n", "400", "unreadable_request"),
            (long.as_str(), "414", "address_too_long"),
            (headers.as_str(), "431", "headers_too_large"),
        ] {
            let answer = answer(sent.as_bytes(), None).await;
            let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
            let problem: serde_json::Value = serde_json::from_str(body).expect(&answer);
            assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
            assert_eq!(problem["code"], code, "{answer}");
            let id = problem["requestId"].as_str().unwrap();
            assert!(head.contains(&format!("x-request-id: {id}")), "{head}");
            assert!(head.contains("application/problem+json"), "{head}");
        }
    }

    #[tokio::test]
    async fn a_request_has_exactly_one_host() {
        for (head, expected) in [
            ("GET / HTTP/1.1\r\nhost: a", "200"),
            ("GET / HTTP/1.1\r\nhost: a:8080", "200"),
            ("GET / HTTP/1.0", "200"),
            ("GET / HTTP/1.1", "400"),
            ("GET / HTTP/1.1\r\nhost: a\r\nhost: a", "400"),
            ("GET / HTTP/1.1\r\nhost: a/b", "400"),
        ] {
            let answer = answer(format!("{head}\r\nconnection: close\r\n\r\n").as_bytes(), None).await;
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {expected}")) || answer.starts_with("HTTP/1.0 200"),
                "{head}: {answer}"
            );
            assert_eq!(answer.contains("\"bad_host\""), expected == "400", "{answer}");
        }
    }

    #[tokio::test]
    async fn above_the_limit_only_health_checks_are_served() {
        let crowded = Connections::new(Caps { total: 0, per_client: 0 });
        let slot = || crowded.admit("8.8.8.8".parse().unwrap());
        let answer_of = async |path: &str| {
            answer(format!("GET {path} HTTP/1.1\r\nhost: a\r\n\r\n").as_bytes(), slot()).await
        };
        assert!(answer_of("/healthz").await.ends_with("alive"));
        let refused = answer_of("/").await;
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("too_many_connections"), "{refused}");
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_disconnected() {
        let (client, server, peer) = pair().await;
        let endless = get(async || {
            axum::body::Body::from_stream(futures::stream::repeat_with(|| {
                Ok::<_, io::Error>(vec![0; 65_536])
            }))
        });
        let connections = Connections::new(Caps { total: 1, per_client: 1 });
        let limits = TimeLimits { write: Duration::from_millis(100), ..TIME_LIMITS };
        let slot = connections.admit(peer.ip());
        let graceful = GracefulShutdown::new();
        talk(server, peer, Router::new().route("/", endless), &graceful, limits, slot);
        let mut client = client;
        client.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        // The first slot is free again once the connection was closed.
        let freed = async {
            while connections.admit(peer.ip()).is_none_or(|slot| slot.is_reserve) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), freed).await.expect("the connection is closed");
        drop(client);
    }
}
