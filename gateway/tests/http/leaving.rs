//! What may leave: nothing of a disabled business, nothing that was cancelled, and nothing to ourselves.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use axum::http::{Method, StatusCode};
use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Unsent};
use checkout_gateway::service::App;
use checkout_gateway::service::payouts::pay_out;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use checkout_storage::{Database, query};
use serde_json::{Value, json};

use super::callbacks::deliver;
use super::claims::{ETHER, pay_from_contract, quoted};
use super::inbox::Inbox;
use super::merchant_refund_stage::refunding_excess;
use super::{Answer, World, refunds, withdrawal_callbacks};

impl World {
    async fn disable(&self, disabled: bool) {
        let path = format!("/api/v1/businesses/{}", self.business.id);
        let key = self.organisation_key().await;
        let answer = self.patch(&path, &key, &json!({"disabled": disabled})).await;
        assert_eq!(answer.json["disabled"], disabled, "{}", answer.json);
    }

    async fn rounds(&self) {
        for _ in 0..3 {
            pay_out::run(&self.app).await.unwrap();
        }
    }

    async fn cancel_withdrawal(&self, id: &Value) -> Answer {
        let path = format!("/api/v1/withdrawals/{}/cancel", id.as_str().unwrap());
        self.call(Method::POST, &path, Some(&self.organisation_key().await), None).await
    }
}

#[tokio::test]
async fn a_disabled_business_sends_no_withdrawal_that_it_has_queued() {
    let world = World::rich().await;
    assert_eq!(world.withdraw(json!({})).await.status, StatusCode::CREATED);
    world.disable(true).await;
    world.rounds().await;
    assert_eq!((world.stored("status").await, world.sent().await.len()), (vec![Some("NEW".into())], 0));
    assert_eq!(world.stored("state").await, [Some("WAITING".into())]);
    world.disable(false).await;
    world.rounds().await;
    assert_eq!((world.stored("status").await, world.sent().await.len()), (vec![Some("COMPLETED".into())], 1));
}

/// What becomes so while a payout is signed.
#[derive(Clone, Copy)]
enum Becomes {
    /// Its recipient is a deposit address of this payment.
    Ours(PaymentId),
    /// The balances are below zero.
    Overdrawn,
}

struct Meanwhile {
    inner: SimulatedBroadcaster,
    database: Database,
    becomes: Becomes,
}

impl Meanwhile {
    fn app(world: &World, becomes: Becomes) -> App {
        let inner = SimulatedBroadcaster::new(Network::Eth, world.database.clone());
        let meanwhile = Self { inner, database: world.database.clone(), becomes };
        let broadcasters = BTreeMap::from([(Network::Eth, Arc::new(meanwhile) as Arc<dyn Broadcaster>)]);
        App { broadcasters, ..(*world.app).clone() }
    }
}

#[async_trait]
impl Broadcaster for Meanwhile {
    fn network(&self) -> Network {
        self.inner.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.inner.is_own(account).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        match self.becomes {
            Becomes::Ours(payment) => {
                let mut tx = self.database.begin().await?;
                let network = payout.pair.network;
                assert!(tx.insert_address(payment, network, &payout.to, None, 0).await?, "once");
                tx.commit().await?;
            }
            Becomes::Overdrawn => {
                let mut change = self.database.change().await?;
                let below = "UPDATE ledger_balances SET balance = '-1' WHERE account IN ('FIAT', 'CRYPTO')";
                query(below).execute(&mut change).await?;
                change.commit().await?;
            }
        }
        self.inner.sign(payout).await
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.inner.broadcast(signed).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.inner.known(transaction_id).await
    }
}

#[tokio::test]
async fn an_address_that_becomes_ours_until_the_bytes_are_stored_gets_nothing() {
    let world = World::rich().await;
    let before = world.balances().await;
    let (payment, _) = world.quoted(json!({"clientPaymentId": "other"}), "BTC", "BTC").await;
    assert_eq!(world.withdraw(json!({})).await.status, StatusCode::CREATED);
    let app = Meanwhile::app(&world, Becomes::Ours(payment.parse().unwrap()));
    pay_out::run(&app).await.unwrap();
    assert_eq!(world.stored("state").await, [Some("WAITING".into())]);
    pay_out::run(&app).await.unwrap();
    assert_eq!((world.stored("status").await, world.sent().await), (vec![Some("FAILED".into())], vec![]));
    assert_eq!(world.balances().await, before);
}

#[tokio::test]
async fn nothing_leaves_of_a_balance_that_is_spent_until_the_bytes_are_stored() {
    let world = World::rich().await;
    assert_eq!(world.withdraw(json!({})).await.status, StatusCode::CREATED);
    let app = Meanwhile::app(&world, Becomes::Overdrawn);
    pay_out::run(&app).await.unwrap();
    assert_eq!(world.stored("state").await, [Some("WAITING".into())]);
    assert_eq!((world.stored("why").await, world.sent().await), (vec![Some("OVERDRAWN".into())], vec![]));
}

