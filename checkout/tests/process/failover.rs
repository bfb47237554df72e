//! The PostgreSQL primary dies under load, its standby is promoted, and two gateways continue with it.

use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use checkout_test_postgres::{Server, sql};
use checkout_test_support::patience;
use serde_json::{Value, json};

use crate::gateway::{Gateway, run};
use crate::show;
use crate::support::eventually;

const PAYERS: usize = 3;
/// Requests answered before the primary is killed, and after its standby was promoted.
const BEFORE: usize = 30;
const AFTER: usize = 30;
/// An answer to a merchant, with the request.
struct Told {
    path: String,
    body: Value,
    answer: Value,
}

struct Load<'a> {
    gateways: &'a [Gateway],
    is_over: AtomicBool,
    told: Mutex<Vec<Told>>,
    count: AtomicUsize,
    unavailable: AtomicUsize,
}

impl Load<'_> {
    /// Sends a request to each gateway in turn, repeating it after a 503, until one completes it.
    fn ask(&self, turn: usize, method: &str, path: &str, body: &Value) -> Option<Value> {
        let started = Instant::now();
        for turn in turn.. {
            let (status, answer) = self.gateways[turn % self.gateways.len()].call(method, path, body);
            match status {
                200 | 201 => {
                    let told = Told { path: path.to_owned(), body: body.clone(), answer: answer.clone() };
                    self.told.lock().unwrap().push(told);
                    self.count.fetch_add(1, Ordering::SeqCst);
                    return Some(answer);
                }
                503 => _ = self.unavailable.fetch_add(1, Ordering::SeqCst),
                _ => panic!("{method} {path} {body}: {status} {answer}"),
            }
            assert!(started.elapsed() < patience(), "{method} {path} is not answered: {answer}");
        }
        None
    }

    fn order(&self, turn: usize, name: &str) -> Option<()> {
        let body = json!({"clientPaymentId": name, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
        let created = self.ask(turn, "POST", "/api/v1/payments", &body)?;
        let path = format!("/api/v1/payments/{}", created["paymentInfo"]["paymentId"].as_str()?);
        let quoted = self.ask(turn + 1, "PATCH", &path, &json!({"depositCurrency": "ETH"}))?;
        let info = &quoted["paymentInfo"];
        let transfer = json!({
            "network": "ETH", "currency": "ETH", "address": info["walletAddress"], "amount": info["expectedDepositAmount"]
        });
        self.ask(turn, "POST", "/sandbox/transfers", &transfer)?;
        self.ask(turn, "POST", "/sandbox/blocks", &json!({"network": "ETH", "count": 1}))?;
        Some(())
    }

    fn withdraw(&self, turn: usize, name: &str) -> Option<Value> {
        let body = json!({
            "clientWithdrawalId": name, "withdrawCurrency": "ETH", "targetAmount": "0.012", "targetAmountPolicy": "CRYPTO",
            "displayCurrency": "EUR", "withdrawalAccount": "FIAT",
            "recipientAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
        });
        self.ask(turn, "POST", "/api/v1/withdrawals", &body)
    }

    fn run(&self, payer: usize) {
        for number in 0.. {
            if self.is_over.load(Ordering::SeqCst) {
                return;
            }
            self.order(payer + number, &format!("order-{payer}-{number}"));
            self.withdraw(payer + number, &format!("withdrawal-{payer}-{number}"));
        }
    }

    fn answers(&self, more: usize) {
        let before = self.count.load(Ordering::SeqCst);
        eventually("answers", || self.count.load(Ordering::SeqCst) >= before + more);
    }
}

#[test]
fn answered_requests_survive_a_database_failover() {
    let primary = Server::start();
    let standby = primary.start_standby();
    let (first, second) = (primary.folder().display(), standby.folder().display());
    let database = format!(
        "postgres://postgres@localhost/postgres?host={first},{second}&target_session_attrs=read-write"
    );
    let start = || {
        let quietly = |command: &mut Command| _ = command.env("CHECKOUT_LOG", "off");
        Gateway::try_start(&database, &["--sandbox"], quietly).expect("the gateway gets ready")
    };
    let gateways = [start(), start()];
    let load = Load {
        gateways: &gateways,
        is_over: AtomicBool::new(false),
        told: Mutex::default(),
        count: AtomicUsize::new(0),
        unavailable: AtomicUsize::new(0),
    };
    for number in 0..3 {
        load.order(number, &format!("before-{number}")).unwrap();
    }
    let known = load.told.lock().unwrap()[0].answer["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    eventually("money to withdraw", || {
        sql(&database, "SELECT COUNT(*) FROM settlements WHERE kept IS NOT NULL") == "3"
    });

    let mut outage = Duration::ZERO;
    std::thread::scope(|scope| {
        for payer in 0..PAYERS {
            let load = &load;
            scope.spawn(move || load.run(payer));
        }
        load.answers(BEFORE);
        primary.kill();
        // The standby has the payment, but nothing guarantees that its state is current.
        assert_eq!(sql(standby.url(), "SELECT pg_is_in_recovery()"), "t");
        for gateway in &gateways {
            let (status, problem) = gateway.call("GET", &format!("/api/v1/payments/{known}"), &Value::Null);
            assert_eq!((status, &problem["code"]), (503, &json!("store_unavailable")), "{problem}");
        }
        let started = Instant::now();
        standby.promote();
        load.answers(1);
        outage = started.elapsed();
        load.answers(AFTER);
        load.is_over.store(true, Ordering::SeqCst);
    });

    let told = load.told.into_inner().unwrap();
    let (mut payments, mut withdrawals) = (0, 0);
    for Told { path, body, answer } in &told {
        if path == "/api/v1/withdrawals" {
            let (status, again) = gateways[withdrawals % 2].call("POST", path, body);
            assert_eq!(status, 200, "an answered withdrawal is missing: {again}");
            for field in
                ["withdrawalId", "clientWithdrawalId", "deductedSettlementAmount", "fee", "recipientAddress"]
            {
                assert_eq!(again[field], answer[field], "{field}: {answer}");
            }
            withdrawals += 1;
        } else if let Some(id) = answer["paymentInfo"]["paymentId"].as_str() {
            let now = gateways[payments % 2].payment(id);
            for (field, was) in answer["paymentInfo"].as_object().unwrap() {
                let is_fixed = !was.is_null()
                    && ["clientPaymentId", "walletAddress", "expectedDepositAmount"]
                        .contains(&field.as_str());
                assert!(!is_fixed || now[field] == *was, "{field} was {was} and is {}: {id}", now[field]);
            }
            assert_eq!(now["paymentId"], id, "{now}");
            payments += 1;
        } else if let Some(transaction) = answer["transactionId"].as_str() {
            let deposits = format!("SELECT COUNT(*) FROM deposits WHERE transaction_id = '{transaction}'");
            assert_eq!(sql(&database, &deposits), "1", "an answered transfer is one deposit");
        }
    }
    let wrong = "SELECT COUNT(*) FROM (SELECT 1 FROM ledger_lines GROUP BY cause, asset HAVING SUM(units::NUMERIC) <> 0) AS wrong";
    assert_eq!(sql(&database, wrong), "0", "every entry adds up to zero");
    show(&format!(
        "failover: {payments} answers about payments and {withdrawals} withdrawals compared, lost 0; {} times 503; \
         {} ms from the order to promote to the next answer",
        load.unavailable.into_inner(),
        outage.as_millis()
    ));
}

#[test]
fn a_gateway_does_not_start_on_a_standby() {
    let primary = Server::start();
    let standby = primary.start_standby();
    let refused = run(&["serve", "--sandbox", "--listen", "127.0.0.1:0", "--database", standby.url()]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("is a standby"), "{said}");
}
