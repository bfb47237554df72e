//! Why a payout is not sent is said of it, from when that was tried until it leaves.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::address::Address;
use checkout_core::{Decimal, Network};
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Unsent};
use checkout_domain::ports::screening::{Screened, Screening, ScreeningError};
use checkout_domain::withdrawal::may_leave::Why;
use checkout_gateway::service::App;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use checkout_storage::{Database, query};
use serde_json::{Value, json};

use super::World;
use super::merchant_refund_stage::{BTC, paid, refunding_excess, world, world_with_finality};

/// What a network does not answer.
#[derive(Clone, Copy, PartialEq)]
enum Mute {
    IsOwn,
    Fee,
    Sign,
}

struct Half(SimulatedBroadcaster, Mute);

fn mute() -> Unsent {
    Unsent::later("the node does not answer")
}

#[async_trait]
impl Broadcaster for Half {
    fn network(&self) -> Network {
        self.0.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        if self.1 == Mute::IsOwn { Err(mute()) } else { self.0.is_own(account).await }
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        if self.1 == Mute::Sign { Err(mute()) } else { self.0.sign(payout).await }
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.0.broadcast(signed).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.0.known(transaction_id).await
    }

    async fn fee(&self, payout: &Payout) -> Result<Option<Decimal>, Unsent> {
        if self.1 == Mute::Fee { Err(mute()) } else { self.0.fee(payout).await }
    }
}

pub(super) struct Silent;

#[async_trait]
impl Screening for Silent {
    async fn screen(&self, _: Network, _: &str) -> Result<Screened, ScreeningError> {
        Err(ScreeningError("no answer".into()))
    }
}

/// A withdrawal, as it is got and as it is listed.
async fn shown(world: &World, made: &Value) -> Value {
    let path = format!("/api/v1/withdrawals/{}", made["withdrawId"].as_str().unwrap());
    let got = world.get(&path, &world.token).await.json;
    assert_eq!(world.get("/api/v1/withdrawals", &world.token).await.json[0], got);
    got
}

/// What keeps a withdrawal back is said once it was tried, and no more as soon as it left.
async fn check(expected: Why, change: impl FnOnce(&Database, &mut App)) {
    let world = World::rich().await;
    let (app, database) = (Arc::clone(&world.app), world.database.clone());
    let made = world.withdraw(json!({})).await.json;
    assert_eq!(shown(&world, &made).await.get("waitingReason"), None, "{expected:?}: it was not tried");
    let world = world.with_app(|app| change(&database, app));
    world.run().await;
    let seen = shown(&world, &made).await;
    assert_eq!((&seen["status"], &seen["waitingReason"]), (&json!("NEW"), &json!(expected.as_str())));
    let world = World { app, ..world };
    world.run().await;
    let sent = shown(&world, &made).await;
    assert_eq!((&sent["status"], sent.get("waitingReason")), (&json!("COMPLETED"), None), "{expected:?}");
}

#[tokio::test]
async fn a_withdrawal_says_what_its_gateway_cannot_do_now() {
    for (what, why) in
        [(Mute::IsOwn, Why::Unanswered), (Mute::Fee, Why::FeeUnknown), (Mute::Sign, Why::Unsigned)]
    {
        check(why, |database, app| {
            let half = Half(SimulatedBroadcaster::new(Network::Eth, database.clone()), what);
            app.broadcasters = BTreeMap::from([(Network::Eth, Arc::new(half) as Arc<dyn Broadcaster>)]);
        })
        .await;
    }
    check(Why::NoNetwork, |_, app| drop(app.broadcasters.remove(&Network::Eth))).await;
    check(Why::Unscreened, |_, app| app.screening = Arc::new(Silent)).await;
    check(Why::HourlyLimit, |_, app| app.policy.hourly_limit = Some(Decimal::ONE)).await;
}

