//! Three gateways share one PostgreSQL database. One dies during its work; nothing is lost or done twice.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use checkout_test_postgres::{schema, sql};
use checkout_test_support::patience;
use serde_json::{Value, json};

use crate::callbacks::inbox;
use crate::gateway::{Gateway, run};
use crate::show;
use crate::support::eventually;
use checkout_test_nodes::Inbox;

const GATEWAYS: usize = 3;

/// Concurrent payers, and orders per payer. One gateway dies after a third of the orders.
const PAYERS: usize = 4;
const ORDERS: usize = 8;

fn business(database: &str, inbox: &Inbox) -> Value {
    let made = run(&[
        "business",
        "create",
        "--json",
        "--sandbox",
        "--name",
        "Kettle & Co",
        "--settlement-ratio",
        "0",
        "--database",
        database,
        "--deposit-callback",
        &inbox.url,
        "--withdrawal-callback",
        &inbox.url,
    ]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    serde_json::from_slice::<Value>(&made.stdout).unwrap()["token"].clone()
}

/// Starts all gateways at the same time, on a database without tables or keys.
fn start(database: &str) -> Vec<Gateway> {
    let start = || Gateway::try_start(database, &["--sandbox"], |_| {}).expect("a gateway gets ready");
    std::thread::scope(|scope| {
        let starting: Vec<_> = (0..GATEWAYS).map(|_| scope.spawn(start)).collect();
        starting.into_iter().map(|gateway| gateway.join().unwrap()).collect()
    })
}

/// Tries one gateway after the other until one answers.
fn ask(gateways: &[Gateway], first: usize, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let started = Instant::now();
    for turn in first.. {
        // 503 means that the store timed out; repeating the request is safe.
        match gateways[turn % gateways.len()].try_call(method, path, body) {
            Some((503, _)) | None => {}
            Some(answer) => return answer,
        }
        assert!(started.elapsed() < patience(), "{method} {path} is not answered");
    }
    unreachable!("it asks until it panics")
}

fn order(gateways: &[Gateway], turn: usize, name: &str) {
    let body =
        json!({"clientPaymentId": name, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    let (status, created) = ask(gateways, turn, "POST", "/api/v1/payments", &body);
    assert!(status == 201 || status == 200, "{created}");
    let path = format!("/api/v1/payments/{}", created["paymentInfo"]["paymentId"].as_str().unwrap());
    let coin = ["BTC", "ETH", "LTC"][turn % 3];
    let (status, quoted) = ask(gateways, turn + 1, "PATCH", &path, &json!({"depositCurrency": coin}));
    assert_eq!(status, 200, "{quoted}");
    let info = &quoted["paymentInfo"];
    let transfer = json!({
        "network": coin, "currency": coin, "address": info["walletAddress"], "amount": info["expectedDepositAmount"]
    });
    let (status, sent) = ask(gateways, turn + 2, "POST", "/sandbox/transfers", &transfer);
    assert_eq!(status, 200, "{sent}");
    ask(gateways, turn, "POST", "/sandbox/blocks", &json!({"network": coin, "count": 1}));
}

/// Requests the same withdrawal from all gateways at once.
fn withdraw(gateways: &[Gateway], name: &str) {
    let body = json!({
        "clientWithdrawalId": name, "withdrawCurrency": "ETH", "targetAmount": "0.02", "targetAmountPolicy": "CRYPTO",
        "displayCurrency": "EUR", "withdrawalAccount": "FIAT",
        "recipientAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    });
    std::thread::scope(|scope| {
        for turn in 0..GATEWAYS {
            let body = &body;
            scope.spawn(move || {
                let (status, answer) = ask(gateways, turn, "POST", "/api/v1/withdrawals", body);
                assert!(status == 200 || status == 201, "{status} {answer}");
            });
        }
    });
}

#[test]
fn three_gateways_share_the_work_and_one_dies() {
    let (database, inbox) = (schema(), inbox());
    let mut gateways = start(&database);
    let token = business(&database, &inbox);
    for gateway in &mut gateways {
        gateway.ready["businessToken"] = token.clone();
    }
    for number in 0..6 {
        order(&gateways, number, &format!("before-{number}"));
    }
    eventually("money to withdraw", || {
        sql(&database, "SELECT COUNT(*) FROM settlements WHERE kept IS NOT NULL") == "6"
    });

    let (done, is_dead) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for payer in 0..PAYERS {
            let (gateways, done, is_dead) = (&gateways, &done, &is_dead);
            scope.spawn(move || {
                for number in 0..ORDERS {
                    order(gateways, payer + number, &format!("order-{payer}-{number}"));
                    if number % 4 == 0 {
                        withdraw(gateways, &format!("withdrawal-{payer}-{number}"));
                    }
                    if done.fetch_add(1, Ordering::SeqCst) >= PAYERS * ORDERS / 3
                        && !is_dead.swap(true, Ordering::SeqCst)
                    {
                        gateways[0].kill();
                    }
                }
            });
        }
    });

    let count = |query: &str| sql(&database, query).parse::<usize>().unwrap();
    let mine = || {
        for coin in ["BTC", "ETH", "LTC"] {
            ask(&gateways, 1, "POST", "/sandbox/blocks", &json!({"network": coin, "count": 1}));
        }
    };
    mine();
    // Work in progress on the dead gateway becomes due again after this, on both others.
    ask(&gateways, 1, "POST", "/sandbox/clock", &json!({"advanceSeconds": 60}));
    let sent = "SELECT COUNT(*) FROM withdrawals WHERE status = 'COMPLETED'";
    let withdrawals = PAYERS * ORDERS.div_ceil(4);
    eventually("the end of all withdrawals", || count(sent) == withdrawals);
    mine();
    eventually("the end of all callbacks", || {
        count("SELECT COUNT(*) FROM callbacks WHERE state <> 'DELIVERED'") == 0
    });

    let payments = 6 + PAYERS * ORDERS;
    assert_eq!(count("SELECT COUNT(*) FROM payments"), payments);
    assert_eq!(count("SELECT COUNT(*) FROM payments WHERE status IN ('DEPOSITED', 'OVERPAID')"), payments);
    assert_eq!(
        count("SELECT COUNT(DISTINCT address) FROM addresses"),
        payments,
        "each payment has its own address"
    );
    // Payers repeat requests that the dead gateway did not answer, which makes another transfer.
    let incoming = "SELECT COUNT(*) FROM sim_transfers WHERE transaction_id NOT IN
        (SELECT transaction_id FROM payouts WHERE transaction_id IS NOT NULL)";
    let deposits = count("SELECT COUNT(*) FROM deposits WHERE state = 'CONFIRMED'");
    assert_eq!(count(incoming), deposits, "each transfer is one deposit");
    assert!(deposits >= payments);
    let credited = "SELECT COUNT(*) FROM ledger_entries WHERE cause LIKE 'deposit/%'";
    assert_eq!(count(credited), deposits, "each is credited once");
    let outgoing =
        "SELECT COUNT(*) FROM sim_transfers WHERE transaction_id IN (SELECT transaction_id FROM payouts)";
    assert_eq!((count(outgoing), count("SELECT COUNT(*) FROM payouts")), (withdrawals, withdrawals));
    let wrong = "SELECT COUNT(*) FROM (SELECT 1 FROM ledger_lines GROUP BY cause, asset HAVING SUM(units::NUMERIC) <> 0) AS wrong";
    assert_eq!(count(wrong), 0, "every entry adds up to zero");
    let differs = "SELECT COUNT(*) FROM ledger_balances AS b WHERE balance::NUMERIC <>
        (SELECT SUM(units::NUMERIC) FROM ledger_lines AS l WHERE l.asset = b.asset AND l.account = b.account)";
    assert_eq!(count(differs), 0, "balances match the ledger");

    let received = inbox.by_id();
    let known = sql(&database, "SELECT id FROM callbacks");
    let known: BTreeSet<&str> = known.lines().collect();
    assert_eq!(
        received.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        known,
        "exactly one callback per subject"
    );
    assert_eq!(known.len(), deposits + withdrawals);
    let repeated: usize = received.values().map(|bodies| bodies.len() - 1).sum();
    for (id, bodies) in &received {
        assert!(bodies.iter().all(|body| *body == bodies[0]), "{id} has several bodies");
    }
    let tried = count("SELECT COUNT(*) FROM callback_attempts") - known.len();
    assert!(repeated <= tried, "{repeated} were repeated, {tried} were retried");
    show(&format!(
        "3 gateways, 1 killed: {payments} payments, {deposits} deposits, {withdrawals} withdrawals, {} callbacks \
         ({repeated} told again); lost 0, doubled 0",
        known.len()
    ));
}

/// Gateways on one store share the sandbox's clock and rates.
#[test]
fn sandbox_gateways_share_clock_and_rates() {
    let database = schema();
    let gateways = start(&database);
    let tokens: BTreeSet<String> =
        gateways.iter().map(|gateway| gateway.ready["businessToken"].to_string()).collect();
    assert_eq!(tokens.len(), 1, "one business with one token");
    let body =
        json!({"clientPaymentId": "a", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    let created = gateways[0].post("/api/v1/payments", &body);
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap();
    gateways[1].post("/sandbox/rates", &json!({"from": "BTC", "to": "EUR", "rate": "50000"}));
    eventually("the rate on the third", || {
        let (_, rates) = gateways[2].call("GET", "/api/v1/rates?from=BTC&to=EUR", &Value::Null);
        rates.to_string().contains("50000")
    });
    gateways[1].post("/sandbox/clock", &json!({"advanceSeconds": 1_801}));
    for gateway in &gateways {
        eventually("the end of the window everywhere", || gateway.payment(id)["status"] == "EXPIRED");
    }
    assert_eq!(sql(&database, "SELECT COUNT(*) FROM payments WHERE status = 'EXPIRED'"), "1");
}
