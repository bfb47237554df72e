//! The back ends of `examples/`, each with a running gateway.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Instant;

use checkout_test_support::patience;
use checkout_wire::Payment;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::gateway::Gateway;
use crate::support::places;
use crate::support::wait::LOOK;

#[test]
fn python() {
    check("python3", "merchant.py");
}

#[test]
fn node() {
    check("node", "merchant.mjs");
}

/// An order is seen, then paid; unsigned webhooks change nothing.
#[track_caller]
fn check(program: &str, example: &str) {
    let mut gateway = Gateway::start("");
    let merchant = Merchant::start(program, example, &mut gateway);

    let order = merchant.sell("25.00");
    assert!(!order.paid && order.payment_url.starts_with(&gateway.ready.base_url), "{order:?}");
    let id = order.payment_id();
    assert_eq!(gateway.payment(id).expected_display_amount.as_deref(), Some("25.00"));

    let forged = json!({"paymentId": id, "clientPaymentId": order.id, "status": "CONFIRMED"});
    assert_eq!(merchant.status("POST", "/webhooks", &forged), 401);
    assert!(!merchant.order(&order.id).paid);

    let payment: Payment = gateway.choose(id, "BTC");
    gateway.pay(&payment);
    let wait = |what: &str, is_there: fn(&Order) -> bool| {
        let deadline = Instant::now() + patience();
        while !is_there(&merchant.order(&order.id)) {
            assert!(Instant::now() < deadline, "{example}: {what}");
            sleep(LOOK);
        }
    };
    wait("it received no webhook, or did not accept it", |order| order.seen);
    assert!(!merchant.order(&order.id).paid, "an instant deposit is not in a block, so nothing is shipped");
    gateway.mine(&payment);
    wait("the order is not paid", |order| order.paid);
    assert_eq!(merchant.status("GET", "/orders/unknown", &Value::Null), 404);
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Order {
    pub(crate) id: String,
    pub(crate) payment_url: String,
    seen: bool,
    pub(crate) paid: bool,
}

impl Order {
    pub(crate) fn payment_id(&self) -> &str {
        let (page, _) = self.payment_url.split_once('?').expect("the payment's URL has a session token");
        page.rsplit('/').next().expect("a URL has a path")
    }
}

/// A running example.
pub(crate) struct Merchant {
    process: Child,
    url: String,
    http: ureq::Agent,
}

impl Merchant {
    /// Starts it as the merchant of a new business.
    pub(crate) fn start(program: &str, example: &str, gateway: &mut Gateway) -> Self {
        let port = free_port();
        let callbacks = format!("http://127.0.0.1:{port}/webhooks");
        let business = gateway.become_business(&["--deposit-callback", &callbacks]);
        let mut process = Command::new(program)
            .arg(places::example(example))
            .arg(port.to_string())
            .env("CHECKOUT_URL", &gateway.ready.base_url)
            .env("CHECKOUT_TOKEN", &business.token)
            .env("CHECKOUT_SECRET", &business.callback_secret)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}, which runs {example}, does not start: {error}"));
        let mut url = String::new();
        let output = process.stdout.take().expect("its output is piped");
        BufReader::new(output).read_line(&mut url).expect("its output is text");
        let merchant = Self { process, url: url.trim_end().to_owned(), http: gateway.http.clone() };
        assert_eq!(merchant.url, format!("http://127.0.0.1:{port}"), "{example} prints its URL");
        merchant
    }

    /// A new order, in euros.
    pub(crate) fn sell(&self, amount: &str) -> Order {
        self.call("POST", "/orders", &json!({"amount": amount}), 201)
    }

    pub(crate) fn order(&self, id: &str) -> Order {
        self.call("GET", &format!("/orders/{id}"), &Value::Null, 200)
    }

    fn call(&self, method: &str, path: &str, body: &Value, expected: u16) -> Order {
        let (status, text) = self.answer(method, path, body);
        assert_eq!(status, expected, "{method} {path}: {text}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{method} {path}: {error}: {text}"))
    }

    fn status(&self, method: &str, path: &str, body: &Value) -> u16 {
        self.answer(method, path, body).0
    }

    fn answer(&self, method: &str, path: &str, body: &Value) -> (u16, String) {
        let url = format!("{}{path}", self.url);
        let answer = match method {
            "POST" => self.http.post(&url).send_json(body),
            _ => self.http.get(&url).call(),
        };
        let mut answer = answer.unwrap_or_else(|error| panic!("{method} {url}: {error}"));
        (answer.status().as_u16(), answer.body_mut().read_to_string().expect("the answer is text"))
    }
}

impl Drop for Merchant {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The gateway needs the merchant's URL before the merchant can be started with the gateway's token.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it listens").port()
}
