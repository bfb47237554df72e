//! `cargo xtask bench lists`: a page of each list beside many payments, compared with the same page beside a thousand.
//!
//! Every payment is paid, is in the ledger, and has a callback; every tenth is refunded, and there are as many withdrawals. What a
//! filter finds is either nearly everything, or a few rows that came last.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use crate::figures::median;
use crate::place::{KINDS, Kind, Place};
use crate::seed;
use crate::subject::Gateway;

const FEW: u64 = 1_000;

/// Requests of each page, in turns.
const ROUNDS: usize = 21;

const RECIPIENT: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/// A list, the filters that are measured, and the copies for each payment: one for so many.
const LISTS: [(&str, u64, &[&str]); 6] = [
    (
        "payments",
        1,
        &[
            "",
            "status=DEPOSITED",
            "status=PENDING",
            "currency=BTC",
            "currency=LTC",
            "network=BTC",
            "network=LTC",
            "status=PENDING&currency=LTC",
            "description=kettle",
            "description=teapot",
            "metadata=order:rare",
            "clientPaymentId=rare",
            "transactionId={transaction}",
            "address={address}",
        ],
    ),
    (
        "deposits",
        1,
        &[
            "",
            "currency=BTC",
            "currency=LTC",
            "network=LTC",
            "status=CONFIRMED",
            "status=UNCONFIRMED",
            "held=true",
            "held=false",
            "paymentId={payment}",
            "transactionId={transaction}",
        ],
    ),
    (
        "refunds",
        seed::REFUNDED,
        &[
            "",
            "status=CONFIRMED",
            "status=PENDING",
            "status=CANCELLED",
            "waitingFor=ADDRESS",
            "waitingFor=APPROVAL",
            "currency=BTC",
            "currency=LTC",
            "network=BTC",
            "network=LTC",
            "clientRefundId=rare",
            "paymentId={payment}",
        ],
    ),
    (
        "withdrawals",
        seed::REFUNDED,
        &["", "status=COMPLETED", "status=NEW", "currency=BTC", "currency=LTC", "clientWithdrawalId=rare"],
    ),
    ("callbacks", 1, &["", "status=DELIVERED", "status=PENDING", "status=FAILED", "subjectId={deposit}"]),
    ("ledger", 1, &["", "paymentId={payment}"]),
];

/// A database of so many payments, with its gateway and what stands for the words in braces.
struct Stage {
    gateway: Gateway,
    payments: u64,
    words: Vec<(&'static str, String)>,
    _place: Place,
}

impl Stage {
    async fn set(binary: &Path, folder: &Path, kind: Kind, payments: u64) -> Self {
        let place = Place::new(kind, folder);
        {
            let gateway = Gateway::start(binary, &place.url());
            template(&gateway).await;
        }
        seed::fill_lists(&place, payments).await;
        let gateway = Gateway::start(binary, &place.url());
        let words = rare(&gateway).await;
        Self { gateway, payments, words, _place: place }
    }

    fn path(&self, list: &str, one_of: u64, filter: &str, page: &str) -> String {
        let middle = seed::id(self.payments / one_of / 2, list == "withdrawals");
        let mut path = format!("/api/v1/{list}?limit=25&{filter}{page}").replace("{middle}", &middle);
        for (word, value) in &self.words {
            path = path.replace(&format!("{{{word}}}"), value);
        }
        path
    }

