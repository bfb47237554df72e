//! `POST /api/v1/payments/{id}/cancel`: nothing is lost that a payer has sent.

use axum::http::{Method, StatusCode};
use serde_json::json;

use super::{Answer, START, World};

impl World {
    async fn cancel(&self, id: &str) -> Answer {
        self.call(Method::POST, &format!("/api/v1/payments/{id}/cancel"), Some(&self.token), None).await
    }

    async fn assert_refused_to_cancel(&self, id: &str, code: &str) {
        let mut watch = self.watch().await;
        let answer = self.cancel(id).await;
        assert_eq!((answer.status, &answer.json["code"]), (StatusCode::CONFLICT, &json!(code)));
        let now = watch.now().await;
        watch.assert_same(now, code);
    }
}

#[tokio::test]
async fn a_cancelled_payment_takes_no_choice_any_more() {
    for chosen in [false, true] {
        let world = World::new().await;
        let created = world.create(json!({})).await;
        let (id, session) = (created.payment_id(), created.session_token());
        let path = format!("/api/v1/payments/{id}");
        let choice = json!({"depositCurrency": "BTC"});
        if chosen {
            assert_eq!(world.patch(&path, &session, &choice).await.status, StatusCode::OK);
        }
        let before = world.get(&path, &session).await;
        let cancelled = world.cancel(&id).await;
        assert_eq!((cancelled.status, &cancelled.json["status"]), (StatusCode::OK, &json!("EXPIRED")));
        assert_eq!(cancelled.json["cancelledAt"], START);
        let after = world.get(&path, &session).await;
        assert_ne!(before.header("etag"), after.header("etag"), "the payer's page hears of it");
        assert_eq!(after.json["status"], "EXPIRED");
        let refused = world.patch(&path, &session, &choice).await;
        assert_eq!(
            (refused.status, &refused.json["code"]),
            (StatusCode::CONFLICT, &json!("payment_cancelled"))
        );
        world.advance(7).await;
        assert_eq!(world.cancel(&id).await.json, cancelled.json, "a second time changes nothing");
        let again = world.create(json!({})).await;
        assert_eq!((again.status, &again.json), (StatusCode::OK, &created.json), "the stored answer stays");
    }
}

/// The amount that the page showed pays, though the merchant cancelled while the money was on its way.
#[tokio::test]
async fn what_was_on_its_way_pays_as_shown() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.cancel(&id).await;
    world.sandbox("rates", json!({"from": "BTC", "to": "EUR", "rate": "30000"})).await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!(
        (&payment["status"], &payment["actualDisplayAmount"]),
        (&json!("DEPOSITED"), &json!("100.00"))
    );
    assert_eq!(world.balances().await["FIAT EUR"], "49.75", "what the market pays");
    world.assert_refused_to_cancel(&id, "deposit_seen").await;
}

#[tokio::test]
async fn a_payment_with_a_deposit_and_a_reusable_one_are_not_cancelled() {
    let world = World::new().await;
    let (seen, _) = world.quoted(json!({"clientPaymentId": "seen"}), "BTC", "BTC").await;
    world.pay(&seen, "0.0001").await;
    world.assert_refused_to_cancel(&seen, "deposit_seen").await;
    let (reusable, _) =
        world.quoted(json!({"clientPaymentId": "often", "type": "REUSABLE"}), "BTC", "BTC").await;
    world.assert_refused_to_cancel(&reusable, "payment_reusable").await;
    let session = world.create(json!({"clientPaymentId": "own"})).await;
    let path = format!("/api/v1/payments/{}/cancel", session.payment_id());
    let by_payer = world.call(Method::POST, &path, Some(&session.session_token()), None).await;
    assert_eq!(by_payer.status, StatusCode::NOT_FOUND, "the payer cannot");
}

#[tokio::test]
async fn a_payment_whose_part_was_given_back_is_cancelled() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    world.assert_refused_to_cancel(&id, "deposit_seen").await;
    world.advance(3600).await;
    world.assert_refused_to_cancel(&id, "deposit_seen").await;
    let refund = json!({"clientRefundId": "r-1", "amount": "0.0009"});
    let refunded = world.post(&format!("/api/v1/payments/{id}/refunds"), &world.token, &refund).await;
    assert_eq!(refunded.status, StatusCode::CREATED, "{}", refunded.json);
    let cancelled = world.cancel(&id).await;
    assert_eq!(cancelled.status, StatusCode::OK, "{}", cancelled.json);
    assert_eq!(cancelled.json["cancelledAt"], START + 3600);
}

/// Its payer could choose anew, and would pay for an order that is over.
#[tokio::test]
async fn a_payment_that_expired_is_cancelled_for_good() {
    for is_noticed in [false, true] {
        let world = World::new().await;
        let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
        world.advance(3600).await;
        if is_noticed {
            checkout_gateway::service::payments::expire_payments::expire_due(&world.app).await.unwrap();
        }
        let cancelled = world.cancel(&id).await.json;
        assert_eq!(
            (&cancelled["status"], &cancelled["cancelledAt"]),
            (&json!("EXPIRED"), &json!(START + 3600)),
            "{cancelled}"
        );
        let choice = json!({"depositCurrency": "LTC"});
        let refused = world.patch(&format!("/api/v1/payments/{id}"), &session, &choice).await;
        assert_eq!(refused.json["code"], "payment_cancelled", "{}", refused.json);
        checkout_gateway::service::payments::expire_payments::expire_due(&world.app).await.unwrap();
        assert_eq!(world.cancel(&id).await.json, cancelled);
    }
}
