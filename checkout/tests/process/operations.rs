//! Operations: metrics on a separate port, JSON logs, graceful shutdown.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use checkout_test_support::patience;
use serde_json::{Value, json};

use crate::gateway::Gateway;

/// Returns a port that was free a moment ago.
pub(crate) fn free() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

pub(crate) fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn metrics_have_their_own_port() {
    let folder = tempfile::tempdir().unwrap();
    let metrics = free();
    let gateway = Gateway::start(&folder.path().join("a.db"), &["--metrics", &metrics]);
    assert!(get(gateway.base(), "/healthz").starts_with("HTTP/1.1 200"));
    assert!(get(gateway.base(), "/metrics").starts_with("HTTP/1.1 404"), "metrics are not public");
    assert!(get(&metrics, "/metrics").contains("route=\"/healthz\",status=\"200\"} 1"));
    assert!(get(&metrics, "/api/v1/currencies").starts_with("HTTP/1.1 404"));
}

/// Each log line is a JSON object, each request has its id, and no line holds a secret.
#[test]
fn logs_are_json_and_contain_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut gateway =
        Gateway::start_with(&folder.path().join("a.db"), &["--sandbox", "--log-format", "json"], |c| {
            c.env("CHECKOUT_LOG", "debug").stderr(std::fs::File::create(&log).unwrap());
        });
    let body =
        json!({"clientPaymentId": "a", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "1"});
    let made = gateway.post("/api/v1/payments", &body);
    let url = made["paymentUrl"].as_str().unwrap().to_owned();
    let (_, page) = url.split_once("/checkout/").unwrap();
    gateway.call("GET", &format!("/checkout/{page}"), &Value::Null);
    let session = page.split(['=', '&']).nth(1).unwrap().to_owned();
    let counter = json!({"title": "Stall", "displayCurrency": "EUR", "maxAmount": "5"});
    let counter = gateway.post("/api/v1/counters", &counter);
    let counter = counter["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
    let business = gateway.ready["businessToken"].as_str().unwrap().to_owned();
    gateway.ready["businessToken"] = session.clone().into();
    gateway.call("GET", &format!("/api/v1/payments/{}", page.split('?').next().unwrap()), &Value::Null);
    gateway.ready["businessToken"] = counter.clone().into();
    gateway.call("GET", "/counter", &Value::Null);
    gateway.call("GET", "/api/v1/counter", &Value::Null);
    assert_eq!(gateway.stop("-TERM"), Some(0));
    let text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let requests: Vec<&Value> = lines.iter().filter(|line| line["message"] == "request").collect();
    assert_eq!(requests.len(), 6);
    assert!(
        requests.iter().all(|line| line["request_id"].is_string() && line["status"].is_number()),
        "{requests:?}"
    );
    for secret in [&session, &business, &counter] {
        assert!(!text.contains(secret.as_str()), "a token is in the log");
    }
}

/// A request in progress when the signal arrives is answered.
#[test]
fn draining() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = Gateway::start(&folder.path().join("a.db"), &["--sandbox"]);
    let body = r#"{"advanceSeconds":1}"#;
    let mut stream = TcpStream::connect(gateway.base()).unwrap();
    let length = body.len();
    write!(
        stream,
        "POST /sandbox/clock HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    )
    .unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let (address, started) = (gateway.base().to_owned(), Instant::now());
    let stopping = std::thread::spawn(move || gateway.stop("-TERM"));
    while TcpStream::connect(&address).is_ok() {
        assert!(started.elapsed() < patience(), "it still accepts connections");
        std::thread::sleep(Duration::from_millis(20));
    }
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(stopping.join().unwrap(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(9), "{:?}", started.elapsed());
}

/// The documentation names every flag.
#[test]
fn every_flag_is_documented() {
    let help = Command::new(env!("CARGO_BIN_EXE_checkout"))
        .args(["serve", "--help"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let documented = include_str!("../../../docs/operations.md");
    let flags: Vec<&str> =
        help.split_whitespace().filter(|word| word.starts_with("--") && *word != "--help").collect();
    assert!(flags.len() >= 8, "{flags:?}");
    for flag in flags {
        let flag = flag.trim_end_matches([',', '.', ']']);
        assert!(documented.contains(flag), "{flag} is not in docs/operations.md");
    }
}
