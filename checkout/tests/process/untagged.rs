//! Transfers without their tag: an operator decides by command line while a gateway runs.

use std::time::{Duration, Instant};

use checkout_test_support::patience;
use serde_json::{Value, json};

use crate::cost::ask as send;
use crate::gateway::{Gateway, on_both, run};

#[test]
fn untagged_transfers_are_listed_credited_and_refused() {
    on_both(commands);
}

/// It dies before and after the commit that credits, and another one takes over.
#[test]
fn a_gateway_that_dies_while_it_credits_a_transfer_credits_it_once() {
    on_both(|database| {
        for (order, point) in [("order-1", "credit.before/1"), ("order-2", "credit.after/1")] {
            let gateway = Gateway::try_start(database, &["--sandbox"], |command| {
                command.env("CHECKOUT_KILL_AT", point);
            });
            let gateway = gateway.expect("it gets ready");
            let (id, page, info) = quoted(&gateway, order);
            let transaction = send_untagged(&gateway, &info);
            look_up(&gateway, &page, &transaction);
            let credited = run(&["untagged", "credit", &transaction, &id, "--database", database]);
            assert!(credited.status.success(), "{}", String::from_utf8_lossy(&credited.stderr));
            assert_eq!(gateway.died_of(), Some(9), "{point}");

            let gateway = Gateway::sandbox(database, &[]);
            until_paid(&gateway, &id);
            let deposits = gateway.payment(&id)["deposits"].as_array().unwrap().len();
            assert_eq!((deposits, list(database, "CREDITING").len()), (1, 0), "{point}");
            let credited = list(database, "CREDITED");
            let own =
                credited.iter().find(|one| one["transactionId"] == transaction).expect("it is credited");
            assert_eq!(own["creditedTo"], id, "{point}");
            assert_eq!(gateway.stop("-TERM"), Some(0));
        }
    });
}

