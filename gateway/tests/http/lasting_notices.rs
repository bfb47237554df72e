//! What lasts is told as one thing: payouts that wait for one reason, and what a wallet lacks.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::json;
use uuid::Uuid;

use super::operator_notices::ADA;
use super::receipts::Stage;
use super::waiting_reasons::Silent;
use super::{World, wallets};

/// A disabled business is one thing, however much waits for it, and another one when it is disabled again.
#[tokio::test]
async fn payouts_that_wait_for_one_thing_are_told_together() {
    let stage = Stage::of(World::rich().await, &[ADA]);
    for _ in 0..2 {
        for _ in 0..3 {
            let made = stage.world.withdraw(json!({"clientWithdrawalId": Uuid::new_v4().to_string()})).await;
            assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
        }
        stage.apply("UPDATE businesses SET disabled = 1").await;
        stage.world.run().await;
        let [text] = stage.told().await.try_into().unwrap();
        assert!(text.contains("3 payouts") && text.contains("DISABLED"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert_eq!(stage.told().await, [""; 0]);
        stage.apply("UPDATE businesses SET disabled = 0").await;
        stage.world.run().await;
        assert_eq!(stage.told().await, [""; 0]);
        stage.world.advance(60).await;
    }
}

/// What may pass by itself has its time from when it began, not from when the payout was made.
#[tokio::test]
async fn patience_begins_with_the_reason() {
    let stage = Stage::of(World::rich().await, &[ADA]);
    stage.world.withdraw(json!({})).await;
    stage.apply("UPDATE payouts SET created_at = created_at - 86400").await;
    let world = stage.world.with_app(|app| app.screening = Arc::new(Silent));
    let stage = Stage::of(world, &[ADA]);
    for (wait, mails) in [(0, 0), (14 * 60, 0), (2 * 60, 1), (3_600, 0)] {
        stage.world.advance(wait).await;
        stage.world.run().await;
        assert_eq!(stage.told().await.len(), mails, "{wait}");
    }
}

/// It is told when it begins, whatever the amount becomes, and again after it was over.
#[tokio::test]
async fn what_a_wallet_lacks_is_told_once_while_it_lasts() {
    let stage = Stage::of(wallets::world().await, &[ADA]);
    for (leaves, recorded, mails) in [("5", 0, 1), ("1", 0, 0), ("1", -7_000_000, 0), ("5", 0, 1)] {
        wallets::taken(&stage.world, leaves).await;
        if recorded != 0 {
            wallets::record(&stage.world, recorded).await;
        }
        for _ in 0..2 {
            wallets::hour(&stage.world).await;
        }
        let told = stage.told().await;
        assert_eq!(told.len(), mails, "{leaves}: {told:?}");
        assert!(told.iter().all(|text| text.contains("5 XRP less than the books say")), "{told:?}");
    }
}
