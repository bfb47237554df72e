//! Polls with entity tags: 304 while nothing changes, then the change at once.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use checkout_domain::business::settings::Settings;
use serde_json::json;

use super::{Answer, World};

impl World {
    async fn poll(&self, id: &str, token: &str, known: &str) -> Answer {
        self.poll_at(&format!("/api/v1/payments/{id}"), token, known).await
    }

    async fn poll_at(&self, path: &str, token: &str, known: &str) -> Answer {
        let request = Request::get(path)
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::IF_NONE_MATCH, known);
        self.send(request.body(Body::empty()).unwrap()).await
    }
}

/// After each change the next poll has a new tag, and the one after it gets 304.
#[tokio::test]
async fn every_change_is_returned_once() {
    let world = World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        refund_excess: Some(true),
        ..Settings::default()
    })
    .await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let page = format!("/api/v1/checkout/{id}");
    let (mut tag, mut version) = (String::new(), 0);
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
        let view = world.poll_at(&page, &session, &tag).await;
        assert_eq!(view.status, StatusCode::OK, "{step}: {}", view.json);
        let before = std::mem::replace(&mut version, view.json["version"].as_u64().unwrap());
        assert!(version > before, "{step}: version {version} after {before}");
        let answer = world.poll(&id, &session, &tag).await;
        assert_eq!(answer.status, StatusCode::OK, "{step}: {}", answer.json);
        assert_eq!((&view.json["payment"], view.header("etag")), (&answer.json, answer.header("etag")));
        tag = answer.header("etag").unwrap().to_owned();
        for caller in [&session, &world.token] {
            assert_eq!(world.poll(&id, caller, &tag).await.status, StatusCode::NOT_MODIFIED, "{step}");
            assert_eq!(world.poll_at(&page, caller, &tag).await.status, StatusCode::NOT_MODIFIED, "{step}");
        }
    }
}

/// Another amount in the same coin changes the payment, also when nothing else of it changes.
#[tokio::test]
async fn every_quote_is_a_new_version() {
    let world = World::new().await;
    for fields in [
        json!({"clientPaymentId": "floating", "rateType": "FLOATING"}),
        json!({"clientPaymentId": "reusable", "type": "REUSABLE", "rateType": "FLOATING"}),
    ] {
        let (id, session) = world.quoted(fields.clone(), "BTC", "BTC").await;
        let path = format!("/api/v1/payments/{id}");
        let (mut tag, mut version) = (String::new(), 0);
        for round in 0..3 {
            let answer = world.poll(&id, &session, &tag).await;
            assert_eq!(answer.status, StatusCode::OK, "{fields}, round {round}");
            tag = answer.header("etag").unwrap().to_owned();
            let view = world.get(&format!("/api/v1/checkout/{id}"), &session).await;
            let before = std::mem::replace(&mut version, view.json["version"].as_u64().unwrap());
            assert!(version > before, "{fields}, round {round}: version {version} after {before}");
            world.advance(5).await;
            world.patch(&path, &session, &json!({"depositCurrency": "BTC"})).await;
        }
    }
}

/// A transfer to an earlier address has its own network, whatever is quoted now.
#[tokio::test]
async fn a_transfer_has_its_own_network() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let path = format!("/api/v1/payments/{id}");
    let address = world.get(&path, &session).await.json["walletAddress"].clone();
    world.patch(&path, &session, &json!({"depositCurrency": "USDT", "network": "TRX"})).await;
    let transfer = json!({"network": "BTC", "currency": "BTC", "address": address, "amount": "0.001"});
    world.sandbox("transfers", transfer).await;
    let view = world.get(&format!("/api/v1/checkout/{id}"), &session).await.json;
    let deposit = &view["payment"]["deposits"][0];
    assert_eq!(
        (&deposit["depositCurrency"], &view["payment"]["depositCurrency"]),
        (&json!("BTC"), &json!("USDT"))
    );
    assert_eq!(view["transfers"], json!([{"depositId": deposit["id"], "network": "BTC"}]));
    assert!(view["rate"].as_str().is_some_and(|rate| rate.parse::<f64>().is_ok()), "{view}");
}

/// The end of a window or a session is visible, although nothing is stored at that moment.
#[tokio::test]
async fn changes_by_time_are_visible() {
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
