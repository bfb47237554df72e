//! `GET /api/v1/ledger`: the books add up to the balances.

use std::collections::BTreeMap;

use axum::http::{Method, Request, StatusCode, header};
use checkout_core::{Currency, decimal};
use checkout_domain::business::settings::Settings;
use checkout_gateway::service::payouts::pay_out;
use serde_json::{Value, json};

use super::{START, World};
use crate::fixture::create_business;

const PATH: &str = "/api/v1/ledger";
const DAY: u64 = 86_400;
const SANCTIONED: &str = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";

/// Amounts by account and currency, such as `FIAT EUR`.
type Sums = BTreeMap<String, checkout_core::Decimal>;

fn add(sums: &mut Sums, account: &Value, currency: &Value, amount: &Value) {
    let key = format!("{} {}", account.as_str().unwrap(), currency.as_str().unwrap());
    let amount = amount.as_str().unwrap();
    let (sign, digits) = amount.strip_prefix('-').map_or((1, amount), |digits| (-1, digits));
    let amount = decimal::parse(digits, 18).unwrap() * checkout_core::Decimal::from(sign);
    *sums.entry(key).or_default() += amount;
}

impl World {
    async fn entries(&self, query: &str) -> Vec<Value> {
        let answer = self.get(&format!("{PATH}?{query}"), &self.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
        answer.json.as_array().unwrap().clone()
    }

    /// The rows of the CSV, each by the names of its columns.
    async fn rows(&self, query: &str) -> Vec<Value> {
        let request = Request::get(format!("{PATH}?{query}"))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::ACCEPT, "text/csv")
            .body(axum::body::Body::empty());
        let answer = self.send(request.unwrap()).await;
        assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"), "{answer:?}");
        let text = String::from_utf8(answer.bytes).unwrap();
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let row = |line: &str| {
            names.iter().map(|name| (*name).to_owned()).zip(line.split(',').map(Value::from)).collect()
        };
        lines.map(row).collect()
    }

    async fn book_of(&self, query: &str) -> Sums {
        let mut sums = Sums::new();
        for row in self.rows(query).await {
            add(&mut sums, &row["account"], &row["currency"], &row["amount"]);
        }
        sums
    }

    /// The balances that the merchant sees.
    async fn shown_balances(&self) -> Sums {
        let answer = self.get("/api/v1/balances", &self.token).await;
        let mut sums = Sums::new();
        for balance in answer.json.as_array().unwrap() {
            add(&mut sums, &balance["account"], &balance["currency"], &balance["amount"]);
        }
        sums
    }

    async fn events(&self, query: &str) -> Vec<String> {
        let entries = self.entries(query).await;
        entries.iter().map(|entry| entry["event"].as_str().unwrap().to_owned()).collect()
    }

    async fn send_all(&self) {
        for _ in 0..3 {
            pay_out::run(&self.app).await.unwrap();
            self.mine("ETH").await;
            self.mine("BTC").await;
        }
    }
}

/// The lines are those of a balance, and nothing else adds to it.
fn difference(from: &Sums, to: &Sums) -> Sums {
    let mut difference = to.clone();
    for (key, amount) in from {
        *difference.entry(key.clone()).or_default() -= *amount;
    }
    difference.retain(|_, amount| !amount.is_zero());
    difference
}

#[tokio::test]
async fn the_csv_of_a_month_adds_up_to_the_difference_of_the_balances() {
    let world =
        World::settling("0.25", Currency::Xrp, Settings { refund_excess: Some(true), ..Settings::default() })
            .await;
    let mut balances = vec![world.shown_balances().await];
    let mut ends = vec![START];
    let months = 3;
    for month in 0..months {
        let name = |what: &str| format!("{what}-{month}");
        // A deposit, one that is paid too much and refunded, one that leaves its chain, withdrawals of which one is blocked.
        world.deposit(&name("order"), "1000.00").await;
        let (id, _) = world.quoted(json!({"clientPaymentId": name("too-much")}), "BTC", "BTC").await;
        world.pay(&id, "0.01").await;
        world.mine("BTC").await;
        let (id, _) = world.quoted(json!({"clientPaymentId": name("dropped")}), "BTC", "BTC").await;
        let transaction = world.pay(&id, "0.00166667").await;
        world.mine("BTC").await;
        world.sandbox("drops", json!({"transactionId": transaction})).await;
        let fiat = json!({"withdrawalAccount": "FIAT"});
        for (number, change) in [json!({}), json!({"recipientAddress": SANCTIONED})].into_iter().enumerate() {
            let id = json!({"clientWithdrawalId": format!("w-{month}-{number}"), "targetAmount": "0.02"});
            let made = world.withdraw(super::over(super::over(id, fiat.clone()), change)).await;
            assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
        }
        world.send_all().await;
        world
            .sandbox(
                "rates",
                json!({"from": "BTC", "to": "EUR", "rate": format!("{}", 50_000 + month * 1_000)}),
            )
            .await;
        world.advance(30 * DAY).await;
        balances.push(world.shown_balances().await);
        ends.push(world.app.clock.now());
    }
    for month in 0..months {
        let (from, to) = (ends[month], ends[month + 1]);
        let mut booked = world.book_of(&format!("from={from}&to={to}")).await;
        let shown = ["FIAT", "CRYPTO", "HELD", "REFUNDS", "WITHDRAWALS"];
        booked
            .retain(|key, amount| shown.iter().any(|account| key.starts_with(account)) && !amount.is_zero());
        assert!(booked.keys().any(|key| key == "FIAT EUR") && booked.len() >= 2, "{booked:?}");
        assert_eq!(booked, difference(&balances[month], &balances[month + 1]), "month {month}");
    }
    let all = world.rows("").await;
    assert!(all.len() > 100, "{} lines: more than one read", all.len());
    assert_eq!(world.rows("descending=false").await.len(), all.len());
    let shown: Vec<Value> = all.iter().map(|row| row["entryId"].clone()).collect();
    assert!(shown.iter().collect::<Vec<_>>().is_sorted_by(|above, below| above.as_str() >= below.as_str()));
}

