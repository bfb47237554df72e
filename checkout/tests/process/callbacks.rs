//! Callbacks of the running binary, from a merchant's endpoint and the command line.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use checkout_domain::ports::Clock as _;
use checkout_domain::ports::system_clock::SystemClock;
use serde_json::{Value, json};

use crate::gateway::{Gateway, on_both, run};

/// A merchant's endpoint: refuses requests that are more than five minutes old, and stores the others by `webhook-id`.
#[derive(Clone)]
pub(crate) struct Inbox {
    pub(crate) url: String,
    pub(crate) received: Arc<Mutex<BTreeMap<String, Vec<String>>>>,
}

impl Inbox {
    pub(crate) fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let inbox = Self { url, received: Arc::default() };
        let own = inbox.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let inbox = own.clone();
                std::thread::spawn(move || inbox.take(stream.unwrap()));
            }
        });
        inbox
    }

    /// Stores the request and delays the answer, so that a kill can fall between.
    fn take(&self, mut stream: TcpStream) {
        let mut text = String::new();
        let (head, body) = loop {
            let mut part = [0; 4096];
            let Ok(count @ 1..) = stream.read(&mut part) else { return };
            text.push_str(std::str::from_utf8(&part[..count]).unwrap());
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            if body.len() == header(head, "content-length").parse::<usize>().unwrap() {
                break (head, body);
            }
        };
        let sent_at: u64 = header(head, "webhook-timestamp").parse().unwrap();
        if sent_at.abs_diff(SystemClock.now()) > 300 {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
            return;
        }
        let id = header(head, "webhook-id").to_owned();
        self.received.lock().unwrap().entry(id).or_default().push(body.to_owned());
        std::thread::sleep(Duration::from_millis(15));
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    }

    /// The bodies of all requests.
    pub(crate) fn bodies(&self) -> Vec<Value> {
        let received = self.received.lock().unwrap();
        received.values().flatten().map(|body| serde_json::from_str(body).unwrap()).collect()
    }

    /// Number of all requests, including repeated ones.
    pub(crate) fn count(&self) -> usize {
        self.received.lock().unwrap().values().map(Vec::len).sum()
    }
}

fn header<'a>(head: &'a str, name: &str) -> &'a str {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.filter(|(have, _)| have.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next().unwrap()
}

/// Creates a business whose callbacks go to `inbox`. Returns its token.
fn business(database: &str, inbox: &Inbox) -> Value {
    let made = run(&[
        "business",
        "create",
        "--name",
        "Kettle & Co",
        "--json",
        "--database",
        database,
        "--sandbox",
        "--deposit-callback",
        &inbox.url,
    ]);
    serde_json::from_slice::<Value>(&made.stdout).unwrap()["token"].clone()
}

fn sandbox(database: &str, token: &Value) -> Gateway {
    let mut gateway = Gateway::sandbox(database, &[]);
    gateway.ready["businessToken"] = token.clone();
    gateway
}

/// Creates a payment and sends a transfer that counts as an instant deposit.
fn pay(gateway: &Gateway, order: &str) {
    let body = json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    let created = gateway.post("/api/v1/payments", &body);
    let path = format!("/api/v1/payments/{}", created["paymentInfo"]["paymentId"].as_str().unwrap());
    let (_, patched) = gateway.call("PATCH", &path, &json!({"depositCurrency": "BTC"}));
    let address = &patched["paymentInfo"]["walletAddress"];
    let transfer = json!({"network": "BTC", "currency": "BTC", "address": address, "amount": "0.001"});
    gateway.post("/sandbox/transfers", &transfer);
}

#[test]
fn a_callback_is_listed_shown_and_sent_again() {
    on_both(commands);
}

fn commands(database: &str) {
    let inbox = Inbox::open();
    let token = business(database, &inbox);
    let gateway = sandbox(database, &token);
    gateway.post("/sandbox/clock", &json!({"advanceSeconds": 1_000}));
    pay(&gateway, "order-1");
    let ask = |arguments: &[&str]| {
        let output = run(&[&["callbacks"], arguments, &["--database", database]].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let wait = |state: &str| {
        let started = Instant::now();
        loop {
            let (_, listed) = ask(&["list", "--json", "--state", state]);
            let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
            if let [one] = listed.as_slice() {
                return one.clone();
            }
            assert!(started.elapsed() < Duration::from_secs(20), "no callback is {state}");
        }
    };
    let id = wait("DELIVERED")["id"].as_str().unwrap().to_owned();
    let (code, line) = ask(&["list"]);
    assert!(code == Some(0) && line.starts_with(&id) && line.lines().count() == 1, "{line}");
    assert_eq!(ask(&["resend", &id]).0, Some(0));
    let started = Instant::now();
    while inbox.received.lock().unwrap()[&id].len() < 2 {
        assert!(started.elapsed() < Duration::from_secs(20), "it was not sent again");
        std::thread::sleep(Duration::from_millis(20));
    }
    wait("DELIVERED");
    let shown: Value = serde_json::from_str(&ask(&["show", &id]).1).unwrap();
    let bodies = inbox.received.lock().unwrap()[&id].clone();
    assert_eq!(bodies, [shown["body"].as_str().unwrap(), shown["body"].as_str().unwrap()]);
    let statuses: Vec<&Value> = shown["attempts"].as_array().unwrap().iter().map(|a| &a["status"]).collect();
    assert_eq!(statuses, [200, 200]);
    let nobody = "00000000-0000-0000-0000-000000000000";
    assert_eq!((ask(&["show", nobody]).0, ask(&["resend", nobody]).0), (Some(1), Some(1)));
    assert_eq!(ask(&["list", "--state", "LOST"]).0, Some(2));
}
