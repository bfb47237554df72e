//! PostgreSQL: transactions that change the same payout wait for each other, and none is killed as a deadlock. They lock payments,
//! businesses, the numbers of an account, payouts and withdrawals, in this order.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use checkout_core::address::Address;
use checkout_core::{Currency, Decimal, Network};
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::payout::{Payout, Sequence, Signed};
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Unsent};
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_gateway::service::App;
use checkout_gateway::service::payouts::{decide_hold, pay_out};
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use serde_json::json;
use uuid::Uuid;

use super::World;
use super::merchant_refund_stage::{BTC, paid, refunding_excess};
use crate::fixture::Place;

/// Longer than the other one needs to reach its lock, and shorter than PostgreSQL waits until it looks for deadlocks.
const A_WHILE: Duration = Duration::from_millis(400);

async fn world(settings: Settings) -> World {
    let world = World::at(Place::postgres(), settings).await;
    world.deposit("rich", "1000.00").await;
    world
}

async fn settling_in_bitcoin() -> World {
    let (ratio, crypto) = (Some(Decimal::ONE), Some(Some(Currency::Btc)));
    world(Settings { settlement_ratio: ratio, settlement_crypto: crypto, ..Settings::default() }).await
}

/// The gateway fails it, or an operator cancels it.
#[tokio::test]
async fn a_withdrawal_is_approved_while_another_transaction_changes_it() {
    let world = world(Settings::default()).await;
    let id: Uuid = world.unapproved_withdrawal("a").await.parse().unwrap();
    let (path, key) = (format!("/api/v1/withdrawals/{id}/approve"), world.organisation_key().await);
    let mut other = world.database.begin().await.unwrap();
    other.payout(id).await.unwrap().unwrap();
    let then = async {
        tokio::time::sleep(A_WHILE).await;
        other.withdrawal(id).await.unwrap().unwrap();
        other.commit().await.unwrap();
    };
    let (approved, ()) = tokio::join!(world.approved(&path, &key), then);
    assert_eq!(approved.status, 200, "{}", approved.json);
}

/// It is noted that the network asks more than its fee.
#[tokio::test]
async fn a_refund_of_the_merchant_waits_for_its_fee_while_it_is_cancelled() {
    let world = settling_in_bitcoin().await;
    let payment = paid(&world).await;
    let refund = world.refunded(&payment, json!({"amount": "0.001", "address": BTC})).await;
    let id: Uuid = refund["refundId"].as_str().unwrap().parse().unwrap();
    pay_out::screen(&world.app).await.unwrap();
    world.sandbox("fees", json!({"network": "BTC", "fee": "0.5"})).await;
    let mut other = world.database.begin().await.unwrap();
    other.payment(payment.parse().unwrap()).await.unwrap().unwrap();
    let then = async {
        tokio::time::sleep(A_WHILE).await;
        other.withdrawal(id).await.unwrap().unwrap();
        other.commit().await.unwrap();
    };
    let (sent, ()) = tokio::join!(pay_out::send(&world.app), then);
    assert_eq!(sent.unwrap(), 0);
    assert_eq!(world.database.above_fee().await.unwrap().len(), 1);
}

/// A network on which accounts number their transactions.
struct Numbered(SimulatedBroadcaster);

fn numbered(number: u64, signed: Signed) -> Signed {
    Signed { sequence: Some(Sequence { account: "the account".to_owned(), number }), ..signed }
}

#[async_trait]
impl Broadcaster for Numbered {
    fn network(&self) -> Network {
        self.0.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.0.is_own(account).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        Ok(numbered(1, self.0.sign(payout).await?))
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.0.broadcast(signed).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.0.known(transaction_id).await
    }
}

/// One account pays on several EVM networks, each of which has a task: they sign for the same business at the same time.
#[tokio::test]
async fn two_payouts_of_an_account_are_signed_at_once() {
    for is_refund in [false, true] {
        let world = if is_refund { settling_in_bitcoin().await } else { world(Settings::default()).await };
        let network = if is_refund { Network::Btc } else { Network::Eth };
        if is_refund {
            let payment = paid(&world).await;
            world.refunded(&payment, json!({"amount": "0.001", "address": BTC})).await;
        } else {
            world.withdraw(json!({})).await;
        }
        pay_out::screen(&world.app).await.unwrap();
        let inner = SimulatedBroadcaster::new(network, world.database.clone());
        let broadcasters = BTreeMap::from([(network, Arc::new(Numbered(inner)) as Arc<dyn Broadcaster>)]);
        let app = App { broadcasters, ..(*world.app).clone() };
        let mut other = world.database.begin().await.unwrap();
        other.business(world.business.id).await.unwrap().unwrap();
        let open = world.database.open_payouts(None, None).await.unwrap().remove(0);
        let then = async {
            let another = Payout { id: Uuid::now_v7(), ..open };
            other.insert_payout(&another).await.unwrap();
            tokio::time::sleep(A_WHILE).await;
            let signed = Signed { transaction_id: "other".to_owned(), bytes: vec![1], sequence: None };
            let signed = another.signed(numbered(2, signed), 1).unwrap();
            other.save_payout(signed).await.unwrap().unwrap();
            other.commit().await.unwrap();
        };
        let (sent, ()) = tokio::join!(pay_out::send(&app), then);
        assert_eq!(sent.unwrap(), 1, "a refund: {is_refund}");
    }
}

/// Deposits of several payments are recorded meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn all_held_payouts_are_released_while_their_payments_change() {
    let world = world(refunding_excess()).await;
    let reader = App { broadcasters: BTreeMap::new(), ..(*world.app).clone() };
    let world = World { router: crate::router(&Arc::new(reader), &world.simulated), ..world };
    let mut payments = Vec::new();
    for number in 0..6 {
        let order = json!({"clientPaymentId": number.to_string()});
        payments.push(world.quoted(order, "BTC", "BTC").await.0);
    }
    for payment in payments.iter().rev() {
        world.pay(payment, "0.00266667").await;
        world.mine("BTC").await;
    }
    assert_eq!(world.restored().await, 6);
    let payments: Vec<PaymentId> = payments.iter().map(|id| id.parse().unwrap()).collect();
    let done = Arc::new(AtomicBool::new(false));
    let others: Vec<_> = (0..3)
        .map(|_| {
            let (database, payments, done) = (world.database.clone(), payments.clone(), Arc::clone(&done));
            tokio::spawn(async move {
                while !done.load(Ordering::SeqCst) {
                    let mut tx = database.begin().await.unwrap();
                    tx.lock(&payments).await.unwrap();
                    tx.commit().await.unwrap();
                }
            })
        })
        .collect();
    for _ in 0..20 {
        // Not stored, so that the next one has as many.
        let mut tx = world.database.begin().await.unwrap();
        assert_eq!(decide_hold::release_all(&world.database, tx.as_mut()).await.unwrap(), 6);
    }
    done.store(true, Ordering::SeqCst);
    for other in others {
        other.await.unwrap();
    }
}
