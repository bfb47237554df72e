//! The measured processes, and the requests to the gateway.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::client::{Load, Turn, answer};
use crate::figures::Row;

pub(crate) struct Gateway {
    process: Child,
    pub(crate) address: SocketAddr,
    token: String,
}

pub(crate) struct Empty {
    process: Child,
    pub(crate) address: SocketAddr,
}

fn first_line(process: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    line.trim().to_owned()
}

impl Empty {
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn start() -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let mut process = command.arg("--empty").stdout(Stdio::piped()).spawn().unwrap();
        let address = first_line(&mut process).parse().unwrap();
        Self { process, address }
    }
}

impl Gateway {
    /// With default settings: every request is logged, to a log that is discarded.
    pub(crate) fn start(binary: &Path, database: &str) -> Self {
        let mut command = Command::new(binary);
        command.args(["serve", "--sandbox", "--listen", "127.0.0.1:0", "--database", database]);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let ready: Value = serde_json::from_str(&first_line(&mut process)).unwrap();
        let text = |name: &str| ready[name].as_str().unwrap().to_owned();
        let address = text("baseUrl").trim_start_matches("http://").parse().unwrap();
        Self { process, address, token: text("businessToken") }
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends one request; returns the JSON of the response and its entity tag.
    pub(crate) async fn call(&self, method: &str, path: &str, body: &Value) -> (Value, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(&request(method, path, &self.token, "", &body.to_string())).await.unwrap();
        let mut buffer = vec![0; 1024 * 1024];
        let (status, length) = answer(&mut stream, &mut buffer).await;
        let text = std::str::from_utf8(&buffer[..length]).unwrap();
        assert!(status < 300, "{method} {path}: {text}");
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap_or_default();
        (serde_json::from_str(body).unwrap(), tag.to_owned())
    }

    /// Creates a payment with a quote; returns its path.
    pub(crate) async fn payment(&self, order: &str) -> String {
        let (created, _) = self.call("POST", "/api/v1/payments", &order_body(order)).await;
        let path = format!("/api/v1/payments/{}", created["paymentInfo"]["paymentId"].as_str().unwrap());
        self.call("PATCH", &path, &json!({"depositCurrency": "BTC"})).await;
        path
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Empty {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn order_body(order: &str) -> Value {
    json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100.00"})
}

fn request(method: &str, path: &str, token: &str, more: &str, body: &str) -> Vec<u8> {
    let mut text =
        format!("{method} {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n{more}");
    if method != "GET" {
        text += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    }
    text += "\r\n";
    if method != "GET" {
        text += body;
    }
    text.into_bytes()
}

/// Runs a load and measures the processor time of the answering process.
pub(crate) async fn turn(
    process: u32,
    load: &Load,
    address: SocketAddr,
    round: usize,
    time: Duration,
) -> Turn {
    let before = processor_micros(process);
    let mut turn = load.run(address, round, time).await;
    turn.processor = before.zip(processor_micros(process)).map(|(before, after)| {
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let (micros, answers) = ((after - before) as f64, turn.micros.len() as f64);
        micros / answers
    });
    turn
}

/// User and system time so far.
pub(crate) fn processor_micros(process: u32) -> Option<u64> {
    let fields = stat(process)?;
    Some(micros(&fields, UTIME)? + micros(&fields, UTIME + 1)?)
}

/// The fields of `/proc/PID/stat` after the program's name.
pub(crate) fn stat(process: u32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
}

/// The parent's id in [`stat`].
pub(crate) const PPID: usize = 1;
/// User time in [`stat`]; system time follows.
const UTIME: usize = 11;
/// User time of the children that ended in [`stat`]; system time follows.
pub(crate) const CUTIME: usize = 13;

/// A field of [`stat`] that Linux counts in hundredths of a second.
pub(crate) fn micros(fields: &[String], at: usize) -> Option<u64> {
    Some(fields.get(at)?.parse::<u64>().ok()? * 10_000)
}

/// The loads. Each connection has its own payment.
pub(crate) async fn loads(gateway: &Gateway, connections: usize, prefix: &str) -> Vec<(Row, Load)> {
    let mut polls = Vec::new();
    let mut reads = Vec::new();
    let mut changed = Vec::new();
    for connection in 0..connections {
        let path = gateway.payment(&format!("{prefix}-read-{connection}")).await;
        let (_, tag) = gateway.call("GET", &path, &Value::Null).await;
        polls.push(request("GET", &path, &gateway.token, &format!("If-None-Match: {tag}\r\n"), ""));
        reads.push(request("GET", &path, &gateway.token, "", ""));
        changed.push(gateway.payment(&format!("{prefix}-change-{connection}")).await);
    }
    let prefix = prefix.to_owned();
    let (for_posts, for_changes) = (gateway.token.clone(), gateway.token.clone());
    vec![
        (Row::Poll, Load::new(connections, 304, move |own, _, _| polls[own].clone())),
        (Row::Get, Load::new(connections, 200, move |own, _, _| reads[own].clone())),
        (
            Row::Post,
            Load::new(connections, 201, move |own, round, number| {
                let body = order_body(&format!("{prefix}-post-{own}-{round}-{number}")).to_string();
                request("POST", "/api/v1/payments", &for_posts, "", &body)
            }),
        ),
        (
            Row::Patch,
            Load::new(connections, 200, move |own, _, number| {
                // A different currency each time, so that each request stores a new quote.
                let body =
                    json!({"depositCurrency": if number % 2 == 0 { "LTC" } else { "BTC" }}).to_string();
                request("PATCH", &changed[own], &for_changes, "", &body)
            }),
        ),
    ]
}
