//! PostgreSQL stops and restarts while a gateway runs.

use std::time::{Duration, Instant};

use checkout_test_postgres::{database, set_open, sql};
use checkout_test_support::patience;
use serde_json::{Value, json};

use crate::gateway::Gateway;

fn order(gateway: &Gateway, name: &str) -> (u16, Value) {
    let body =
        json!({"clientPaymentId": name, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    gateway.call("POST", "/api/v1/payments", &body)
}

/// A connection lost less than a second after its last use is detected by its next use.
fn recovers(what: &str, ask: impl Fn() -> (u16, Value)) {
    let started = Instant::now();
    loop {
        let (status, answer) = ask();
        if status < 300 {
            return;
        }
        assert_eq!(status, 503, "{answer}");
        assert_ne!(answer["code"], "background_fault", "{answer}");
        assert!(started.elapsed() < patience(), "{what}: {answer}");
    }
}

#[test]
fn answers_503_until_the_database_is_back() {
    let database = database();
    let gateway = Gateway::try_start(&database, &["--sandbox"], |_| {}).expect("the gateway gets ready");
    let (status, created) = order(&gateway, "before");
    assert_eq!(status, 201, "{created}");
    set_open(&database, false);
    // Every connection is lost, both idle and new ones.
    for number in 0..3 {
        let started = Instant::now();
        let (status, problem) = order(&gateway, &format!("gone-{number}"));
        assert_eq!((status, problem["status"].as_u64()), (503, Some(503)), "{problem}");
        assert!(started.elapsed() < Duration::from_secs(15), "it took {:?}", started.elapsed());
    }
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap();
    assert_eq!(gateway.payment(id)["status"], 503);
    assert_eq!(gateway.call("GET", "/readyz", &Value::Null).0, 503);
    assert_eq!(gateway.call("GET", "/healthz", &Value::Null).0, 200);
    set_open(&database, true);
    recovers("changes", || order(&gateway, "after"));
    recovers("reads", || gateway.call("GET", "/readyz", &Value::Null));
    recovers("the payment", || gateway.call("GET", &format!("/api/v1/payments/{id}"), &Value::Null));
    assert_eq!(gateway.payment(id), created["paymentInfo"]);
    assert_eq!(sql(&database, "SELECT COUNT(*) FROM payments"), "2", "refused payments are not stored");
}