#[tokio::test]
async fn each_entry_adds_up_to_zero_and_says_its_cause_rate_and_value() {
    let world = World::settling("0", Currency::Btc, Settings::default()).await;
    let id = world.deposit("order-1", "100.00").await;
    let entries = world.entries("").await;
    let deposit = world.payment(&id).await["deposits"][0]["id"].clone();
    let [entry] = &*entries else { panic!("{entries:?}") };
    let line = |account: &str, currency: &str, amount: &str, rate: &str, value: &str| json!({"account": account, "currency": currency, "amount": amount, "uniformRate": rate, "uniformAmount": value});
    let expected = json!({
        "entryId": entry["entryId"], "bookedAt": START, "event": "DEPOSIT", "paymentId": id, "clientPaymentId": "order-1",
        "depositId": deposit,
        "lines": [
            line("CHAIN", "BTC", "-0.00166667", "60000", "-100.00"),
            line("EXCHANGE", "BTC", "0.00166667", "60000", "100.00"),
            line("EXCHANGE", "EUR", "-100.00", "1", "-100.00"),
            line("FEES", "EUR", "0.50", "1", "0.50"),
            line("FIAT", "EUR", "99.50", "1", "99.50"),
        ],
    });
    assert_eq!(*entry, expected);
    // The rate of its booking, whatever the rate is when it leaves the chain.
    world.sandbox("rates", json!({"from": "BTC", "to": "EUR", "rate": "1"})).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    let [reversed, first] = &*world.entries("").await else { panic!("two entries") };
    assert_eq!((first, &reversed["event"]), (entry, &json!("DEPOSIT_REVERSED")));
    for (line, back) in entry["lines"].as_array().unwrap().iter().zip(reversed["lines"].as_array().unwrap()) {
        assert_eq!(line["uniformRate"], back["uniformRate"]);
        let negated = |text: &Value| {
            let text = text.as_str().unwrap();
            text.strip_prefix('-').map_or_else(|| format!("-{text}"), str::to_owned)
        };
        assert_eq!(negated(&line["uniformAmount"]), back["uniformAmount"].as_str().unwrap());
    }
}

#[tokio::test]
async fn withdrawals_and_refunds_are_named() {
    let world = super::refunds::world().await;
    world.deposit("order-1", "1000.00").await;
    let (id, _) = world.quoted(json!({"clientPaymentId": "too-much"}), "BTC", "BTC").await;
    world.pay(&id, "0.01").await;
    world.mine("BTC").await;
    let sent = world.withdraw(json!({})).await.json["withdrawId"].clone();
    let blocked = json!({"clientWithdrawalId": "w-2", "recipientAddress": SANCTIONED});
    let blocked = world.withdraw(blocked).await.json["withdrawId"].clone();
    world.send_all().await;
    assert_eq!(world.events(&format!("paymentId={id}&descending=false")).await, ["DEPOSIT", "REFUND_SENT"]);
    let entries = world.entries("").await;
    let of = |id: &Value| -> Vec<&str> {
        let own = entries.iter().rev().filter(|entry| entry["withdrawalId"] == *id);
        own.map(|entry| entry["event"].as_str().unwrap()).collect()
    };
    assert_eq!(of(&sent), ["WITHDRAWAL", "WITHDRAWAL_SENT"]);
    assert_eq!(of(&blocked), ["WITHDRAWAL", "WITHDRAWAL_RETURNED"]);
    let entry = entries.iter().find(|entry| entry["withdrawalId"] == blocked).unwrap();
    assert_eq!((&entry["clientWithdrawalId"], entry.get("paymentId")), (&json!("w-2"), None));
    let refund = world.entries(&format!("paymentId={id}&limit=1")).await.remove(0);
    assert_eq!(refund["clientPaymentId"], "too-much");
}

#[tokio::test]
async fn only_the_own_entries_are_listed() {
    let world = World::rich().await;
    let entry = world.entries("").await.remove(0)["entryId"].as_str().unwrap().to_owned();
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (_, token) = create_business(&world.app, other).await;
    assert_eq!(world.get(PATH, &token).await.json, json!([]));
    let cursor = world.get(&format!("{PATH}?after={entry}"), &token).await;
    assert_eq!(cursor.errors(), [("/after".to_owned(), "unknown_cursor".to_owned())]);
    let check = async |query: &str, pointer: &str, code: &str| {
        let answer = world.get(&format!("{PATH}?{query}"), &world.token).await;
        assert_eq!(answer.errors(), [(pointer.to_owned(), code.to_owned())], "{query}");
    };
    check("paymentId=1", "/paymentId", "bad_uuid").await;
    check("from=9&to=9", "/to", "out_of_range").await;
    check("limit=0", "/limit", "out_of_range").await;
    assert_eq!(world.call(Method::GET, PATH, None, None).await.status, StatusCode::UNAUTHORIZED);
}
