//! Clients that do not read their responses.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::gateway::{Gateway, on_both};

/// Requests the same long document repeatedly and reads nothing.
fn leave_unread(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    let request = "GET /api/openapi.json HTTP/1.1\r\nhost: a\r\n\r\n".repeat(50);
    let _ = stream.write_all(request.as_bytes());
    stream
}

fn health(address: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    write!(stream, "GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

/// Asks for up to six seconds.
fn soon(is_so: impl Fn() -> bool) -> bool {
    (0..60).any(|_| {
        is_so() || {
            std::thread::sleep(Duration::from_millis(100));
            false
        }
    })
}

/// A reserved connection used by another download is free again within two seconds.
#[test]
fn unread_downloads_do_not_block_health_checks() {
    on_both(|database| {
        let gateway = Gateway::start_in_shell("ulimit -n 128; exec \"$0\" \"$@\"", database, &["--sandbox"]);
        let unread: Vec<TcpStream> = (0..106).map(|_| leave_unread(gateway.base())).collect();
        for _ in 0..5 {
            let is_answered =
                soon(|| health(gateway.base()).is_some_and(|answer| answer.starts_with("HTTP/1.1 200")));
            assert!(is_answered, "/healthz answers during {} unread downloads", unread.len());
        }
        drop(unread);
        // The gateway finds the connections closed one after another; until then it answers 503.
        let currencies = || gateway.call("GET", "/api/v1/currencies", &serde_json::Value::Null).0;
        assert!(soon(|| currencies() == 200), "the connections are free again");
    });
}
