//! A poll that finds nothing new asks nothing of the store; one that finds something says so at once.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::json;

use super::{Answer, World};
use crate::adapters::sql::fixture::Place;
use crate::service::create_business::NewBusiness;

async fn sqlite() -> World {
    World::at(Place::sqlite(), NewBusiness { name: "Kettle & Co".to_owned(), ..NewBusiness::default() }).await
}

impl World {
    async fn poll(&self, id: &str, token: &str, known: &str) -> Answer {
        let request = Request::get(format!("/api/v1/payments/{id}"))
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::IF_NONE_MATCH, known);
        self.send(request.body(Body::empty()).unwrap()).await
    }
}

/// Twice: the first time with the store's readers, which then are gone.
#[tokio::test]
async fn nothing_is_asked_of_the_store() {
    let world = sqlite().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let key = world.organisation_key().await;
    let callers = [&world.token, &session, &key];
    let mut tag = String::new();
    for round in 0..10 {
        // The very first question only asks that the view be believed.
        tokio::task::yield_now().await;
        drop(world.database.change().await.unwrap());
        for caller in callers {
            let answer = world.poll(&id, caller, "").await;
            assert_eq!(answer.status, StatusCode::OK, "round {round}");
            tag = answer.header("etag").unwrap().to_owned();
        }
    }
    world.database.close().await;
    for caller in callers {
        assert_eq!(world.poll(&id, caller, &tag).await.status, StatusCode::NOT_MODIFIED);
        assert_eq!(world.poll(&id, caller, "\"other\"").await.status, StatusCode::OK);
    }
    assert_eq!(world.poll(&id, "biz_unknown", &tag).await.status, StatusCode::SERVICE_UNAVAILABLE);
}

/// Whatever changes a payment, the next poll after it has another tag, and the one after that has none.
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

/// Nothing is stored when a window ends or a session does, and yet both are seen.
#[tokio::test]
async fn what_the_clock_changes_is_seen() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({"expirationMinutes": 10}), "BTC", "BTC").await;
    let first = world.poll(&id, &session, "").await;
    let tag = first.header("etag").unwrap();
    world.app.sandbox.as_ref().unwrap().clock.run_ahead(599);
    assert_eq!(world.poll(&id, &session, tag).await.status, StatusCode::NOT_MODIFIED);
    world.app.sandbox.as_ref().unwrap().clock.run_ahead(600);
    let expired = world.poll(&id, &session, tag).await;
    assert_eq!((expired.status, &expired.json["status"]), (StatusCode::OK, &json!("EXPIRED")));
    let tag = expired.header("etag").unwrap();
    let end = 600 + 8 * 86_400;
    world.app.sandbox.as_ref().unwrap().clock.run_ahead(end - 1);
    assert_eq!(world.poll(&id, &session, tag).await.status, StatusCode::NOT_MODIFIED);
    world.app.sandbox.as_ref().unwrap().clock.run_ahead(end);
    assert_eq!(world.poll(&id, &session, tag).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(world.poll(&id, &world.token, tag).await.status, StatusCode::NOT_MODIFIED);
}
