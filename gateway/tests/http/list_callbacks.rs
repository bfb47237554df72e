//! `GET /api/v1/callbacks` and `POST /api/v1/callbacks/{id}/resend`: a merchant sees each attempt and repeats one without a shell.

use axum::http::{Method, Request, StatusCode, header};
use checkout_domain::access::scope::Scope;
use checkout_domain::access::scope::Scopes;
use checkout_domain::access::token::Caller;
use checkout_domain::business::settings::Settings;
use checkout_gateway::adapters::os_random::OsRandom;
use checkout_gateway::service::businesses::credentials;
use serde_json::{Value, json};

use super::callbacks::{deliver, world};
use super::inbox::{Answer as Told, Inbox};
use super::{Answer, START, World, merchant_refund_stage};
use crate::fixture::create_business;

const PATH: &str = "/api/v1/callbacks";

fn ids(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    let id = |callback: &Value| callback["id"].as_str().unwrap().to_owned();
    answer.json.as_array().unwrap().iter().map(id).collect()
}

impl World {
    pub(super) async fn callbacks(&self, query: &str) -> Value {
        let answer = self.get(&format!("{PATH}?{query}"), &self.token).await;
        assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.json);
        answer.json
    }

    /// Confirms a payment of an order. Returns the id of its deposit.
    async fn confirmed(&self, order: &str) -> String {
        let (id, _) = self.quoted(json!({"clientPaymentId": order}), "ETH", "ETH").await;
        self.pay(&id, "0.03333334").await;
        self.mine("ETH").await;
        self.payment(&id).await["deposits"][0]["id"].as_str().unwrap().to_owned()
    }

    async fn resend(&self, id: &str, token: &str) -> Answer {
        self.call(Method::POST, &format!("{PATH}/{id}/resend"), Some(token), None).await
    }
}

#[tokio::test]
async fn every_attempt_is_listed_and_one_is_sent_again() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    let deposit = world.confirmed("order-1").await;
    let waiting = world.callbacks("").await;
    let callback = &waiting[0];
    let id = callback["id"].as_str().unwrap().to_owned();
    let body: Value = serde_json::from_str(callback["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["depositId"], deposit);
    let expected = json!([{
        "id": id, "event": "depositReceived", "subjectId": deposit, "status": "PENDING", "createdAt": START,
        "nextAttemptAt": START, "body": callback["body"], "attempts": [],
    }]);
    assert_eq!(waiting, expected);

    inbox.answer([Told::Status(410), Told::Status(200)]);
    deliver(&world).await;
    let failed = world.callbacks("status=FAILED").await;
    let attempt = &failed[0]["attempts"][0];
    assert_eq!((&attempt["number"], &attempt["httpStatus"]), (&json!(1), &json!(410)));
    assert_eq!((&attempt["url"], &attempt["startedAt"]), (&json!(inbox.url), &json!(START)));
    assert!(attempt["durationMillis"].is_u64() && failed[0].get("nextAttemptAt").is_none(), "{failed}");

    let again = world.resend(&id, &world.token).await;
    assert_eq!((again.status, &again.json["status"]), (StatusCode::OK, &json!("PENDING")), "{}", again.json);
    deliver(&world).await;
    let received = inbox.received();
    assert_eq!(received.len(), 2);
    assert_eq!(
        (received[0].header("webhook-id"), &received[0].body),
        (received[1].header("webhook-id"), &received[1].body)
    );
    let delivered = world.callbacks(&format!("subjectId={deposit}")).await;
    assert_eq!(
        (&delivered[0]["status"], &delivered[0]["attempts"][1]["httpStatus"]),
        (&json!("DELIVERED"), &json!(200))
    );
    assert_eq!(delivered[0]["body"], callback["body"]);
}

#[tokio::test]
async fn an_endpoint_that_cannot_be_reached_is_named() {
    let nobody = Settings { deposit_callback: Some("http://127.0.0.1:1/".to_owned()), ..Settings::default() };
    let world = World::with(nobody).await;
    world.confirmed("order-1").await;
    deliver(&world).await;
    let attempt = &world.callbacks("").await[0]["attempts"][0];
    assert!(attempt["error"].is_string() && attempt.get("httpStatus").is_none(), "{attempt}");
}

#[tokio::test]
async fn a_held_callback_is_refused() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    world.confirmed("order-1").await;
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    let held = world.callbacks("status=HELD").await;
    let refused = world.resend(held[0]["id"].as_str().unwrap(), &world.token).await;
    assert_eq!((refused.status, &refused.json["code"]), (StatusCode::CONFLICT, &json!("callback_held")));
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 0);
}

