//! Operators are told by e-mail what waits for a person.

use std::sync::Arc;

use checkout_domain::mail::{Content, NewMail};
use checkout_gateway::service::App;
use checkout_gateway::service::mail::notices;
use checkout_wire::payment::RefundAddress;
use serde_json::json;
use uuid::Uuid;

use super::flagged::BITCOIN;
use super::own_wallet::{self, overpaid};
use super::receipts::Stage;
use super::{World, merchant_refund_stage};

pub(super) const ADA: &str = "ada@kettle.example";
pub(super) const BOB: &str = "bob@kettle.example";

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
    pub(super) async fn told(&self) -> Vec<String> {
        self.told_by(&self.world.app).await
    }

    pub(super) async fn told_by(&self, app: &App) -> Vec<String> {
        notices::write(app).await.unwrap();
        self.send_of(app).await.into_iter().map(|letter| letter.text).collect()
    }

    /// Another gateway on this database, or this one after a restart.
    pub(super) fn gateway(&self, notices_to: &[&str]) -> App {
        let mut app = App::clone(&self.world.app);
        app.state = Arc::default();
        app.mail.as_mut().unwrap().notices_to = notices_to.iter().map(ToString::to_string).collect();
        app
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
    let stage = Stage::of(World::new().await, &[ADA, BOB]);
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

/// It waits for a gateway that has the mailbox, for a day.
#[tokio::test]
async fn a_gateway_that_lacks_a_mailbox_leaves_its_notices() {
    let stage = Stage::of(World::new().await, &[ADA, BOB]);
    let adas = stage.gateway(&[ADA]);
    stage.held(&["order-1"]).await;
    notices::write(&stage.world.app).await.unwrap();
    let [letter] = stage.send_of(&adas).await.try_into().unwrap();
    assert_eq!((&*letter.to, stage.backlog().await), (ADA, (1, 0)));
    let [letter] = stage.send().await.try_into().unwrap();
    assert_eq!(letter.to, BOB);
    stage.held(&["order-2"]).await;
    notices::write(&stage.world.app).await.unwrap();
    for (seconds, mails, backlog) in [(86_300, 1, (1, 0)), (200, 0, (0, 1))] {
        stage.world.advance(seconds).await;
        assert_eq!((stage.send_of(&adas).await.len(), stage.backlog().await), (mails, backlog), "{seconds}");
    }
}
