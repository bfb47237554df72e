//! The disk fills up and gets free space again. A file size limit simulates this: it needs no privilege, and
//! the store's writes fail in the middle of a change, as on a full disk.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};

use crate::gateway::Gateway;
use crate::kills::books::read;
use crate::support::eventually;

/// File size limit in blocks of 512 bytes: room for a few dozen payments more than an empty database.
const BLOCKS: u32 = 4_096;

const STORE_UNAVAILABLE: (u16, &str) = (503, "store_unavailable");

fn order(number: u64) -> Value {
    json!({"clientPaymentId": format!("order-{number}"), "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"})
}

fn code(answer: &(u16, Value)) -> (u16, &str) {
    (answer.0, answer.1["code"].as_str().unwrap_or_default())
}

#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("checkout.db").display());
    // With the signal ignored, a write over the limit returns an error.
    let shell = format!("trap '' XFSZ; ulimit -S -f {BLOCKS}; exec \"$0\" \"$@\"");
    let gateway = Gateway::start_in_shell(&shell, &database, &["--sandbox"]);

    let mut stored: BTreeMap<String, String> = BTreeMap::new();
    let mut refused = 0;
    let mut number = 0;
    // A change of one page may still succeed where a change of several pages failed.
    while refused < 30 {
        assert!(number < 20_000, "the disk does not fill up");
        number += 1;
        let answer = gateway.call("POST", "/api/v1/payments", &order(number));
        if answer.0 == 201 {
            let id = answer.1["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
            stored.insert(format!("order-{number}"), id);
        } else {
            assert_eq!(code(&answer), STORE_UNAVAILABLE, "{}", answer.1);
            refused += 1;
        }
    }
    let ready = || gateway.call("GET", "/readyz", &Value::Null);
    eventually("the news", || code(&ready()) == STORE_UNAVAILABLE);
    let (first, id) = stored.first_key_value().unwrap();
    let path = format!("/api/v1/payments/{id}");
    let before = gateway.payment(id);
    let whitelisted = json!({
        "clientAddressId": "a", "currency": "BTC", "network": "BTC", "address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    });
    let transfer = json!({
        "network": "BTC", "currency": "BTC", "address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "amount": "1"
    });
    for (method, path, body) in [
        ("POST", "/api/v1/payments", &order(1_000_000)),
        ("PATCH", path.as_str(), &json!({"depositCurrency": "BTC"})),
        ("POST", "/whitelist-addresses", &whitelisted),
        ("POST", "/sandbox/clock", &json!({"advanceSeconds": 1})),
    ] {
        let answer = gateway.call(method, path, body);
        assert_eq!(code(&answer), STORE_UNAVAILABLE, "{method} {path}: {}", answer.1);
    }
    let answer = gateway.call("POST", "/sandbox/transfers", &transfer);
    assert_eq!(code(&answer), (503, "chain_unavailable"), "{}", answer.1);
    assert_eq!(gateway.payment(id), before, "stored payments are readable and unchanged after {first}");
    assert_eq!(gateway.call("GET", "/healthz", &Value::Null).0, 200);

    let process = gateway.id().to_string();
    let raised = Command::new("prlimit").args(["--pid", &process, "--fsize=unlimited:unlimited"]).status();
    assert!(raised.expect("prlimit (of util-linux) can be run").success());
    eventually("the gateway to be ready", || ready().0 == 200);
    for number in [number, 1_000_000] {
        let (status, answer) = gateway.call("POST", "/api/v1/payments", &order(number));
        assert_eq!(status, 201, "the refused request left no trace: {answer}");
        let id = answer["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
        stored.insert(format!("order-{number}"), id);
    }
    assert_eq!(gateway.call("PATCH", &path, &json!({"depositCurrency": "BTC"})).0, 200);
    assert_eq!(gateway.stop("-TERM"), Some(0));

    let rows = read(&database, "SELECT client_payment_id, id FROM payments");
    let rows: BTreeMap<String, String> =
        rows.into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    assert_eq!(rows, stored, "exactly the acknowledged payments are stored");
    for (sql, expected) in [
        ("PRAGMA integrity_check", "ok"),
        ("SELECT COUNT(*) FROM sim_transfers", "0"),
        ("SELECT COUNT(*) FROM whitelisted_addresses", "0"),
        ("SELECT COUNT(*) FROM payments WHERE id NOT IN (SELECT payment FROM sessions)", "0"),
    ] {
        assert_eq!(read(&database, sql), [[expected]], "{sql}");
    }
}