/// A network while whose node signs, the database is damaged.
struct Damaged {
    inner: SimulatedBroadcaster,
    database: Database,
    released: AtomicUsize,
}

#[async_trait]
impl Broadcaster for Damaged {
    fn network(&self) -> Network {
        self.inner.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.inner.is_own(account).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        self.database.apply(query("UPDATE withdrawals SET deducted = 'x'")).await?;
        self.inner.sign(payout).await
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.inner.broadcast(signed).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.inner.known(transaction_id).await
    }

    async fn release(&self, _: &Signed, _: Option<&Signed>) -> Result<(), Unsent> {
        self.released.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

/// Otherwise each attempt would reserve other coins, until no other payout of the wallet has any.
#[tokio::test]
async fn the_coins_of_a_transaction_that_could_not_be_stored_are_free() {
    let world = World::rich().await;
    assert_eq!(world.withdraw(json!({})).await.status, StatusCode::CREATED);
    pay_out::screen(&world.app).await.unwrap();
    let (inner, database) =
        (SimulatedBroadcaster::new(Network::Eth, world.database.clone()), world.database.clone());
    let damaged = Arc::new(Damaged { inner, database, released: AtomicUsize::new(0) });
    let broadcasters = BTreeMap::from([(Network::Eth, Arc::clone(&damaged) as Arc<dyn Broadcaster>)]);
    let app = App { broadcasters, ..(*world.app).clone() };
    assert!(pay_out::send(&app).await.is_err());
    assert_eq!((damaged.released.load(Ordering::SeqCst), world.sent().await), (1, vec![]));
}

/// The approval came before.
#[tokio::test]
async fn a_disabled_business_sends_no_withdrawal_that_was_approved() {
    let world = World::rich().await;
    let id = world.unapproved_withdrawal("a").await;
    let path = format!("/api/v1/withdrawals/{id}/approve");
    let key = world.organisation_key().await;
    assert_eq!(world.approved(&path, &key).await.status, StatusCode::OK);
    world.disable(true).await;
    world.rounds().await;
    assert_eq!(world.sent().await, []);
}

/// Whatever changed it.
#[tokio::test]
async fn an_address_that_changes_after_its_approval_is_approved_again() {
    for change in ["to_address = 'EVM'", "amount = '30000000000000000'", "tag = '1'"] {
        let world = World::rich().await;
        let (key, id) = (world.organisation_key().await, world.unapproved_withdrawal("a").await);
        let path = format!("/api/v1/withdrawals/{id}/approve");
        assert_eq!(world.approved(&path, &key).await.status, StatusCode::OK);
        let change = change.replace("EVM", "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB");
        world.database.apply(query(format!("UPDATE payouts SET {change}"))).await.unwrap();
        world.rounds().await;
        assert_eq!(world.sent().await, [], "{change}");
        let shown = world.get(path.strip_suffix("/approve").unwrap(), &world.token).await.json;
        assert_eq!(shown["waitingFor"], "APPROVAL", "{change}");
    }
}

/// The payer's other transfer leaves its chain: less goes back.
#[tokio::test]
async fn a_refund_whose_amount_changes_after_its_approval_is_approved_again() {
    let world = World::with(Settings { name: Some("Fair".to_owned()), ..refunding_excess() }).await;
    let payer = quoted(&world, "BTC", "BTC").await;
    let bitcoin = world.payment(&payer.id).await["walletAddress"].clone();
    let choice = json!({"depositCurrency": "ETH", "network": "ETH"});
    world.patch(&format!("/api/v1/payments/{}", payer.id), &payer.session, &choice).await;
    let body = json!({"network": "BTC", "currency": "BTC", "address": bitcoin, "amount": "0.0005"});
    let transfer = world.sandbox("transfers", body).await;
    world.mine("BTC").await;
    pay_from_contract(&world, &payer).await;
    let asked = world.ask(&payer, ETHER).await;
    world.approve(&asked).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": transfer["transactionId"]})).await;
    world.rounds().await;
    assert_eq!(world.sent().await, []);
    let now = world.claimed(&payer).await;
    assert_ne!(now["amount"], asked["amount"]);
    assert_eq!((&now["status"], &now["address"]), (&json!("ASKED"), &json!(ETHER)), "{now}");
    world.approve(&now).await;
    world.mine("BTC").await;
    world.rounds().await;
    assert_eq!(world.sent().await.len(), 1);
}

#[tokio::test]
async fn a_disabled_business_refunds_no_excess() {
    let world = refunds::world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    world.disable(true).await;
    world.mine("BTC").await;
    let refund = async || world.payment(&id).await["deposits"][0]["refund"]["status"].clone();
    for _ in 0..3 {
        world.advance(60).await;
        world.mine("BTC").await;
    }
    assert_eq!((refund().await, world.sent().await.len()), (json!("PENDING"), 0));
    world.disable(false).await;
    for _ in 0..2 {
        world.advance(60).await;
        world.mine("BTC").await;
    }
    assert_eq!((refund().await, world.sent().await.len()), (json!("CONFIRMED"), 1));
}

#[tokio::test]
async fn a_cancelled_withdrawal_is_back_on_the_balance_once_and_its_callback_says_so() {
    let inbox = Inbox::open();
    let world = withdrawal_callbacks::world(&inbox, false).await;
    deliver(&world).await;
    let (before, told) = (world.balances().await, inbox.count());
    let made = world.withdraw(json!({})).await.json;
    assert_ne!(world.balances().await, before);
    for _ in 0..2 {
        let answer = world.cancel_withdrawal(&made["withdrawId"]).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
        world.rounds().await;
        assert_eq!(world.balances().await, before);
    }
    deliver(&world).await;
    assert_eq!((world.stored("status").await, world.sent().await.len()), (vec![Some("BLOCKED".into())], 0));
    assert_eq!(inbox.count(), told + 1);
}

#[tokio::test]
async fn a_withdrawal_on_a_network_without_payouts_is_cancelled() {
    let world = World::rich().await;
    let before = world.balances().await;
    let made = world.withdraw(json!({})).await.json;
    let world = world.with_app(|app| drop(app.broadcasters.remove(&Network::Eth)));
    let answer = world.cancel_withdrawal(&made["withdrawId"]).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    world.rounds().await;
    assert_eq!(world.stored("status").await, [Some("BLOCKED".into())]);
    assert_eq!(world.balances().await, before);
}

/// What is known of its recipient is as old as the request, which can wait for days.
#[tokio::test]
async fn a_recipient_is_screened_again_when_its_withdrawal_is_approved() {
    let world = World::rich().await;
    let before = world.balances().await;
    let id = world.unapproved_withdrawal("a").await;
    world.rounds().await;
    let path = format!("/api/v1/withdrawals/{id}");
    let seen = world.get(&path, &world.token).await.json;
    let flags = json!({"network": "ETH", "address": seen["recipientAddress"], "flagged": true});
    world.sandbox("flags", flags).await;
    let key = world.organisation_key().await;
    assert_eq!(world.approved(&format!("{path}/approve"), &key).await.status, StatusCode::OK);
    world.rounds().await;
    assert_eq!((world.stored("status").await, world.sent().await.len()), (vec![Some("BLOCKED".into())], 0));
    assert_eq!(world.balances().await, before);
}

/// It waits for a lower fee, and meanwhile its recipient is listed.
#[tokio::test]
async fn a_recipient_is_screened_again_when_its_withdrawal_waited_for_a_day() {
    for (seconds, expected) in [(80_000, "COMPLETED"), (86_401, "BLOCKED")] {
        let world = World::rich().await;
        let made = world.withdraw(json!({})).await.json;
        world.sandbox("fees", json!({"network": "ETH", "fee": "0.5"})).await;
        world.rounds().await;
        let flags = json!({"network": "ETH", "address": made["recipientAddress"], "flagged": true});
        world.sandbox("flags", flags).await;
        world.sandbox("fees", json!({"network": "ETH", "fee": "0.0001"})).await;
        world.advance(seconds).await;
        world.rounds().await;
        assert_eq!(world.stored("status").await, [Some(expected.into())], "after {seconds} seconds");
    }
}

/// Rows: whether it waits for an approval, and whether that was given.
#[tokio::test]
async fn a_withdrawal_is_cancelled_before_and_after_its_approval_and_without_screening() {
    for (waits, approved) in [(false, false), (true, false), (true, true)] {
        let world = World::rich().await;
        let before = world.balances().await;
        let id = if waits {
            json!(world.unapproved_withdrawal("a").await)
        } else {
            world.withdraw(json!({})).await.json["withdrawId"].clone()
        };
        if approved {
            let path = format!("/api/v1/withdrawals/{}/approve", id.as_str().unwrap());
            let key = world.organisation_key().await;
            assert_eq!(world.approved(&path, &key).await.status, StatusCode::OK);
        }
        world.disable(true).await;
        let answer = world.cancel_withdrawal(&id).await;
        assert_eq!(answer.status, StatusCode::OK, "{waits} {approved} {}", answer.json);
        pay_out::send(&world.app).await.unwrap();
        assert_eq!(world.balances().await, before, "{waits} {approved}");
    }
}

#[tokio::test]
async fn a_signed_withdrawal_is_not_cancelled() {
    let world = World::rich().await;
    let made = world.withdraw(json!({})).await.json;
    pay_out::run(&world.app).await.unwrap();
    let answer = world.cancel_withdrawal(&made["withdrawId"]).await;
    assert_eq!(
        (answer.status, &answer.json["code"]),
        (StatusCode::CONFLICT, &json!("withdrawal_state")),
        "{}",
        answer.json
    );
    assert_eq!(world.stored("status").await, [Some("COMPLETED".into())]);
}
