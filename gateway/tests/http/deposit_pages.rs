//! A payment with many deposits: what it has, and the pages with the rest.

use axum::http::StatusCode;
use checkout_storage::query;
use serde_json::{Value, json};

use super::golden::check_fields;
use super::{World, contract};

/// Pays a REUSABLE payment so many times, ten transfers a block.
async fn paid(world: &World, times: usize) -> (String, String) {
    let (id, session) = world.quoted(json!({"type": "REUSABLE"}), "BTC", "BTC").await;
    pay(world, &id, times).await;
    (id, session)
}

async fn pay(world: &World, id: &str, times: usize) {
    let address = world.payment(id).await["walletAddress"].clone();
    for number in 1..=times {
        let body = json!({"network": "BTC", "currency": "BTC", "address": address, "amount": "0.0001"});
        world.sandbox("transfers", body).await;
        if number % 10 == 0 || number == times {
            world.mine("BTC").await;
        }
    }
}

fn ids(list: &Value) -> Vec<String> {
    let id = |deposit: &Value| deposit["id"].as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(id).collect()
}

fn reversed(ids: &[String]) -> Vec<String> {
    ids.iter().rev().cloned().collect()
}

impl World {
    async fn deposits(&self, id: &str, query: &str) -> Vec<String> {
        let path = format!("/api/v1/payments/{id}/deposits?{query}");
        let answer = self.get(&path, &self.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.json);
        ids(&answer.json)
    }

    /// All pages after one another, in this direction.
    async fn all_deposits(&self, id: &str, order: &str) -> Vec<String> {
        let mut all = self.deposits(id, &format!("limit=100&{order}")).await;
        loop {
            let page = self.deposits(id, &format!("limit=100&{order}&after={}", all.last().unwrap())).await;
            if page.is_empty() {
                return all;
            }
            all.extend(page);
        }
    }
}

#[tokio::test]
async fn a_payment_has_the_newest_hundred_deposits_and_a_link_to_the_rest() {
    let world = World::new().await;
    let (id, session) = paid(&world, 100).await;
    let whole = world.payment(&id).await;
    assert_eq!(ids(&whole["deposits"]).len(), 100, "whole up to a hundred");
    assert_eq!(whole.get("depositsUrl"), None);

    pay(&world, &id, 150).await;
    let payment = world.payment(&id).await;
    let shown = ids(&payment["deposits"]);
    assert_eq!(shown.len(), 100);
    assert_eq!(payment["actualDepositAmount"], "0.025", "the sum of all");
    let all = world.all_deposits(&id, "descending=false").await;
    assert_eq!(all.len(), 250);
    assert_eq!(all[..100], ids(&whole["deposits"]), "in the order of the payment");
    assert_eq!(all[150..], shown, "the newest ones, in the same order");
    assert_eq!(world.all_deposits(&id, "").await, reversed(&all), "newest first by default");

    let link = payment["depositsUrl"].as_str().unwrap();
    for token in [&world.token, &session, &world.organisation_key().await] {
        let rest = world.get(link, token).await;
        assert_eq!(rest.status, StatusCode::OK, "{}", rest.json);
        assert_eq!(ids(&rest.json), reversed(&all[125..150]), "the link goes on where the payment ends");
    }
    let listed = world.get(&format!("{link}&limit=1"), &world.token).await.json[0].clone();
    check_fields(&listed, "Deposit", &[]);
    assert_eq!((&listed["status"], &listed["depositAmount"]), (&json!("CONFIRMED"), &json!("0.0001")));
    assert!(
        contract::operation_id(&axum::http::Method::GET, &format!("/api/v1/payments/{id}/deposits"))
            .is_some()
    );
}

#[tokio::test]
async fn a_page_of_deposits_stays_while_deposits_are_added() {
    let world = World::new().await;
    let (id, _) = paid(&world, 12).await;
    let all = world.deposits(&id, "descending=false").await;
    assert_eq!(all.len(), 12);
    let newest = reversed(&all);
    let pages = async || {
        let (five, seven) = (&newest[4], &newest[6]);
        [
            world.deposits(&id, &format!("limit=3&after={five}")).await,
            world.deposits(&id, &format!("limit=3&before={seven}")).await,
            world.deposits(&id, &format!("after={five}&before={}", newest[9])).await,
            world.deposits(&id, &format!("limit=3&descending=false&after={five}")).await,
            world.deposits(&id, &format!("limit=3&descending=false&before={five}")).await,
            world.deposits(&id, &format!("after={seven}&before={five}")).await,
        ]
    };
    let before = pages().await;
    assert_eq!(before[0], newest[5..8]);
    assert_eq!(before[1], newest[3..6], "the nearest ones before the cursor");
    assert_eq!(before[2], newest[5..9]);
    assert_eq!(before[3], all[8..11]);
    assert_eq!(before[4], all[4..7]);
    assert!(before[5].is_empty());
    pay(&world, &id, 10).await;
    assert_eq!(pages().await, before);
    assert_eq!(world.deposits(&id, &format!("before={}", newest[0])).await.len(), 10);
    assert_eq!(world.deposits(&id, "").await.len(), 22);
    pay(&world, &id, 4).await;
    assert_eq!(world.deposits(&id, "").await.len(), 25, "the default");
}

