//! Operators are told by e-mail what waits for a person.

use std::sync::Arc;

use axum::http::StatusCode;
use checkout_domain::mail::{Content, NewMail};
use checkout_gateway::service::mail::notices;
use checkout_storage::query;
use checkout_wire::payment::RefundAddress;
use serde_json::json;
use uuid::Uuid;

use super::flagged::BITCOIN;
use super::own_wallet::{self, overpaid};
use super::receipts::Stage;
use super::waiting_reasons::Silent;
use super::{World, merchant_refund_stage, wallets};

const ADA: &str = "ada@kettle.example";

impl Stage {
    /// Deposits of a flagged sender, each for an order.
    async fn held(&self, orders: &[&str]) {
        self.world.flag("BTC", BITCOIN, true).await;
        for order in orders {
            let (id, _) = self.world.quoted(json!({"clientPaymentId": order}), "BTC", "BTC").await;
            self.world.pay_from(&id, "0.001", BITCOIN).await;
        }
        self.world.mine("BTC").await;
    }

    /// Stores what waits, and returns the text of each mail that goes out.
    async fn told(&self) -> Vec<String> {
        notices::write(&self.world.app).await.unwrap();
        self.send().await.into_iter().map(|letter| letter.text).collect()
    }

    async fn apply(&self, statement: &'static str) {
        self.world.database.apply(query(statement)).await.unwrap();
    }
}

#[tokio::test]
async fn a_thing_that_waits_is_told_once_and_with_others() {
    let stage = Stage::new().await;
    let write = async || notices::write(&stage.world.app).await.unwrap();
    write().await;
    assert_eq!(stage.send().await, []);
    stage.held(&["order-1", "order-2"]).await;
    tokio::join!(write(), write());
    let [letter] = stage.send().await.try_into().unwrap();
    assert_eq!(letter.to, ADA);
    assert_eq!(letter.subject, "Checkout: 2 things wait for a person");
    for part in ["for order order-1 is held (SENDER)", "order-2", "https://desk.example/#/deposits"] {
        assert!(letter.text.contains(part) && letter.html.contains(part), "{part}: {}", letter.text);
    }
    write().await;
    assert_eq!(stage.send().await, []);
}

/// A mailbox that is wrong keeps no other operator from what is told, now and later.
#[tokio::test]
async fn each_operator_is_told() {
    let stage = Stage::of(World::new().await, &["ada@kettle.example", "bob@kettle.example"]);
    *stage.post.unknown.lock() = Some("ada@");
    stage.held(&["order-1"]).await;
    assert_eq!(stage.told().await.len(), 1);
    stage.held(&["order-2"]).await;
    let [text] = stage.told().await.try_into().unwrap();
    assert!(text.contains("order-2") && !text.contains("order-1"), "{text}");
    assert_eq!(stage.backlog().await, (0, 2));
}

#[tokio::test]
async fn a_new_notice_has_its_own_attempts() {
    let stage = Stage::new().await;
    stage.held(&["order-1"]).await;
    for attempt in 1..=10 {
        if attempt == 10 {
            stage.held(&["order-2"]).await;
        }
        stage.refuse("451 later", false);
        assert_eq!(stage.told().await, [""; 0]);
        stage.world.advance(27 * 3_600).await;
    }
    assert_eq!(stage.backlog().await, (1, 1));
    let [text] = stage.told().await.try_into().unwrap();
    assert!(text.contains("order-2") && !text.contains("order-1"), "{text}");
    let ids = stage.post.ids.lock().clone();
    assert!(ids[..9].iter().all(|id| *id == ids[0]), "the same mail is recognised: {ids:?}");
    assert!(ids[9] != ids[0] && ids[10] != ids[9], "other mails are others: {ids:?}");
}

/// Rows: what begins a wait, what ends it, and what is said of each.
#[tokio::test]
async fn a_wait_that_begins_again_is_told_again() {
    for (begin, end, text) in [
        (
            "UPDATE withdrawals SET approval = 'WAITING'",
            "UPDATE withdrawals SET approval = 'APPROVED'",
            "waits for an approval",
        ),
        ("UPDATE withdrawals SET status = 'FAILED'", "UPDATE withdrawals SET status = 'FAILED'", "failed"),
    ] {
        let stage = Stage::of(World::rich().await, &[ADA]);
        stage.world.withdraw(json!({})).await;
        for occurrence in 0..3 {
            stage.apply(begin).await;
            let told = stage.told().await;
            assert_eq!(told.len(), usize::from(occurrence == 0 || begin != end), "{begin}");
            assert!(told.iter().all(|told| told.contains(text)), "{told:?}");
            assert_eq!(stage.told().await, [""; 0], "{begin}");
            stage.apply(end).await;
        }
    }
}

/// A refund is told whenever it comes to wait for somebody else than its payer.
#[tokio::test]
async fn a_refund_that_waits_again_is_told_again() {
    let stage = Stage::of(own_wallet::world(RefundAddress::Payer).await, &[ADA]);
    overpaid(&stage.world).await;
    for _ in 0..2 {
        assert_eq!(stage.told().await, [""; 0]);
        stage.apply("UPDATE refunds SET waits_reason = 'REFUSED'").await;
        let [text] = stage.told().await.try_into().unwrap();
        assert!(text.contains("waits for an address (REFUSED)"), "{text}");
        assert_eq!(stage.told().await, [""; 0]);
        stage.apply("UPDATE refunds SET waits_reason = 'UNCONFIRMED_SENDER'").await;
    }
}

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

/// What the payer has to confirm, or was told, leaves the room of a list to what is older.
#[tokio::test]
async fn what_is_told_hides_nothing() {
    let stage = Stage::of(own_wallet::world(RefundAddress::Payer).await, &[ADA]);
    for _ in 0..3 {
        overpaid(&stage.world).await;
    }
    stage
        .apply("UPDATE refunds SET waits_reason = 'REFUSED' WHERE id <> (SELECT MAX(id) FROM refunds)")
        .await;
    let untold = async || stage.world.app.store.untold_refunds(ADA, 1).await.unwrap();
    let [(first, _)] = untold().await.try_into().unwrap();
    let mut tx = stage.world.app.store.begin().await.unwrap();
    let content = Content::Notice { to: ADA.to_owned(), text: String::new() };
    let mail = NewMail { id: Uuid::new_v4(), cause: first.clone(), content, created_at: 1 };
    assert!(tx.put_mail(&mail).await.unwrap());
    tx.commit().await.unwrap();
    let [(second, _)] = untold().await.try_into().unwrap();
    assert_ne!(first, second);
}

/// What a merchant takes back itself is not said.
#[tokio::test]
async fn a_refund_of_a_merchant_that_failed_is_told() {
    let stage = Stage::of(merchant_refund_stage::world().await, &[ADA]);
    let payment = merchant_refund_stage::paid(&stage.world).await;
    stage.world.refunded(&payment, json!({})).await;
    stage.apply("UPDATE withdrawals SET status = 'FAILED' WHERE payment IS NOT NULL").await;
    stage.apply("UPDATE payouts SET state = 'CANCELLED' WHERE kind = 'MERCHANT_REFUND'").await;
    assert_eq!(stage.told().await, [""; 0]);
    stage.apply("UPDATE payouts SET state = 'FAILED' WHERE kind = 'MERCHANT_REFUND'").await;
    let [text] = stage.told().await.try_into().unwrap();
    assert!(text.starts_with("Refund r-1 of") && text.contains("failed"), "{text}");
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
