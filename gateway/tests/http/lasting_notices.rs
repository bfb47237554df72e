//! What lasts is told as one thing: payouts that wait for one reason, and what a wallet lacks.

use std::sync::Arc;

use axum::http::StatusCode;
use checkout_core::Network;
use checkout_gateway::service::payouts::compare_wallets;
use serde_json::json;
use uuid::Uuid;

use super::operator_notices::{ADA, BOB};
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

/// Each gateway has readings of its own; the node of one of them answers no more.
#[tokio::test]
async fn a_lack_that_is_over_is_not_told_by_a_gateway_that_read_it_earlier() {
    let stage = Stage::of(wallets::world().await, &[ADA]);
    let other = stage.gateway(&[ADA]);
    let half_an_hour = async || stage.world.advance(1_800).await;
    wallets::taken(&stage.world, "5").await;
    for mails in [0, 1] {
        half_an_hour().await;
        compare_wallets::run(&other).await.unwrap();
        assert_eq!(stage.told_by(&other).await.len(), mails);
        half_an_hour().await;
        compare_wallets::run(&stage.world.app).await.unwrap();
        assert_eq!(stage.told().await, [""; 0]);
    }
    wallets::given(&stage.world, "5").await;
    for _ in 0..6 {
        wallets::hour(&stage.world).await;
        assert_eq!(stage.told().await, [""; 0]);
        assert_eq!(stage.told_by(&other).await, [""; 0]);
    }
    wallets::taken(&stage.world, "6").await;
    for mails in [0, 1, 0] {
        wallets::hour(&stage.world).await;
        assert_eq!(stage.told().await.len(), mails);
        assert_eq!(stage.told_by(&other).await, [""; 0]);
    }
}

/// Rows: whether a gateway that starts anew has the network, and how often the same is told then.
#[tokio::test]
async fn a_currency_without_a_network_lacks_nothing() {
    for (is_watched, mails) in [(true, 0), (false, 1)] {
        let stage = Stage::of(wallets::world().await, &[ADA]);
        wallets::taken(&stage.world, "5").await;
        for mails in [0, 1] {
            wallets::hour(&stage.world).await;
            assert_eq!(stage.told().await.len(), mails);
        }
        let mut between = stage.gateway(&[ADA]);
        if !is_watched {
            between.chains.remove(&Network::Xrp);
            between.broadcasters.remove(&Network::Xrp);
        }
        assert_eq!(stage.told_by(&between).await, [""; 0]);
        let after = stage.gateway(&[ADA]);
        for mails in [0, mails] {
            stage.world.advance(3_600).await;
            compare_wallets::run(&after).await.unwrap();
            assert_eq!(stage.told_by(&after).await.len(), mails, "{is_watched}");
        }
    }
}

/// An operator who follows another one hears of what waits already.
#[tokio::test]
async fn a_new_mailbox_is_told_what_lasts() {
    let stage = Stage::of(World::rich().await, &[ADA]);
    stage.world.withdraw(json!({})).await;
    stage.apply("UPDATE businesses SET disabled = 1").await;
    stage.world.run().await;
    assert_eq!(stage.told().await.len(), 1);
    let bobs = stage.gateway(&[BOB]);
    let [text] = stage.told_by(&bobs).await.try_into().unwrap();
    assert!(text.contains("DISABLED"), "{text}");
    assert_eq!(stage.told_by(&bobs).await, [""; 0]);
    assert_eq!(stage.told().await, [""; 0]);
}