    async fn millis(&self, path: &str) -> (f64, usize) {
        let asked = Instant::now();
        let (page, _) = self.gateway.call("GET", path, &Value::Null).await;
        (asked.elapsed().as_secs_f64() * 1_000.0, page.as_array().map_or(0, Vec::len))
    }
}

/// The payment that is copied, its refund and a withdrawal.
async fn template(gateway: &Gateway) {
    let paid = paid(gateway, "template", "BTC", "0.00166667", "kettle", "common").await;
    let refund = json!({"clientRefundId": "template", "amount": "0.0005", "address": RECIPIENT});
    gateway.call("POST", &format!("{}/refunds", paid.0), &refund).await;
    withdraw(gateway, "template").await;
    for _ in 0..10 {
        blocks(gateway, "BTC").await;
    }
    let delivered = async || {
        let (callbacks, _) = gateway.call("GET", "/api/v1/callbacks?status=PENDING", &Value::Null).await;
        callbacks.as_array().is_some_and(Vec::is_empty)
    };
    while !delivered().await {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

async fn withdraw(gateway: &Gateway, id: &str) {
    let withdrawal = json!({
        "clientWithdrawalId": id, "withdrawCurrency": "BTC", "network": "BTC", "recipientAddress": RECIPIENT,
        "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "0.0005", "withdrawalAccount": "FIAT",
    });
    gateway.call("POST", "/api/v1/withdrawals", &withdrawal).await;
}

async fn blocks(gateway: &Gateway, network: &str) {
    gateway.call("POST", "/sandbox/blocks", &json!({"network": network, "count": 1})).await;
}

/// Creates a payment and pays it. Returns its path and the transaction.
async fn paid(
    gateway: &Gateway,
    order: &str,
    coin: &str,
    amount: &str,
    description: &str,
    metadata: &str,
) -> (String, String) {
    let body = json!({
        "clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100.00",
        "description": description, "metadata": {"order": metadata},
    });
    let (created, _) = gateway.call("POST", "/api/v1/payments", &body).await;
    let path = format!("/api/v1/payments/{}", created["paymentInfo"]["paymentId"].as_str().unwrap());
    let (chosen, _) = gateway.call("PATCH", &path, &json!({"depositCurrency": coin})).await;
    let address = &chosen["paymentInfo"]["walletAddress"];
    let transfer = json!({"network": coin, "currency": coin, "address": address, "amount": amount});
    let (sent, _) = gateway.call("POST", "/sandbox/transfers", &transfer).await;
    blocks(gateway, coin).await;
    (path, sent["transactionId"].as_str().unwrap().to_owned())
}

/// The searched payments: one of each kind that the copies are not.
async fn rare(gateway: &Gateway) -> Vec<(&'static str, String)> {
    let (path, transaction) = paid(gateway, "rare", "LTC", "1.3", "teapot", "rare").await;
    let (payment, _) = gateway.call("GET", &path, &Value::Null).await;
    gateway.payment("pending").await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    vec![
        ("payment", path.rsplit('/').next().unwrap_or_default().to_owned()),
        ("transaction", transaction),
        ("address", text(&payment["walletAddress"])),
        ("deposit", text(&payment["deposits"][0]["id"])),
    ]
}

pub(crate) async fn run(binary: &Path, folder: &Path, payments: u64) {
    for kind in KINDS {
        let few = Stage::set(binary, folder, kind, FEW).await;
        let many = Stage::set(binary, folder, kind, payments).await;
        println!(
            "| {}, {payments} payments: a page of 25 | rows | first page | in the middle | last page |\n|---|---|---|---|---|",
            kind.name()
        );
        for (list, one_of, filters) in LISTS {
            for filter in filters {
                println!("{}", row(&few, &many, list, one_of, filter).await);
            }
        }
        println!("{}", row(&few, &many, "balances", 1, "").await);
        println!();
    }
}

async fn row(few: &Stage, many: &Stage, list: &str, one_of: u64, filter: &str) -> String {
    let mut text = if filter.is_empty() { format!("| `/{list}`") } else { format!("| `/{list}?{filter}`") };
    let pages: &[&str] =
        if list == "balances" { &[""] } else { &["", "&after={middle}", "&descending=false"] };
    for (at, page) in pages.iter().enumerate() {
        let (mut small, mut large, mut rows) = (Vec::new(), Vec::new(), 0);
        let path = |stage: &Stage| match list {
            "balances" => "/api/v1/balances".to_owned(),
            _ => stage.path(list, one_of, filter, page),
        };
        for _ in 0..ROUNDS {
            small.push(few.millis(&path(few)).await.0);
            let (millis, count) = many.millis(&path(many)).await;
            large.push(millis);
            rows = count;
        }
        let (small, large) = (median(small), median(large));
        if at == 0 {
            text += &format!(" | {rows}");
        }
        text += &format!(" | {:.1} × ({large:.1} ms)", large / small);
    }
    text + " |"
}
