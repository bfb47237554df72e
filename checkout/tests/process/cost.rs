//! The cost of requests without a token: twenty a second must not be felt by anybody else.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::gateway::{Gateway, on_both};

/// Requests of each kind.
const REQUESTS: u32 = 20;

/// The most processor time of one request in a debug build on a quiet machine, which needs about ten times that of a release build.
const BUDGET: Duration = Duration::from_millis(40);

/// A little less than the longest body that is read, which has 64 KiB.
const LONGEST: usize = 65_000;

/// User and system time of a process.
fn processor_time(process: u32) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields = text.rsplit_once(')').unwrap().1.split_whitespace().skip(11);
    let ticks: u64 = fields.take(2).map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// Sends a request without a token and reads the answer to its end. Returns its status.
pub(crate) fn ask(base: &str, method: &str, path: &str, (kind, body): (&str, &str)) -> u16 {
    let mut stream = TcpStream::connect(base).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\nOrigin: https://shop.example\r\n\
         Access-Control-Request-Method: GET\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer[9..12]).parse().unwrap()
}

/// Repeats `part`, which may contain its number as `#`, up to the longest body.
fn long(open: &str, part: &str, close: &str) -> String {
    let mut body = open.to_owned();
    for number in 0.. {
        let next = part.replace('#', &number.to_string());
        if body.len() + next.len() + close.len() > LONGEST {
            break;
        }
        body += &next;
    }
    body + close
}

fn bodies() -> Vec<(&'static str, &'static str, String)> {
    let json = "application/json";
    vec![
        ("no body", json, String::new()),
        ("different keys", json, long("{\"a\":1", ",\"#\":1", "}")),
        ("one key", json, long("{\"a\":1", ",\"a\":1", "}")),
        ("wrong values of known keys", json, long("{\"currency\":1", ",\"address\":{}", "}")),
        ("deep", json, long("{\"a\":", "[", "")),
        ("a long text", json, long("{\"currency\":\"BTC\",\"network\":\"BTC\",\"address\":\"", "1", "\"}")),
        ("a long number", json, long("{\"displayAmount\":", "9", "}")),
        ("a form", "application/x-www-form-urlencoded", long("a=1", "&depositCurrency=#", "")),
    ]
}

/// Every route that answers without a token, and those that refuse, with the longest bodies and addresses.
#[test]
#[cfg(target_os = "linux")]
fn a_request_without_a_token_costs_little_processor_time() {
    on_both(|database| {
        let gateway = Gateway::sandbox(database, &[]);
        let payment = "00000000-0000-7000-8000-000000000000";
        let address = "1".repeat(7_000);
        let mut asked: Vec<(String, &str, String, &str, String)> = Vec::new();
        for path in
            ["/api/v1/payments", "/api/v1/withdrawals", "/whitelist-addresses", "/api/v1/addresses/validate"]
        {
            for (name, kind, body) in bodies() {
                asked.push((name.to_owned(), "POST", path.to_owned(), kind, body));
            }
        }
        for (name, kind, body) in bodies() {
            asked.push((name.to_owned(), "PATCH", format!("/api/v1/payments/{payment}"), kind, body.clone()));
            asked.push((name.to_owned(), "POST", format!("/checkout/{payment}"), kind, body));
        }
        for path in [
            "/".to_owned(),
            "/api/v1/currencies".to_owned(),
            "/api/openapi.json".to_owned(),
            "/api/v1/rates?from=BTC,BCH,LTC,ETH,USDT,USDC,LINK,XRP,XLM&to=EUR,USD,GBP,CHF,JPY".to_owned(),
            format!("/api/v1/rates?from={}&to=EUR", "BTC,".repeat(1_700)),
            format!("/api/v1/rates?{}", "from=BTC&".repeat(700)),
            "/api/v1/fees/withdraw/BTC".to_owned(),
            format!("/api/v1/currency/BTC/network/BTC/address/{address}/valid"),
            format!(
                "/api/v1/currency/XRP/network/XRP/address/{address}/destinationTag/{}/valid",
                "1".repeat(500)
            ),
            format!(
                "/api/v1/currency/XRP/network/XRP/address/rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY/destinationTag/{}/valid",
                "1".repeat(7_000)
            ),
            format!("/api/v1/payments/{payment}"),
            format!("/api/v1/checkout/{payment}"),
            format!("/checkout/{payment}?sessionToken={address}"),
            format!("/{address}"),
            "/healthz".to_owned(),
            "/readyz".to_owned(),
        ] {
            asked.push((String::new(), "GET", path, "text/plain", String::new()));
        }
        asked.push((
            "preflight".to_owned(),
            "OPTIONS",
            format!("/api/v1/payments/{payment}"),
            "text/plain",
            String::new(),
        ));
        let budget = BUDGET * checkout_test_support::factor();
        let mut over = String::new();
        for (name, method, path, kind, body) in asked {
            let status = ask(gateway.base(), method, &path, (kind, &body));
            let before = processor_time(gateway.id());
            for _ in 0..REQUESTS {
                assert_eq!(ask(gateway.base(), method, &path, (kind, &body)), status);
            }
            let each = processor_time(gateway.id()).saturating_sub(before) / REQUESTS;
            let path: String = path.chars().take(60).collect();
            if each > budget {
                writeln!(over, "{each:?} {method} {path} {name}: {status}").unwrap();
            }
        }
        assert!(over.is_empty(), "over {budget:?}:\n{over}");
    });
}