/// A cursor whose transfer vanished still has its place; the transfer itself is in no page.
#[tokio::test]
async fn a_vanished_transfer_is_no_deposit_but_a_cursor() {
    let world = World::new().await;
    let (id, _) = paid(&world, 3).await;
    let sent = world.pay(&id, "0.0002").await;
    let vanished = world.deposits(&id, "limit=1").await.remove(0);
    world.sandbox("drops", json!({"transactionId": sent})).await;
    pay(&world, &id, 2).await;
    let all = world.deposits(&id, "").await;
    assert_eq!(all.len(), 5);
    assert!(!all.contains(&vanished));
    assert_eq!(world.deposits(&id, &format!("after={vanished}")).await, all[2..]);
    assert_eq!(world.deposits(&id, &format!("before={vanished}")).await, all[..2]);
}

#[tokio::test]
async fn wrong_pages() {
    let world = World::new().await;
    let (id, session) = paid(&world, 1).await;
    let other = world.create(json!({"clientPaymentId": "other"})).await;
    let foreign = world.deposits(&id, "").await.remove(0);
    let path = |id: &str| format!("/api/v1/payments/{id}/deposits");
    let check = async |path: String, name: &str, code: &str| {
        for token in [&world.token, &session] {
            let answer = world.get(&path, token).await;
            assert_eq!(answer.status, 422, "{path}: {}", answer.json);
            assert_eq!(answer.errors(), [(format!("/{name}"), code.to_owned())], "{path}");
        }
    };
    for name in ["after", "before"] {
        check(format!("{}?{name}=42", path(&id)), name, "bad_uuid").await;
        check(format!("{}?{name}={id}", path(&id)), name, "unknown_cursor").await;
    }
    check(format!("{}?limit=0", path(&id)), "limit", "out_of_range").await;
    check(format!("{}?limit=101", path(&id)), "limit", "out_of_range").await;
    check(format!("{}?limit=ten", path(&id)), "limit", "wrong_type").await;
    check(format!("{}?descending=no", path(&id)), "descending", "wrong_type").await;
    check(format!("{}?offset=3", path(&id)), "offset", "unknown_field").await;

    let without = other.payment_id();
    assert_eq!(world.deposits(&without, "").await, Vec::<String>::new());
    let cursor = world.get(&format!("{}?after={foreign}", path(&without)), &world.token).await;
    assert_eq!(cursor.errors(), [("/after".to_owned(), "unknown_cursor".to_owned())]);
    // A session sees its own payment only, and an unknown one is not found, whatever the query.
    for (path, token) in [
        (path(&without), &session),
        (path(&id), &other.session_token()),
        (format!("{}?limit=0", path(&without)), &session),
        (path("42"), &world.token),
        (path("00000000-0000-0000-0000-000000000000"), &world.token),
    ] {
        let answer = world.get(&path, token).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json["code"].as_str()),
            (404, Some("not_found")),
            "{path}"
        );
    }
}

/// The others are unreadable, so that reading one fails.
#[tokio::test]
async fn a_page_is_read_without_the_other_deposits() {
    let world = World::new().await;
    let (id, _) = paid(&world, 12).await;
    let all = world.deposits(&id, "descending=false").await;
    let others = "UPDATE deposits SET uniform_rate = 'unreadable' WHERE seen_seq NOT IN
        (SELECT seen_seq FROM deposits ORDER BY seen_seq LIMIT 3 OFFSET 4)";
    world.database.apply(query(others)).await.unwrap();
    assert_eq!(world.deposits(&id, &format!("limit=3&before={}", all[3])).await, reversed(&all[4..7]));
    assert_eq!(world.deposits(&id, &format!("limit=3&descending=false&after={}", all[3])).await, all[4..7]);
}
