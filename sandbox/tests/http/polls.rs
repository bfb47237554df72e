//! Polls with entity tags: 304 while nothing changes, then the change at once.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::json;

use super::{Answer, World};
use checkout_gateway::service::create_business::NewBusiness;

impl World {
    async fn poll(&self, id: &str, token: &str, known: &str) -> Answer {
        let request = Request::get(format!("/api/v1/payments/{id}"))
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::IF_NONE_MATCH, known);
        self.send(request.body(Body::empty()).unwrap()).await
    }
}

/// After each change the next poll has a new tag, and the one after it gets 304.
#[tokio::test]
async fn every_change_is_told_once() {
    let world = World::with(NewBusiness {
        name: "Kettle & Co".to_owned(),
        refund_excess: true,
        ..NewBusiness::default()
    })
    .await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let mut tag = String::new();
    for step in [
        "first",
        "quote",
        "part",
        "block with the part",
        "reorganisation",
        "block with the part again",
        "rest and more",
        "block with the rest",
        "block with the refund",
    ] {
        match step {
            "quote" => {
                let body = json!({"depositCurrency": "LTC"});
                world.patch(&format!("/api/v1/payments/{id}"), &session, &body).await;
                let body = json!({"depositCurrency": "BTC"});
                world.advance(5).await;
                world.patch(&format!("/api/v1/payments/{id}"), &session, &body).await;
            }
            "part" => drop(world.pay(&id, "0.0005").await),
            "rest and more" => drop(world.pay(&id, "0.01").await),
            "reorganisation" => {
                world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
            }
            "first" => {}
            _ => world.mine("BTC").await,
        }
        let answer = world.poll(&id, &session, &tag).await;
        assert_eq!(answer.status, StatusCode::OK, "{step}: {}", answer.json);
        tag = answer.header("etag").unwrap().to_owned();
        for caller in [&session, &world.token] {
            assert_eq!(world.poll(&id, caller, &tag).await.status, StatusCode::NOT_MODIFIED, "{step}");
        }
    }
}

/// The end of a window or a session is visible, although nothing is stored at that moment.
#[tokio::test]
async fn what_the_clock_changes_is_seen() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({"expirationMinutes": 10}), "BTC", "BTC").await;
    let first = world.poll(&id, &session, "").await;
    let tag = first.header("etag").unwrap();
    world.simulated.clock.run_ahead(599);
    assert_eq!(world.poll(&id, &session, tag).await.status, StatusCode::NOT_MODIFIED);
    world.simulated.clock.run_ahead(600);
    let expired = world.poll(&id, &session, tag).await;
    assert_eq!((expired.status, &expired.json["status"]), (StatusCode::OK, &json!("EXPIRED")));
    let tag = expired.header("etag").unwrap();
    let end = 600 + 8 * 86_400;
    world.simulated.clock.run_ahead(end - 1);
    assert_eq!(world.poll(&id, &session, tag).await.status, StatusCode::NOT_MODIFIED);
    world.simulated.clock.run_ahead(end);
    assert_eq!(world.poll(&id, &session, tag).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(world.poll(&id, &world.token, tag).await.status, StatusCode::NOT_MODIFIED);
}
