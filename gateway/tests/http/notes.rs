//! `description` and `metadata` of a payment: for the merchant alone, and found by.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Answer, World};

const PATH: &str = "/api/v1/payments";

impl World {
    async fn noted(&self, order: &str, notes: Value) -> Answer {
        let mut fields = json!({"clientPaymentId": order});
        fields.as_object_mut().unwrap().extend(notes.as_object().unwrap().clone());
        self.create(fields).await
    }

    async fn orders(&self, query: &str) -> Vec<String> {
        let answer = self.get(&format!("{PATH}?{query}"), &self.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
        let order = |payment: &Value| payment["clientPaymentId"].as_str().unwrap().to_owned();
        answer.json.as_array().unwrap().iter().map(order).collect()
    }
}

#[tokio::test]
async fn a_payment_is_found_by_what_the_merchant_wrote() {
    let world = World::new().await;
    let kettles =
        json!({"description": "Three kettles, Blue", "metadata": {"customer": "c-17", "shop": "Tokyo: 2"}});
    let made = world.noted("kettles", kettles).await;
    assert_eq!(made.json["paymentInfo"]["metadata"], json!({"customer": "c-17", "shop": "Tokyo: 2"}));
    world.noted("lamp", json!({"description": "A blue lamp", "metadata": {"customer": "c-18"}})).await;
    world.noted("plain", json!({})).await;
    for (query, expected) in [
        ("description=kettles", &["kettles"][..]),
        ("description=BLUE", &["lamp", "kettles"]),
        ("description=blue+three", &["kettles"]),
        ("description=blu", &[]),
        ("metadata=customer:c-17", &["kettles"]),
        ("metadata=shop:Tokyo:+2", &["kettles"]),
        ("metadata=customer:C-17", &[]),
        ("metadata=customer:c-18&description=lamp", &["lamp"]),
        ("metadata=customer:c-18&description=kettles", &[]),
    ] {
        assert_eq!(world.orders(query).await, expected, "{query}");
    }
    let read = world.get(&format!("{PATH}/{}", made.payment_id()), &world.token).await.json;
    assert_eq!(
        (&read["description"], &read["metadata"]["customer"]),
        (&json!("Three kettles, Blue"), &json!("c-17"))
    );
}

#[tokio::test]
async fn payers_do_not_see_notes() {
    let world = World::new().await;
    let made =
        world.noted("kettles", json!({"description": "Secret", "metadata": {"customer": "Secret"}})).await;
    let path = format!("{PATH}/{}", made.payment_id());
    let session = made.session_token();
    let choice = json!({"depositCurrency": "BTC"});
    for answer in [
        world.get(&path, &session).await,
        world.get(&format!("/api/v1/checkout/{}", made.payment_id()), &session).await,
        world.patch(&path, &session, &choice).await,
    ] {
        assert_eq!(answer.status, StatusCode::OK);
        assert!(!answer.json.to_string().contains("Secret"), "{}", answer.json);
    }
    let page = world.get(&format!("/checkout/{}?sessionToken={session}", made.payment_id()), &session).await;
    assert!(!String::from_utf8(page.bytes).unwrap().contains("Secret"));
}

#[tokio::test]
async fn notes_belong_to_the_request() {
    let world = World::new().await;
    let notes = json!({"description": "Kettle", "metadata": {"a": "1", "b": "2"}});
    let made = world.noted("order-1", notes).await;
    let again =
        world.noted("order-1", json!({"metadata": {"b": "2", "a": "1"}, "description": "Kettle"})).await;
    assert_eq!(
        (again.status, &again.json),
        (StatusCode::OK, &made.json),
        "the order of names does not matter"
    );
    for other in [
        json!({}),
        json!({"description": "Kettle"}),
        json!({"description": "Kettle", "metadata": {"a": "1"}}),
    ] {
        assert_eq!(world.noted("order-1", other.clone()).await.status, StatusCode::CONFLICT, "{other}");
    }
    let none = world.noted("order-2", json!({"metadata": {}})).await;
    assert_eq!(world.noted("order-2", json!({})).await.json, none.json, "no entries are no metadata");
}

#[tokio::test]
async fn wrong_notes_are_refused() {
    let world = World::new().await;
    let many: serde_json::Map<String, Value> = (0..21).map(|at| (format!("n{at}"), json!("v"))).collect();
    for (notes, pointer, code) in [
        (json!({"description": 7}), "/description", "wrong_type"),
        (json!({"description": " "}), "/description", "empty"),
        (json!({"description": "x".repeat(501)}), "/description", "too_long"),
        (json!({"metadata": []}), "/metadata", "wrong_type"),
        (json!({"metadata": {"a": 1}}), "/metadata", "wrong_type"),
        (json!({"metadata": {"": "1"}}), "/metadata", "empty"),
        (json!({"metadata": {"n".repeat(41): "1"}}), "/metadata", "too_long"),
        (json!({"metadata": {"a": "v".repeat(501)}}), "/metadata", "too_long"),
        (json!({"metadata": many}), "/metadata", "too_long"),
    ] {
        let answer = world.noted("order", notes.clone()).await;
        assert_eq!(answer.errors(), [(pointer.to_owned(), code.to_owned())], "{notes}");
    }
    let answer = world.get(&format!("{PATH}?metadata=customer"), &world.token).await;
    assert_eq!(answer.errors(), [("/metadata".to_owned(), "wrong_type".to_owned())]);
}
