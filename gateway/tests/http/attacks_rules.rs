//! Attacks on the rules about money.

use axum::http::StatusCode;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::finality::Finality;
use checkout_gateway::service::payouts::pay_out;
use serde_json::json;

use super::World;
use crate::fixture::Place;

/// The first deposit of a payment was spent; its refund is charged to the second one, which can still leave its chain. Rows: whether the
/// second one leaves, and how much is sent in the end: a withdrawal, and the refund.
#[tokio::test]
async fn a_refund_spends_nothing_that_is_not_final() {
    for (leaves, expected) in [(true, 1), (false, 2)] {
        let business = Settings {
            name: Some("Careful".to_owned()),
            settlement_ratio: Some(checkout_core::Decimal::ZERO),
            ..Settings::default()
        };
        let world = World::in_world(Place::chosen(), Finality::default(), business).await;
        let mine = async |count: u32| {
            world.sandbox("blocks", json!({"network": "BTC", "count": count})).await;
        };
        let (id, _) = world.quoted(json!({"clientPaymentId": "order"}), "BTC", "BTC").await;
        world.pay(&id, "0.00166667").await;
        mine(6).await;
        world.advance(600).await;
        mine(1).await;
        let withdrawal =
            json!({"clientWithdrawalId": "a", "targetAmountPolicy": "FIAT", "targetAmount": "90"});
        let withdrawn = world.withdraw(withdrawal).await;
        assert_eq!(withdrawn.status, StatusCode::CREATED, "{:#}", withdrawn.json);
        let again = world.pay(&id, "0.00166667").await;
        mine(1).await;
        let body = json!({"clientRefundId": "r", "amount": "0.0015", "address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"});
        let refund = world.post(&format!("/api/v1/payments/{id}/refunds"), &world.token, &body).await;
        assert_eq!(refund.status, StatusCode::CREATED, "{:#}", refund.json);
        pay_out::run(&world.app).await.unwrap();
        assert_eq!(world.sent().await.len(), 1, "the second deposit is not final");
        if leaves {
            world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
            world.sandbox("drops", json!({"transactionId": again})).await;
        }
        mine(6).await;
        world.advance(3_600).await;
        mine(1).await;
        world.run().await;
        assert_eq!(world.sent().await.len(), expected, "leaves: {leaves}");
    }
}