#[tokio::test]
async fn callbacks_are_found_in_pages_and_as_csv() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    let mut deposits = Vec::new();
    for order in 0..5 {
        deposits.push(world.confirmed(&format!("order-{order}")).await);
    }
    inbox.answer([Told::Status(410)]);
    deliver(&world).await;
    let all = ids(&world.get(PATH, &world.token).await);
    let subjects: Vec<Value> =
        world.callbacks("").await.as_array().unwrap().iter().map(|one| one["subjectId"].clone()).collect();
    assert!(subjects.iter().eq(deposits.iter().rev()), "the newest first");
    let check = async |query: &str, expected: &[String]| {
        assert_eq!(ids(&world.get(&format!("{PATH}?{query}"), &world.token).await), expected, "{query}");
    };
    let reversed: Vec<String> = all.iter().rev().cloned().collect();
    check("descending=false", &reversed).await;
    check("limit=2", &all[..2]).await;
    check(&format!("after={}&limit=2", all[1]), &all[2..4]).await;
    check(&format!("before={}&limit=2", all[3]), &all[1..3]).await;
    check("status=PENDING", &[]).await;
    check(&format!("subjectId={}", deposits[0]), &all[4..]).await;
    check(&format!("subjectId={}", uuid::Uuid::nil()), &[]).await;
    check(&format!("to={START}"), &[]).await;
    let delivered = world.callbacks("status=DELIVERED").await.as_array().unwrap().len();
    assert_eq!((delivered, world.callbacks("status=FAILED").await.as_array().unwrap().len()), (4, 1));

    let request = Request::get(PATH)
        .header(header::AUTHORIZATION, format!("Bearer {}", world.token))
        .header(header::ACCEPT, "text/csv")
        .body(axum::body::Body::empty());
    let csv = String::from_utf8(world.send(request.unwrap()).await.bytes).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "id,event,subjectId,status,createdAt,nextAttemptAt,attemptCount,lastHttpStatus,lastError,body"
    );
    assert_eq!(lines.len(), 6);
    assert!(csv.contains(&format!(",FAILED,{START},,1,410,,")), "{csv}");
}

#[tokio::test]
async fn only_the_own_callbacks_are_shown_and_sent() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    world.confirmed("order-1").await;
    let id = ids(&world.get(PATH, &world.token).await).remove(0);
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (_, token) = create_business(&world.app, other).await;
    assert_eq!(world.get(PATH, &token).await.json, json!([]));
    assert_eq!(world.resend(&id, &token).await.status, StatusCode::NOT_FOUND);
    let cursor = world.get(&format!("{PATH}?after={id}"), &token).await;
    assert_eq!(cursor.errors(), [("/after".to_owned(), "unknown_cursor".to_owned())]);
    for unknown in [uuid::Uuid::nil().to_string(), "7".to_owned()] {
        assert_eq!(world.resend(&unknown, &world.token).await.status, StatusCode::NOT_FOUND, "{unknown}");
    }
    // A shop's token learns nothing about withdrawals here.
    let caller = Caller::Business(world.business.id);
    let made =
        credentials::create(&world.database, caller, Scopes::of(&[Scope::Payments]), START, &OsRandom).await;
    let shop = made.unwrap().unwrap();
    assert_eq!(world.get(PATH, &shop).await.status, StatusCode::FORBIDDEN);
    assert_eq!(world.call(Method::GET, PATH, None, None).await.status, StatusCode::UNAUTHORIZED);
}

/// A callback of a deposit has the id of the deposit, not of its payment.
#[tokio::test]
async fn the_id_of_a_payment_is_explained() {
    let inbox = Inbox::open();
    let world = world(&inbox).await;
    let (unpaid, _) = world.quoted(json!({"clientPaymentId": "unpaid"}), "ETH", "ETH").await;
    let (paid, _) = world.quoted(json!({"clientPaymentId": "paid"}), "ETH", "ETH").await;
    world.pay(&paid, "0.03333334").await;
    world.mine("ETH").await;
    let deposit = world.payment(&paid).await["deposits"][0]["id"].as_str().unwrap().to_owned();
    let said = async |id: &str| {
        let answer = world.get(&format!("{PATH}?subjectId={id}"), &world.token).await;
        assert_eq!(
            answer.errors(),
            [("/subjectId".to_owned(), "not_a_subject".to_owned())],
            "{}",
            answer.json
        );
        answer.json["errors"][0]["detail"].as_str().unwrap().to_owned()
    };
    let detail = said(&paid).await;
    assert!(detail.contains("a payment") && detail.contains(&deposit), "{detail}");
    let detail = said(&unpaid).await;
    assert!(detail.contains("a payment") && detail.contains("no deposit"), "{detail}");
    assert_eq!(world.callbacks(&format!("subjectId={deposit}")).await.as_array().unwrap().len(), 1);
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (_, token) = create_business(&world.app, other).await;
    let foreign = world.get(&format!("{PATH}?subjectId={paid}"), &token).await;
    assert_eq!((foreign.status, &foreign.json), (StatusCode::OK, &json!([])), "nothing of others is told");
}

/// Its events have the id of the payment, once there are some.
#[tokio::test]
async fn the_id_of_a_payment_is_asked_for_by_who_takes_its_events() {
    let inbox = Inbox::open();
    let events = Settings {
        event_url: Some(inbox.url.clone()),
        events: Some(vec!["deposit.reversed".parse().unwrap()]),
        ..Settings::default()
    };
    let world = World::with(events).await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    assert_eq!(world.callbacks(&format!("subjectId={id}")).await, json!([]));
}

#[tokio::test]
async fn the_id_of_a_refund_is_explained() {
    let world = merchant_refund_stage::world().await;
    let id = merchant_refund_stage::paid(&world).await;
    let refund = world.refunded(&id, json!({"address": merchant_refund_stage::BTC})).await;
    let refund = refund["refundId"].as_str().unwrap();
    let answer = world.get(&format!("{PATH}?subjectId={refund}"), &world.token).await;
    assert_eq!(answer.errors(), [("/subjectId".to_owned(), "not_a_subject".to_owned())], "{}", answer.json);
    assert!(answer.json["errors"][0]["detail"].as_str().unwrap().contains(&id), "{}", answer.json);
}
