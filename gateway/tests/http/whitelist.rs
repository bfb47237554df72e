//! Whitelisted addresses: fields, pages, replays, wrong input.

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::golden::check_fields;
use super::wrong_input::{Faults, check_all};
use super::{START, World, over};

const PATH: &str = "/whitelist-addresses";
const BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const XRP: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";

fn body(fields: Value) -> Value {
    let body = json!({"clientAddressId": "a-1", "currency": "BTC", "network": "BTC", "address": BTC});
    over(body, fields)
}

#[tokio::test]
async fn fields() {
    let world = World::new().await;
    let made = world.post(PATH, &world.token, &body(json!({}))).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    check_fields(&made.json, "WhitelistedAddress", &[]);
    assert_eq!(made.json["createdAt"], START);
    let full = json!({
        "clientAddressId": "a-2", "currency": "XRP", "network": "XRP", "address": XRP, "destinationTag": "7",
        "label": "exchange"
    });
    let made = world.post(PATH, &world.token, &body(full.clone())).await;
    check_fields(&made.json, "WhitelistedAddress", &["destinationTag", "label"]);
    for (name, value) in full.as_object().unwrap() {
        assert_eq!(made.json[name], *value);
    }
    let listed = world.get(&format!("{PATH}?clientAddressId=a-2"), &world.token).await;
    assert_eq!(listed.status, StatusCode::OK);
    assert_eq!(listed.json, json!([made.json]), "a bare array of the same records");
}