/// Rows: what holds it, what lets it go, and what is said between the two.
#[tokio::test]
async fn a_withdrawal_says_what_a_person_can_change() {
    for (hold, free, why) in [
        ("UPDATE businesses SET disabled = 1", "UPDATE businesses SET disabled = 0", Why::Disabled),
        (
            "UPDATE payouts SET hold = 'HELD', hold_reason = 'a transaction'",
            "UPDATE payouts SET hold = 'RELEASED'",
            Why::Held,
        ),
    ] {
        let world = World::rich().await;
        let made = world.withdraw(json!({})).await.json;
        for (change, said) in [(hold, json!(why.as_str())), (free, Value::Null)] {
            world.database.apply(query(change)).await.unwrap();
            world.run().await;
            assert_eq!(shown(&world, &made).await["waitingReason"], said, "{change}");
        }
        assert_eq!(world.sent().await.len(), 1, "{why:?}");
    }
}

/// The approval is stored with the withdrawal: nothing has to be tried.
#[tokio::test]
async fn a_withdrawal_says_that_it_waits_for_an_approval_until_it_is_approved() {
    let world = World::rich().await;
    let id = world.unapproved_withdrawal("a").await;
    let (made, path) = (json!({"withdrawId": id}), format!("/api/v1/withdrawals/{id}/approve"));
    let both = |shown: &Value| [shown["waitingFor"].clone(), shown["waitingReason"].clone()];
    assert_eq!(both(&shown(&world, &made).await), [json!("APPROVAL"), json!("UNAPPROVED")]);
    world.run().await;
    assert_eq!(both(&shown(&world, &made).await), [json!("APPROVAL"), json!("UNAPPROVED")]);
    world.approved(&path, &world.organisation_key().await).await;
    assert_eq!(both(&shown(&world, &made).await), [Value::Null, Value::Null]);
}

#[tokio::test]
async fn a_withdrawal_says_that_its_network_asks_more_than_its_fee() {
    let world = World::rich().await;
    let made = world.withdraw(json!({})).await.json;
    for (fee, said) in [("0.5", json!("FEE")), ("0.0001", Value::Null)] {
        world.sandbox("fees", json!({"network": "ETH", "fee": fee})).await;
        world.run().await;
        let shown = shown(&world, &made).await;
        assert_eq!([&shown["waitingFor"], &shown["waitingReason"]], [&said, &said], "{fee}");
    }
}

/// One of the merchant and an automatic one: the deposits behind them are not final.
#[tokio::test]
async fn a_refund_says_that_its_deposits_are_not_final() {
    let world = world_with_finality(refunding_excess()).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    world.mine("BTC").await;
    let made = world.refunded(&id, json!({"amount": "0.001", "address": BTC})).await;
    let said = async || {
        world.run().await;
        let listed = world.get("/api/v1/refunds", &world.token).await.json;
        let got = world.refund_now(&made).await;
        let listed = listed.as_array().unwrap();
        assert!(listed.contains(&got));
        listed.iter().map(|refund| refund["waitingReason"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(said().await, [json!("NOT_FINAL"), json!("NOT_FINAL")]);
    world.sandbox("blocks", json!({"network": "BTC", "count": 10})).await;
    assert_eq!(said().await, [Value::Null, Value::Null]);
}

#[tokio::test]
async fn a_refund_says_that_its_business_is_disabled() {
    let world = world().await;
    let made = world.refunded(&paid(&world).await, json!({"address": BTC})).await;
    world.database.apply(query("UPDATE businesses SET disabled = 1")).await.unwrap();
    world.run().await;
    let shown = world.refund_now(&made).await;
    assert_eq!([&shown["status"], &shown["waitingReason"]], [&json!("PENDING"), &json!("DISABLED")]);
    assert_eq!(shown.get("waitingFor"), None);
}

/// The desk has the same sentences as the documentation.
#[test]
fn the_desk_has_a_sentence_for_every_reason() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../www/desk/waits.ts");
    let desk = std::fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = desk.lines().filter(|line| line.starts_with("  ")).collect();
    assert_eq!(rows, Why::ALL.map(|why| format!("  {}: \"{}\",", why.as_str(), why.sentence())));
}
