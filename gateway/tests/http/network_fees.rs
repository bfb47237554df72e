//! The fee that was charged is enough when a payout is signed, and within the limit of the business when it is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use axum::http::Method;
use checkout_core::address::Address;
use checkout_core::{Decimal, Network};
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Unsent};
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::payouts::pay_out;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use futures::future::join_all;
use serde_json::{Value, json};

use super::merchant_refund_stage::{BTC, check_refused};
use super::{Answer, World};

async fn asks(world: &World, fee: &str) {
    world.sandbox("fees", json!({"network": "BTC", "fee": fee})).await;
}

async fn withdraw(world: &World) -> Answer {
    let body = json!({
        "withdrawCurrency": "BTC", "network": "BTC", "recipientAddress": BTC, "targetAmount": "0.001",
    });
    world.withdraw(body).await
}

/// The withdrawal as it is now.
async fn now(world: &World, made: &Value) -> Value {
    let path = format!("/api/v1/withdrawals/{}", made["withdrawId"].as_str().unwrap());
    world.get(&path, &world.token).await.json
}

async fn rounds(world: &World) {
    for _ in 0..3 {
        pay_out::run(&world.app).await.unwrap();
    }
}

/// What was shown is charged for a minute, and the network asks again before it is signed. Rows: what it asks then, and the status.
#[tokio::test]
async fn a_withdrawal_whose_fee_rose_above_its_margin_waits_until_it_falls() {
    for (asked, leaves) in
        [("0.00009", true), ("0.0001", true), ("0.000125", true), ("0.00012501", false), ("0.003", false)]
    {
        let world = World::rich().await;
        asks(&world, "0.0001").await;
        let before = world.balances().await;
        let made = withdraw(&world).await.json;
        let reserved = world.balances().await;
        asks(&world, asked).await;
        rounds(&world).await;
        let seen = now(&world, &made).await;
        let status = if leaves { "COMPLETED" } else { "NEW" };
        assert_eq!((&seen["status"], &seen["withdrawFee"]), (&json!(status), &json!("0.000125")), "{asked}");
        assert_eq!(world.sent().await.len(), usize::from(leaves), "{asked}");
        let listed = world.get("/api/v1/withdrawals?waitingFor=FEE", &world.token).await.json;
        assert_eq!(listed.as_array().unwrap().len(), usize::from(!leaves), "{asked}");
        if leaves {
            assert_eq!(world.balances().await["COSTS BTC"], "0.000125", "{asked}");
            continue;
        }
        assert_eq!((&seen["waitingFor"], world.balances().await), (&json!("FEE"), reserved), "{asked}");
        let waiting = world.app.store.above_fee().await.unwrap();
        assert_eq!(waiting.iter().map(|found| found.asked_fee.is_some()).collect::<Vec<_>>(), [true]);
        asks(&world, "0.0001").await;
        rounds(&world).await;
        let sent = now(&world, &made).await;
        assert_eq!((&sent["status"], sent.get("waitingFor")), (&json!("COMPLETED"), None), "{asked}");
        assert_ne!(world.balances().await, before);
    }
}

#[tokio::test]
async fn one_that_waits_for_its_fee_is_cancelled_like_any_other() {
    let world = World::rich().await;
    let before = world.balances().await;
    let made = withdraw(&world).await.json;
    asks(&world, "0.003").await;
    rounds(&world).await;
    assert_eq!(now(&world, &made).await["waitingFor"], "FEE");
    let path = format!("/api/v1/withdrawals/{}/cancel", made["withdrawId"].as_str().unwrap());
    world.call(Method::POST, &path, Some(&world.organisation_key().await), None).await;
    rounds(&world).await;
    let seen = now(&world, &made).await;
    assert_eq!((&seen["status"], seen.get("waitingFor")), (&json!("BLOCKED"), None));
    assert_eq!(world.balances().await, before);
}

/// The largest fee that the business pays: 0.000125 BTC are 7.50 EUR.
#[tokio::test]
async fn a_fee_above_the_limit_of_the_business_is_refused_before_anything_is_reserved() {
    for (limit, is_refused) in [(None, false), (Some("7.50"), false), (Some("7.49"), true)] {
        let world = World::rich().await;
        let maximum_network_fee = Some(limit.map(|limit: &str| limit.parse().unwrap()));
        world.rules(RuleChanges { maximum_network_fee, ..RuleChanges::default() }).await;
        let id = world.deposit("order-2", "100.00").await;
        asks(&world, "0.0001").await;
        let before = world.balances().await;
        let made = withdraw(&world).await;
        let refund = world.refund(&id, json!({"address": BTC})).await;
        if !is_refused {
            assert_eq!((made.status.as_u16(), refund.status.as_u16()), (201, 201), "{limit:?}");
            continue;
        }
        check_refused(&made, 422, "above_maximum_fee");
        check_refused(&refund, 422, "above_maximum_fee");
        let detail = "costs a fee of 0.000125 BTC or 7.50 EUR on BTC, and the business pays at most 7.49 EUR";
        assert_eq!(made.json["errors"][0]["detail"], detail);
        assert_eq!(world.balances().await, before);
        asks(&world, "0.00001").await;
        world.advance(61).await;
        assert_eq!(withdraw(&world).await.status, 201);
    }
}

/// A node that queues 16 calls and refuses more: "Work queue depth exceeded", as Bitcoin Core does (httpserver.cpp, `-rpcworkqueue`).
struct Queue {
    inner: SimulatedBroadcaster,
    calls: AtomicUsize,
}

const DEPTH: usize = 16;

#[async_trait]
impl Broadcaster for Queue {
    fn network(&self) -> Network {
        self.inner.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.inner.is_own(account).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        self.inner.sign(payout).await
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.inner.broadcast(signed).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.inner.known(transaction_id).await
    }

    async fn fee(&self, payout: &Payout) -> Result<Option<Decimal>, Unsent> {
        if self.calls.fetch_add(1, Ordering::SeqCst) >= DEPTH {
            self.calls.fetch_sub(1, Ordering::SeqCst);
            return Err(Unsent::later("Work queue depth exceeded"));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        let fee = self.inner.fee(payout).await;
        self.calls.fetch_sub(1, Ordering::SeqCst);
        fee
    }
}

#[tokio::test]
async fn a_hundred_requests_at_once_are_not_too_many_for_a_node() {
    let world = World::rich().await;
    let inner = SimulatedBroadcaster::new(Network::Btc, world.database.clone());
    let node: Arc<dyn Broadcaster> = Arc::new(Queue { inner, calls: AtomicUsize::new(0) });
    let world = world.with_app(|app| app.broadcasters = BTreeMap::from([(Network::Btc, node)]));
    let answers = join_all((0..100).map(|_| withdraw(&world))).await;
    for answer in answers {
        assert!(answer.status.is_success(), "{}", answer.json);
    }
}
