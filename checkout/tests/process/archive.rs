//! `checkout archive`: payments that ended long ago leave the tables of the others, and nothing is lost by it.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::callbacks::inbox;
use crate::gateway::{Gateway, on_both, run};
use crate::support::eventually;

const DAY: u64 = 86_400;

fn request(order: &str) -> Value {
    json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"})
}

/// Creates a payment and quotes bitcoin. Returns its id, its address and the answer to its creation.
fn quoted(gateway: &Gateway, order: &str) -> (String, Value, Value) {
    let created = gateway.post("/api/v1/payments", &request(order));
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/payments/{id}");
    let (status, answer) = gateway.call("PATCH", &path, &json!({"depositCurrency": "BTC"}));
    assert_eq!(status, 200, "{answer}");
    (id, answer["paymentInfo"]["walletAddress"].clone(), created)
}

fn pay(gateway: &Gateway, address: &Value, amount: &str) {
    let transfer = json!({"network": "BTC", "currency": "BTC", "address": address, "amount": amount});
    gateway.post("/sandbox/transfers", &transfer);
    gateway.post("/sandbox/blocks", &json!({"network": "BTC", "count": 1}));
}

fn advance(gateway: &Gateway, days: u64) {
    gateway.post("/sandbox/clock", &json!({"advanceSeconds": days * DAY}));
}

fn command(arguments: &[&str], database: &str) -> String {
    let output = run(&[arguments, &["--database", database]].concat());
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

fn is_archived(id: &str, database: &str) -> bool {
    let shown: Value = serde_json::from_str(&command(&["payments", "show", id], database)).unwrap();
    assert_eq!(shown["paymentInfo"]["paymentId"], id);
    shown["archived"].as_bool().unwrap()
}

#[test]
fn an_archived_payment_is_still_there() {
    on_both(|database| {
        let inbox = inbox();
        let gateway = Gateway::sandbox(database, &["--deposit-callback", &inbox.url]);
        let (paid, paid_address, created) = quoted(&gateway, "paid");
        let (expired, expired_address, _) = quoted(&gateway, "expired");
        pay(&gateway, &paid_address, "0.00166667");
        eventually("the callback arrives", || inbox.count() == 1);
        advance(&gateway, 1);
        eventually("the window ends", || gateway.payment(&expired)["status"] == "EXPIRED");
        advance(&gateway, 100);
        let (recent, ..) = quoted(&gateway, "recent");
        let before = [&paid, &expired, &recent].map(|id| gateway.payment(id));
        assert_eq!(before[0]["deposits"].as_array().unwrap().len(), 1);

        assert_eq!(command(&["archive", "--days", "110"], database), "0 payments are archived.\n");
        assert_eq!(command(&["archive"], database), "2 payments are archived.\n");
        let archived = || [&paid, &expired, &recent].map(|id| is_archived(id, database));
        assert_eq!(archived(), [true, true, false]);
        assert_eq!([&paid, &expired, &recent].map(|id| gateway.payment(id)), before, "by id, unchanged");
        command(&["restore", "--check"], database);

        // The merchant's request is sent again, and a wrong one.
        let (status, again) = gateway.call("POST", "/api/v1/payments", &request("paid"));
        assert_eq!((status, &again), (200, &created));
        let other = json!({"clientPaymentId": "paid", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "7"});
        assert_eq!(gateway.call("POST", "/api/v1/payments", &other).0, 409);
        assert_eq!(archived(), [true, true, false], "what only reads brings nothing back");

        // Late transfers to both addresses.
        pay(&gateway, &expired_address, "0.00166667");
        eventually("a late transfer pays", || gateway.payment(&expired)["status"] == "DEPOSITED");
        eventually("the merchant is told", || inbox.count() == 2);
        pay(&gateway, &paid_address, "0.001");
        let deposits = || gateway.payment(&paid)["deposits"].as_array().unwrap().clone();
        eventually("a second deposit is recorded", || deposits().len() == 2);
        assert_eq!(deposits()[0], before[0]["deposits"][0], "the first one is what it was");
        eventually("the merchant is told of that, too", || inbox.count() == 3);
        assert_eq!(archived(), [false; 3]);
        command(&["restore", "--check"], database);
        assert_eq!(command(&["archive"], database), "0 payments are archived.\n");
        advance(&gateway, 200);
        eventually("the window ends", || gateway.payment(&recent)["status"] == "EXPIRED");
        assert_eq!(command(&["archive"], database), "3 payments are archived.\n");
        assert_eq!(deposits().len(), 2);
    });
}

/// The command is killed again and again, and runs twice at once, while a gateway works and its merchant reads.
#[test]
fn an_archive_run_that_is_killed_loses_nothing() {
    on_both(|database| {
        let gateway = Gateway::sandbox(database, &[]);
        let made: Vec<_> = (0..60).map(|number| quoted(&gateway, &format!("order-{number}"))).collect();
        advance(&gateway, 1);
        eventually("the windows end", || gateway.payment(&made[59].0)["status"] == "EXPIRED");
        advance(&gateway, 100);
        let start = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_checkout"));
            command.args(["archive", "--database", database]).stdout(Stdio::null()).spawn().unwrap()
        };
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (gateway, made, is_over) = (&gateway, &made, &is_over);
            scope.spawn(move || {
                for (id, ..) in made.iter().cycle() {
                    if is_over.load(Ordering::SeqCst) {
                        return;
                    }
                    assert_eq!(gateway.payment(id)["status"], "EXPIRED", "{id} was not there for a moment");
                }
            });
            for millis in [20, 60, 90, 120, 150, 200] {
                let mut running = [start(), start()];
                std::thread::sleep(Duration::from_millis(millis));
                for process in &mut running {
                    process.kill().unwrap();
                    process.wait().unwrap();
                }
            }
            for (_, address, _) in &made[..3] {
                pay(gateway, address, "0.001");
            }
            is_over.store(true, Ordering::SeqCst);
        });
        let mut running = [start(), start()];
        assert!(running.iter_mut().all(|process| process.wait().unwrap().success()));
        let archived = made.iter().filter(|(id, ..)| is_archived(id, database)).count();
        assert_eq!(archived, 57, "all but those with a late transfer");
        for (id, address, _) in &made {
            assert_eq!(gateway.payment(id)["walletAddress"], *address);
        }
        command(&["restore", "--check"], database);
    });
}