fn list(database: &str, state: &str) -> Vec<Value> {
    let output = run(&["untagged", "list", "--json", "--state", state, "--database", database]);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A confirmed transfer of what a payment expects, without its tag.
fn send_untagged(gateway: &Gateway, info: &Value) -> String {
    let transfer = json!({
        "network": "XRP", "currency": "XRP", "address": info["walletAddress"], "amount": info["expectedDepositAmount"],
    });
    let sent = gateway.post("/sandbox/transfers", &transfer);
    gateway.post("/sandbox/blocks", &json!({"network": "XRP", "count": 1}));
    sent["transactionId"].as_str().unwrap().to_owned()
}

fn look_up(gateway: &Gateway, page: &str, transaction: &str) {
    let form = format!("transaction={transaction}");
    // A program that was built without the page answers 503, but has looked it up.
    let status = send(gateway.base(), "POST", page, ("application/x-www-form-urlencoded", &form));
    assert!(matches!(status, 200 | 503), "{status}");
}

fn until_paid(gateway: &Gateway, id: &str) {
    let started = Instant::now();
    while gateway.payment(id)["status"] != "DEPOSITED" {
        assert!(started.elapsed() < patience(), "{}", gateway.payment(id));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A payment in XRP: its id, its page, and what it expects.
fn quoted(gateway: &Gateway, order: &str) -> (String, String, Value) {
    let body = json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    let created = gateway.post("/api/v1/payments", &body);
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    let url = created["paymentUrl"].as_str().unwrap();
    let token = url.split(['?', '&']).find_map(|part| part.strip_prefix("sessionToken=")).unwrap();
    let page = format!("/checkout/{id}/lookup?sessionToken={token}&lookup=1");
    let (_, patched) =
        gateway.call("PATCH", &format!("/api/v1/payments/{id}"), &json!({"depositCurrency": "XRP"}));
    (id, page, patched["paymentInfo"].clone())
}

fn commands(database: &str) {
    let gateway = Gateway::sandbox(database, &[]);
    let (id, page, info) = quoted(&gateway, "order-1");
    let (other, other_page, _) = quoted(&gateway, "order-2");
    let ask = |arguments: &[&str]| {
        let output = run(&[&["untagged"], arguments, &["--database", database]].concat());
        let [out, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), out, error)
    };
    // Two transfers without a tag, both looked up on both pages.
    let sent = [send_untagged(&gateway, &info), send_untagged(&gateway, &info)];
    for (page, transaction) in [(&page, &sent[0]), (&page, &sent[1]), (&other_page, &sent[0])] {
        look_up(&gateway, page, transaction);
    }
    let list = |state: &str| list(database, state);
    let open = list("OPEN");
    assert_eq!(open.len(), 2, "{open:?}");
    let first = open.iter().find(|one| one["transactionId"] == sent[0]).expect("it is listed");
    assert_eq!(first["amount"], info["expectedDepositAmount"]);
    assert_eq!((&first["network"], &first["destinationTag"]), (&json!("XRP"), &Value::Null));
    let reports = first["reports"].as_array().unwrap();
    let own = reports.iter().find(|report| report["paymentId"] == id).expect("the payment reported it");
    assert_eq!(reports.len(), 2);
    assert_eq!(
        (&own["clientPaymentId"], &own["status"], &own["expectedAmount"]),
        (&json!("order-1"), &json!("PENDING"), &info["expectedDepositAmount"])
    );
    let (code, lines, _) = ask(&["list"]);
    assert!(code == Some(0) && lines.lines().count() == 2 && lines.contains("no tag"), "{lines}");
    assert!(lines.contains(&id) && lines.contains(&other), "{lines}");
    assert!(gateway.text("/metrics").contains("\ncheckout_transfers_untagged 2\n"));

    // Who saw a transfer in the ledger, and made a payment then.
    gateway.post("/sandbox/clock", &json!({"advanceSeconds": 60}));
    let (younger, younger_page, _) = quoted(&gateway, "order-3");
    look_up(&gateway, &younger_page, &sent[0]);
    let (_, lines, _) = ask(&["list"]);
    let expected = format!(
        "payment {younger} of {}, younger than the transfer",
        info["expectedDepositAmount"].as_str().unwrap()
    );
    assert!(lines.contains(&expected) && lines.matches("younger").count() == 1, "{lines}");
    let open = list("OPEN");
    let first = open.iter().find(|one| one["transactionId"] == sent[0]).expect("it is listed");
    let shown_at = |payment: &str| {
        let mut reports = first["reports"].as_array().unwrap().iter();
        reports.find(|report| report["paymentId"] == payment).expect("it reported it")["accountShownAt"]
            .as_u64()
    };
    assert!(
        shown_at(&id) <= first["seenAt"].as_u64() && first["seenAt"].as_u64() < shown_at(&younger),
        "{first}"
    );

    assert_eq!(ask(&["credit", &sent[0], &id]).0, Some(0));
    until_paid(&gateway, &id);
    assert_eq!(ask(&["refuse", &sent[1]]).0, Some(0));
    assert_eq!([list("OPEN").len(), list("CREDITED").len(), list("REFUSED").len()], [0, 1, 1]);
    assert_eq!(list("CREDITED")[0]["creditedTo"], id);
    for (arguments, code, said) in [
        (&["credit", &sent[0], &other][..], 1, "cannot be undone"),
        (&["refuse", &sent[0]], 1, "cannot be undone"),
        (&["credit", &sent[1], &other], 1, "not looked up on the page of payment"),
        (&["credit", &"0A".repeat(32), &id], 1, "No payer has reported"),
        (&["refuse", &sent[1], "--output", "7"], 1, "output 7"),
        (&["credit", &sent[1], "x"], 2, "invalid value"),
        (&["list", "--state", "PASSED"], 2, "possible values"),
    ] {
        let (have, _, error) = ask(arguments);
        assert_eq!(have, Some(code), "{arguments:?}");
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
    assert_eq!(gateway.payment(&other)["status"], "PENDING");
}
