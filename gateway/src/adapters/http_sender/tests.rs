//! Tests with real sockets and real TLS.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Instant;

use checkout_chain_http::client::AGENT;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;
use crate::adapters::localhost_tls;

const BODY: &str = r#"{"amount":0.10}"#;

fn post(url: &str) -> Post<'_> {
    Post { url, headers: &[], body: BODY }
}

fn sender(reach: Reach) -> HttpSender {
    HttpSender::trusting(RootCertStore::empty(), reach, Duration::from_millis(500))
}

async fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// Reads one request and answers with these bytes. Returns the request.
async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, bytes: &str) -> String {
    let mut request = Vec::new();
    while !request.ends_with(BODY.as_bytes()) {
        let mut part = [0; 1024];
        match stream.read(&mut part).await {
            Ok(count) if count > 0 => request.extend_from_slice(&part[..count]),
            _ => break,
        }
    }
    let _ = stream.write_all(bytes.as_bytes()).await;
    let _ = stream.flush().await;
    String::from_utf8(request).unwrap()
}

async fn answered(bytes: &'static str) -> Posted {
    let (listener, port) = listen().await;
    let server = tokio::spawn(async move { answer(listener.accept().await.unwrap().0, bytes).await });
    let posted = sender(Reach::Anywhere).post(post(&format!("http://127.0.0.1:{port}/hook"))).await;
    server.await.unwrap();
    posted
}

fn reason(posted: Posted) -> String {
    match posted.outcome {
        Outcome::Unanswered { reason } => reason,
        answered @ Outcome::Answered { .. } => panic!("{answered:?}"),
    }
}

#[tokio::test]
async fn the_request() {
    let (listener, port) = listen().await;
    let server = tokio::spawn(async move {
        answer(listener.accept().await.unwrap().0, "HTTP/1.1 204 No Content\r\n\r\n").await
    });
    let headers = [("webhook-id", "id-1".to_owned())];
    let url = format!("http://localhost:{port}/hooks/deposit?shop=7");
    let posted = sender(Reach::Anywhere).post(Post { url: &url, headers: &headers, body: BODY }).await;
    assert_eq!(posted.outcome, Outcome::Answered { status: 204 });
    let request = server.await.unwrap();
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /hooks/deposit?shop=7 HTTP/1.1\r\n"), "{head}");
    for line in [
        format!("host: localhost:{port}"),
        "content-type: application/json".to_owned(),
        format!("content-length: {}", BODY.len()),
        "webhook-id: id-1".to_owned(),
        format!("user-agent: {AGENT}"),
    ] {
        assert!(head.lines().any(|have| have.eq_ignore_ascii_case(&line)), "{line} in {head}");
    }
    assert_eq!(body, BODY);
}

#[tokio::test]
async fn answers() {
    let status = |posted: &Posted| match posted.outcome {
        Outcome::Answered { status } => status,
        Outcome::Unanswered { .. } => 0,
    };
    for (bytes, expected, retry_after) in [
        ("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nunfinished", 200, None),
        ("HTTP/1.1 503 Busy\r\nretry-after: 120\r\n\r\n", 503, Some(RetryAfter::Seconds(120))),
        (
            "HTTP/1.1 429 Slow\r\nretry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
            429,
            Some(RetryAfter::At(784_111_777)),
        ),
        ("HTTP/1.1 429 Slow\r\nretry-after: soon\r\n\r\n", 429, None),
        ("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\n\r\n", 0, None),
        ("HTTP/1.1 304 Not Modified\r\n\r\n", 304, None),
        ("HTTP/1.1 410 Gone\r\n\r\n", 410, None),
        ("nonsense\r\n\r\n", 0, None),
        ("", 0, None),
    ] {
        let posted = answered(bytes).await;
        assert_eq!((status(&posted), posted.retry_after), (expected, retry_after), "{bytes:?}: {posted:?}");
    }
}

#[tokio::test]
async fn a_redirect_names_its_target() {
    for (location, expected) in [
        (
            "https://shop.example/hook/",
            "a redirect (301) to https://shop.example/hook/, which is not followed",
        ),
        ("/hook/?token=secret", "/hook/, which is not followed: set the URL to where it leads"),
    ] {
        let bytes =
            format!("HTTP/1.1 301 Moved Permanently\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
        let said = reason(answered(bytes.leak()).await);
        assert!(said.contains(expected) && !said.contains("secret"), "{said}");
    }
}

#[tokio::test]
async fn silence_ends() {
    let (listener, port) = listen().await;
    let started = Instant::now();
    let silent = sender(Reach::Anywhere).post(post(&format!("http://127.0.0.1:{port}/"))).await;
    assert!(reason(silent).starts_with("no answer in"));
    assert!(started.elapsed() < Duration::from_secs(5));
    drop(listener);
    let refused = sender(Reach::Anywhere).post(post(&format!("http://127.0.0.1:{port}/"))).await;
    assert!(reason(refused).starts_with("no connection"));
}

/// The listener sees no connection: refused requests send no packet.
#[tokio::test]
async fn outside_the_sandbox_private_addresses_are_refused() {
    let (listener, port) = listen().await;
    for host in [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "017700000001",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::127.0.0.1]",
        "0.0.0.0",
        "10.0.0.1",
        "169.254.169.254",
        "192.168.1.1",
        "[fd00::1]",
        "[fe80::1]",
    ] {
        let posted = sender(Reach::Public).post(post(&format!("https://{host}:{port}/"))).await;
        assert_eq!(reason(posted), "the host is not on the public internet", "{host}");
    }
    for url in [
        format!("http://1.1.1.1:{port}/"),
        format!("https://user:pw@127.0.0.1:{port}/"),
        "ftp://1.1.1.1/".to_owned(),
        "nonsense".to_owned(),
    ] {
        assert!(reason(sender(Reach::Public).post(post(&url)).await).starts_with("the URL"), "{url}");
    }
    let seen = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
    assert!(seen.is_err(), "a connection was made");
}

