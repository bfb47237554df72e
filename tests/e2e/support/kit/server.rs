//! A server of the interface: those of `examples/kit/`, and one that has exactly what the interface's text shows.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use checkout_test_nodes::serve_as_written;
use checkout_test_support::{Leashed, patience};
use checkout_wire::Payment;
use serde_json::{Value, json};

use super::super::places;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Node,
    Python,
    /// With odd spellings.
    AsWritten,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::Node, Kind::Python, Kind::AsWritten];

pub(crate) struct Server {
    pub(crate) origin: String,
    http: ureq::Agent,
    _process: Option<Leashed>,
}

pub(crate) struct Link {
    pub(crate) payment_id: String,
    pub(crate) url: String,
}

impl Server {
    /// `page` is the address of the kit, which its links lead to.
    pub(crate) fn start(kind: Kind, page: &str) -> Self {
        let (origin, process) = match kind {
            Kind::Node => launch("node", "kit/server.mjs", page),
            Kind::Python => launch("python3", "kit/server.py", page),
            Kind::AsWritten => (serve_as_written(page), None),
        };
        let http = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(patience()));
        Self { origin, http: http.build().into(), _process: process }
    }

    pub(crate) fn create(&self, facts: &Value) -> Link {
        let mut order =
            json!({"clientPaymentId": "order-1", "displayCurrency": "EUR", "displayAmount": "25.00"});
        order.as_object_mut().expect("an object").extend(facts.as_object().expect("an object").clone());
        let answer = self.http.post(format!("{}/api/v1/payments", self.origin)).send_json(&order);
        let created: Value = read(answer);
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        Link { payment_id: text(&created["paymentInfo"]["paymentId"]), url: text(&created["paymentUrl"]) }
    }

    /// Changes facts of a payment.
    pub(crate) fn set(&self, payment_id: &str, facts: &Value) {
        let _: Value = self.put(payment_id, facts);
    }

    pub(crate) fn payment(&self, payment_id: &str) -> Payment {
        // A server may leave it to the page to sum the deposits.
        let mut payment = json!({"actualDepositAmount": "0", "actualDisplayAmount": "0"});
        let facts = self.put(payment_id, &json!({}));
        payment.as_object_mut().expect("an object").extend(facts.as_object().expect("an object").clone());
        serde_json::from_value(payment).expect("a payment")
    }

    fn put(&self, payment_id: &str, facts: &Value) -> Value {
        read(self.http.put(format!("{}/payments/{payment_id}", self.origin)).send_json(facts))
    }
}

fn read(answer: Result<http::Response<ureq::Body>, ureq::Error>) -> Value {
    let mut answer = answer.expect("the server answers");
    assert!(answer.status().is_success(), "{}", answer.status());
    answer.body_mut().read_json().expect("JSON")
}

fn launch(program: &str, example: &str, page: &str) -> (String, Option<Leashed>) {
    let mut command = Command::new(program);
    command.arg(places::example(example)).args(["0", page]).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut process = Leashed::spawn(&mut command)
        .unwrap_or_else(|error| panic!("{program}, which runs {example}, does not start: {error}"));
    let mut origin = String::new();
    let output = process.stdout.take().expect("its output is piped");
    BufReader::new(output).read_line(&mut origin).expect("its output is text");
    (origin.trim_end().to_owned(), Some(process))
}
