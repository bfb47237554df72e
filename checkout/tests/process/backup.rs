//! A gateway loses its database and continues from a backup.

use std::collections::BTreeSet;

use checkout_test_postgres::{database, sql};
use serde_json::{Value, json};

use crate::gateway::{Gateway, run};

/// Quotes bitcoin for a new payment. Returns its address.
fn address(gateway: &Gateway, order: &str) -> String {
    let body = json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    let created = gateway.post("/api/v1/payments", &body);
    let path = format!("/api/v1/payments/{}", created["paymentInfo"]["paymentId"].as_str().unwrap());
    let (status, quoted) = gateway.call("PATCH", &path, &json!({"depositCurrency": "BTC"}));
    assert_eq!(status, 200, "{quoted}");
    quoted["paymentInfo"]["walletAddress"].as_str().unwrap().to_owned()
}

fn callbacks(database: &str) -> Vec<(Value, Value)> {
    let listed = run(&["callbacks", "list", "--json", "--database", database]);
    let listed: Vec<Value> = serde_json::from_slice(&listed.stdout).unwrap();
    listed.iter().map(|callback| (callback["id"].clone(), callback["subjectId"].clone())).collect()
}

#[track_caller]
fn check(arguments: &[&str], code: i32, said: &str) {
    let output = run(arguments);
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert!(output.status.code() == Some(code) && text.contains(said), "{arguments:?}: {text}");
}

/// The backup is made while the gateway runs; more payments are made and paid after it. After the restore,
/// their addresses are not given out again, and callbacks keep their ids.
#[test]
fn no_address_is_given_out_twice_after_a_restore() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (old, new) = (format!("sqlite:{}", path("old.db")), format!("sqlite:{}", path("new.db")));
    let backup = path("backup.db");
    let gateway = Gateway::sandbox(&old, &[]);
    let mut given: BTreeSet<String> =
        (0..3).map(|number| address(&gateway, &format!("early-{number}"))).collect();
    let first = given.iter().next().unwrap();
    let transfer = json!({"network": "BTC", "currency": "BTC", "address": first, "amount": "0.00166667"});
    gateway.post("/sandbox/transfers", &transfer);
    gateway.post("/sandbox/blocks", &json!({"network": "BTC", "count": 1}));
    check(&["backup", &backup, "--database", &old], 0, "is a backup of");
    let told = callbacks(&old);
    assert_eq!(told.len(), 1);
    check(&["backup", &backup, "--database", &old], 1, "exists already");
    given.extend((0..5).map(|number| address(&gateway, &format!("late-{number}"))));
    assert_eq!(given.len(), 8);
    gateway.stop("-KILL");

    check(
        &["restore", "--check", "--from", &backup, "--database", &new],
        0,
        "3 payments, 1 deposits, 1 callbacks",
    );
    assert!(!folder.path().join("new.db").exists(), "--check changes nothing");
    let looked = run(&["restore", "--check", "--json", "--from", &backup, "--database", &new]);
    let looked: Value = serde_json::from_slice(&looked.stdout).unwrap();
    let expected = json!({
        "payments": 3, "deposits": 1, "callbacks": 1, "unsignedPayouts": [], "faults": [], "addressesSkipped": 0,
    });
    assert_eq!(looked, expected);
    check(&["restore", "--from", &backup, "--database", &old], 1, "already exists");
    check(&["restore", "--from", &backup, "--database", &new], 0, "A gateway can start.");
    let gateway = Gateway::sandbox(&new, &[]);
    for number in 0..5 {
        let address = address(&gateway, &format!("late-{number}"));
        assert!(given.insert(address.clone()), "{address} is given to two payments");
    }
    assert_eq!(callbacks(&new), told);
}

/// A restored database sends no pending payouts before an operator compared it with the chain.
#[test]
fn pending_payouts_of_a_backup_need_confirmation() {
    let database = database();
    let gateway = Gateway::sandbox(&database, &[]);
    address(&gateway, "order");
    gateway.stop("-TERM");
    sql(
        &database,
        "INSERT INTO payouts (id, business, kind, currency, network, amount, to_address, state, created_at)
         SELECT 'a', id, 'REFUND', 'BTC', 'BTC', '1', 'x', 'WAITING', 1 FROM businesses",
    );
    let next = || sql(&database, "SELECT MIN(next) || ' ' || MAX(next) FROM address_indexes");
    check(&["restore", "--check", "--database", &database], 0, "REFUND a BTC BTC");
    assert_eq!(next(), "1 1");
    check(&["restore", "--database", &database, "--reserve", "500"], 0, "next 500 addresses");
    assert_eq!(sql(&database, "SELECT id, hold FROM payouts"), "a|UNASKED");
    assert_eq!(next(), "500 501");
    sql(&database, "INSERT INTO ledger_balances SELECT id, 'EUR', 'FIAT', '5' FROM businesses");
    check(&["restore", "--check", "--database", &database], 1, "is not the sum of its entries");
    check(&["backup", "unused", "--database", &database], 1, "pg_dump");
}