/// Returns each answer once, then repeats the last one.
struct Rebinding {
    answers: std::sync::Mutex<Vec<IpAddr>>,
    asked: std::sync::atomic::AtomicU32,
}

impl Resolve for Rebinding {
    fn resolve(&self, _: Name) -> Resolving {
        self.asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let address = if answers.len() > 1 { answers.remove(0) } else { answers[0] };
        Box::pin(async move { Ok(Box::new([SocketAddr::from((address, 0))].into_iter()) as Addrs) })
    }
}

/// A name that is public when checked and private afterwards: the connection uses the checked address, and
/// the next request is refused. 127.0.0.2 represents the public internet.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_name_that_changes_its_address_cannot_redirect() {
    let public = Ipv4Addr::new(127, 0, 0, 2);
    let outside = TcpListener::bind((public, 0)).await.unwrap();
    let port = outside.local_addr().unwrap().port();
    let inside = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.unwrap();
    let answers = vec![IpAddr::from(public), IpAddr::from(Ipv4Addr::LOCALHOST)];
    let resolver = Arc::new(Rebinding { answers: answers.into(), asked: 0.into() });
    let is_public = |address| address == IpAddr::from([127, 0, 0, 2]);
    let guard = Guard { reach: Reach::Public, is_public };
    let sender =
        HttpSender::resolving(RootCertStore::empty(), Duration::from_millis(500), guard, resolver.clone());
    let url = format!("https://rebinding.example:{port}/");
    let first = sender.post(post(&url));
    let (first, ()) = tokio::join!(first, async { drop(outside.accept().await.unwrap()) });
    assert!(reason(first).starts_with("TLS failed"), "it reached the checked address");
    assert_eq!(resolver.asked.load(std::sync::atomic::Ordering::SeqCst), 1, "it was resolved once");
    assert_eq!(reason(sender.post(post(&url)).await), "the host is not on the public internet");
    let seen = tokio::time::timeout(Duration::from_millis(50), inside.accept()).await;
    assert!(seen.is_err(), "a connection reached the private address");
}

#[test]
fn callback_urls_are_checked_when_set() {
    let check = |url: &str, reach, expected: Result<(), &str>| {
        let found = check_url(url, reach).map(drop);
        assert_eq!(found, expected.map_err(str::to_owned), "{url}");
    };
    let private = Err("is not on the public internet");
    check("https://shop.example/hooks", Reach::Public, Ok(()));
    check("https://1.1.1.1/hooks", Reach::Public, Ok(()));
    for host in [
        "127.0.0.1",
        "0x7f000001",
        "localhost",
        "localhost.",
        "hooks.localhost",
        "[::1]",
        "10.0.0.1",
        "169.254.169.254",
    ] {
        check(&format!("https://{host}/hooks"), Reach::Public, private);
        check(&format!("http://{host}/hooks"), Reach::Anywhere, Ok(()));
    }
    check("http://shop.example/hooks", Reach::Public, Err("must start with https://"));
    check("https://a:b@shop.example/", Reach::Public, Err("must not carry a user name or a password"));
    check("nowhere", Reach::Anywhere, Err("is not an absolute web address"));
}

#[tokio::test]
async fn tls_by_trusted_names_only() {
    let (acceptor, roots) = localhost_tls::make();
    let (listener, port) = listen().await;
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            if let Ok(stream) = acceptor.accept(stream).await {
                answer(stream, "HTTP/1.1 200 OK\r\n\r\n").await;
            }
        }
    });
    let timeout = Duration::from_secs(5);
    let trusting = HttpSender::trusting(roots, Reach::Anywhere, timeout);
    let by_name = trusting.post(post(&format!("https://localhost:{port}/"))).await;
    assert_eq!(by_name.outcome, Outcome::Answered { status: 200 });
    let by_address = trusting.post(post(&format!("https://127.0.0.1:{port}/"))).await;
    assert!(reason(by_address).starts_with("TLS failed"), "the certificate is for another name");
    let strict = HttpSender::new(Reach::Anywhere);
    let unknown = strict.post(post(&format!("https://localhost:{port}/"))).await;
    assert!(reason(unknown).starts_with("TLS failed"), "the certificate is not trusted");
}