/// Addresses are stored in normal form; texts of one account are the same request.
#[tokio::test]
async fn replays() {
    let world = World::new().await;
    let first = world.post(PATH, &world.token, &body(json!({}))).await;
    let mut watch = world.watch().await;
    for (fields, status) in [
        (json!({}), 200),
        (json!({"address": BTC.to_ascii_uppercase()}), 200),
        (json!({"label": null}), 200),
        (json!({"label": "x"}), 409),
        (json!({"address": "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"}), 409),
        (json!({"currency": "ETH", "network": "ETH", "address": EVM}), 409),
    ] {
        let again = world.post(PATH, &world.token, &body(fields.clone())).await;
        assert_eq!(again.status.as_u16(), status, "{fields} {}", again.json);
        match status {
            200 => assert_eq!(again.json, first.json),
            _ => assert_eq!(again.json["code"], "client_address_id_taken"),
        }
    }
    let now = watch.now().await;
    watch.assert_same(now, "replays and conflicts");

    let tagged = |id: &str, address: &str, tag: Value| {
        body(json!({"clientAddressId": id, "currency": "XRP", "network": "XRP", "address": address,
            "destinationTag": tag}))
    };
    for (address, tag) in [
        (XRP.to_owned(), json!("12")),
        (XRP.to_owned(), json!(12)),
        (format!("{XRP}?dt=12"), Value::Null),
        (format!("{XRP}?dt=12"), json!("12")),
    ] {
        let made = world.post(PATH, &world.token, &tagged("x-1", &address, tag)).await;
        assert!(made.status.is_success(), "{}", made.json);
        assert_eq!((&made.json["address"], &made.json["destinationTag"]), (&json!(XRP), &json!("12")));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_concurrent_requests_create_one_address() {
    let world = Arc::new(World::new().await);
    let tasks: Vec<_> = (0..50)
        .map(|i| {
            let world = Arc::clone(&world);
            // Two different requests under one id: the first one wins.
            let fields = json!({"label": if i % 5 == 0 { "other" } else { "first" }});
            tokio::spawn(async move { world.post(PATH, &world.token, &body(fields)).await })
        })
        .collect();
    let mut statuses = Vec::new();
    for task in tasks {
        statuses.push(task.await.unwrap().status.as_u16());
    }
    let count = |status| statuses.iter().filter(|s| **s == status).count();
    assert_eq!(count(201), 1);
    assert_eq!(count(200) + count(409), 49);
    assert!(count(409) == 10 || count(409) == 40, "{statuses:?}");
}

#[tokio::test]
async fn wrong_input() {
    let world = World::new().await;
    let b = body;
    let cases: Vec<(Value, Faults)> = vec![
        (
            json!({}),
            &[
                ("/clientAddressId", "required"),
                ("/currency", "required"),
                ("/network", "required"),
                ("/address", "required"),
            ],
        ),
        (
            json!({"clientAddressId": 1, "currency": 1, "network": 1, "address": 1, "destinationTag": [], "label": 1}),
            &[
                ("/clientAddressId", "wrong_type"),
                ("/currency", "wrong_type"),
                ("/network", "wrong_type"),
                ("/address", "wrong_type"),
                ("/destinationTag", "wrong_type"),
                ("/label", "wrong_type"),
            ],
        ),
        (b(json!({"clientAddressId": ""})), &[("/clientAddressId", "empty")]),
        (b(json!({"clientAddressId": "x".repeat(256)})), &[("/clientAddressId", "too_long")]),
        (b(json!({"label": "x".repeat(256)})), &[("/label", "too_long")]),
        (b(json!({"label": "a\nb"})), &[("/label", "control_character")]),
        (b(json!({"currency": "NOPE"})), &[("/currency", "unknown_currency")]),
        (b(json!({"network": "MAIN"})), &[("/network", "unknown_network")]),
        (b(json!({"network": "ETH"})), &[("/network", "unsupported_pair")]),
        (b(json!({"network": null})), &[("/network", "required")]),
        (b(json!({"address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"})), &[("/address", "bad_address")]),
        (b(json!({"address": ""})), &[("/address", "bad_address")]),
        (b(json!({"address": EVM})), &[("/address", "bad_address")]),
        (
            b(json!({"currency": "XRP", "network": "XRP", "address": XRP, "destinationTag": "-1"})),
            &[("/destinationTag", "bad_tag")],
        ),
        (
            b(
                json!({"currency": "XRP", "network": "XRP", "address": format!("{XRP}?dt=5"), "destinationTag": "6"}),
            ),
            &[("/destinationTag", "conflicting_tag")],
        ),
        (
            b(json!({"currency": "XRP", "network": "XRP", "address": format!("{XRP}?amount=5")})),
            &[("/address", "bad_address")],
        ),
        (b(json!({"businessId": uuid::Uuid::nil().to_string()})), &[("/businessId", "unknown_business")]),
    ];
    check_all(&world, Method::POST, PATH, Some(&world.token), cases).await;
    let nobody = uuid::Uuid::nil();
    for (query, pointer, code) in [
        ("id=7".to_owned(), "/id", "bad_uuid"),
        ("currency=NOPE".to_owned(), "/currency", "unknown_currency"),
        ("descending=yes".to_owned(), "/descending", "wrong_type"),
        ("limit=0".to_owned(), "/limit", "out_of_range"),
        ("limit=101".to_owned(), "/limit", "out_of_range"),
        ("limit=99999999999".to_owned(), "/limit", "out_of_range"),
        ("limit=-1".to_owned(), "/limit", "wrong_type"),
        ("limit=".to_owned(), "/limit", "wrong_type"),
        ("limit=1&limit=2".to_owned(), "/limit", "duplicate_field"),
        ("after=x".to_owned(), "/after", "bad_uuid"),
        (format!("after={nobody}"), "/after", "unknown_cursor"),
        (format!("before={nobody}"), "/before", "unknown_cursor"),
    ] {
        let answer = world.get(&format!("{PATH}?{query}"), &world.token).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{query} {}", answer.json);
        assert_eq!(answer.errors(), [(pointer.to_owned(), code.to_owned())], "{query}");
    }
}

/// Every page is a slice of one ordered list, however it is reached, and new rows do not shift it.
#[tokio::test]
async fn pages() {
    let world = World::new().await;
    for i in 0..60 {
        let (currency, network, address) = if i % 3 == 0 { ("BTC", "BTC", BTC) } else { ("ETH", "BSC", EVM) };
        let fields = json!({"clientAddressId": format!("a-{i}"), "currency": currency, "network": network,
            "address": address, "label": format!("l{}", i % 2)});
        assert_eq!(world.post(PATH, &world.token, &body(fields)).await.status, StatusCode::CREATED);
    }
    let list = async |query: &str| -> Vec<String> {
        let answer = world.get(&format!("{PATH}?{query}"), &world.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{query} {}", answer.json);
        answer.json.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    };
    let all = list("limit=100").await;
    assert_eq!(all.len(), 60);
    let mut sorted = all.clone();
    sorted.sort_by(|a, b| b.cmp(a));
    assert_eq!(all, sorted, "the newest first");
    let reversed: Vec<_> = all.iter().rev().cloned().collect();
    assert_eq!(list("descending=false&limit=100").await, reversed);
    assert_eq!(list("").await, all[..25], "25 by default");
    assert_eq!(list("limit=1").await, all[..1]);

    assert_eq!(list(&format!("after={}&limit=7", all[9])).await, all[10..17], "exclusive");
    assert_eq!(
        list(&format!("before={}&limit=7", all[9])).await,
        all[2..9],
        "the nearest page, in the same order"
    );
    assert_eq!(list(&format!("before={}&limit=7", all[3])).await, all[..3]);
    assert_eq!(list(&format!("before={}", all[0])).await, [] as [String; 0]);
    assert_eq!(list(&format!("after={}", all[59])).await, [] as [String; 0]);
    assert_eq!(list(&format!("after={}&before={}", all[9], all[12])).await, all[10..12]);
    assert_eq!(list(&format!("descending=false&after={}&limit=3", reversed[9])).await, reversed[10..13]);
    assert_eq!(list(&format!("descending=false&before={}&limit=3", reversed[9])).await, reversed[6..9]);

    assert_eq!(list(&format!("id={}", all[5])).await, all[5..6]);
    assert_eq!(list("currency=BTC&limit=100").await.len(), 20);
    assert_eq!(list("label=l1&limit=100").await.len(), 30);
    assert_eq!(list("currency=BTC&label=l1&limit=100").await.len(), 10);
    assert_eq!(list("label=none").await.len(), 0);

    // Paging while rows are added returns each earlier row exactly once.
    world.advance(1).await;
    let (mut walked, mut query) = (Vec::new(), "limit=9".to_owned());
    loop {
        let page = list(&query).await;
        let Some(end) = page.last() else { break };
        query = format!("limit=9&after={end}");
        walked.extend(page);
        let fields = json!({"clientAddressId": format!("b-{}", walked.len())});
        world.post(PATH, &world.token, &body(fields)).await;
    }
    assert_eq!(walked, all);
}

#[tokio::test]
async fn an_organisation_key_needs_the_business_id() {
    let world = World::new().await;
    let key = world.organisation_key().await;
    let unnamed = world.post(PATH, &key, &body(json!({}))).await;
    assert_eq!(unnamed.errors(), [("/businessId".to_owned(), "required".to_owned())]);
    let id = world.business.id.to_string();
    let made = world.post(PATH, &key, &body(json!({"businessId": id}))).await;
    assert_eq!(made.status, StatusCode::CREATED);
    assert_eq!(world.get(PATH, &key).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let listed = world.get(&format!("{PATH}?businessId={id}"), &key).await;
    assert_eq!(listed.json, json!([made.json]));
    assert_eq!(world.get(PATH, &world.token).await.json, json!([made.json]));
}
