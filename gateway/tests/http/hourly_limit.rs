//! What leaves of one business in an hour has a limit, whatever it is for: the rest waits.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use checkout_core::address::Address;
use checkout_core::{Currency, Decimal, Network};
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Unsent};
use checkout_gateway::service::App;
use checkout_gateway::service::payouts::pay_out;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use checkout_storage::query;
use serde_json::json;
use tokio::sync::Barrier;

use super::World;
use super::faults::Stale;
use super::fixture::{Place, create_business};
use super::merchant_refund_stage::BTC;

const HOUR: u64 = 3_600;

fn shop() -> Settings {
    Settings {
        name: Some("Kettle & Co".to_owned()),
        settlement_crypto: Some(Some(Currency::Btc)),
        settlement_ratio: Some(Decimal::ZERO),
        ..Settings::default()
    }
}

/// A business with 995 EUR; what leaves in an hour is at most this.
async fn world(place: Place, limit: Option<&str>) -> World {
    let world = World::at(place, shop()).await;
    world.deposit("order-1", "1000.00").await;
    let limit = limit.map(|limit| limit.parse::<Decimal>().unwrap());
    world.with_app(|app| app.policy.hourly_limit = limit)
}

/// 60 EUR each.
async fn ask(world: &World, numbers: impl IntoIterator<Item = u32>) {
    for number in numbers {
        let answer = world
            .withdraw(json!({
                "clientWithdrawalId": format!("w-{number}"), "withdrawCurrency": "BTC", "network": "BTC",
                "recipientAddress": BTC, "targetAmount": "0.001",
            }))
            .await;
        assert_eq!(answer.status, 201, "{}", answer.json);
    }
}

async fn sent(world: &World) -> usize {
    for _ in 0..3 {
        pay_out::run(&world.app).await.unwrap();
    }
    world.sent().await.len()
}

/// Rows: the limit, how many withdrawals of 60 EUR leave of four, and how many after another hour.
#[tokio::test]
async fn what_leaves_in_an_hour() {
    for (limit, first, later) in [
        (None, 4, 4),
        (Some("240"), 4, 4),
        (Some("239.99"), 3, 4),
        (Some("120"), 2, 4),
        (Some("60"), 1, 2),
        (Some("59.99"), 0, 0),
    ] {
        let world = world(Place::chosen(), limit).await;
        ask(&world, 1..=4).await;
        let reserved = world.balances().await["FIAT EUR"].clone();
        assert_eq!(sent(&world).await, first, "{limit:?}");
        world.advance(HOUR - 1).await;
        assert_eq!(sent(&world).await, first, "{limit:?}: before the hour is over");
        assert_eq!(world.balances().await["FIAT EUR"], reserved, "{limit:?}: the rest stays reserved");
        world.advance(1).await;
        assert_eq!(sent(&world).await, later, "{limit:?}: an hour later");
    }
}

#[tokio::test]
async fn a_refund_counts_and_waits_like_a_withdrawal() {
    let world = world(Place::chosen(), Some("100")).await;
    let paid = world.deposit("order-2", "60.00").await;
    ask(&world, [1]).await;
    assert_eq!(sent(&world).await, 1);
    world.refunded(&paid, json!({"address": BTC})).await;
    assert_eq!(sent(&world).await, 1);
    world.advance(HOUR).await;
    assert_eq!(sent(&world).await, 2);
}

#[tokio::test]
async fn what_failed_and_another_business_do_not_count() {
    let world = world(Place::chosen(), Some("60")).await;
    ask(&world, [1]).await;
    let failed = "UPDATE payouts SET state = 'FAILED', left_at = created_at, worth = '60.00'";
    world.database.apply(query(failed)).await.unwrap();
    ask(&world, [2]).await;
    assert_eq!(sent(&world).await, 1);
    let (business, token) = create_business(&world.app, shop()).await;
    let other = World { business, token, ..world };
    other.deposit("order-3", "1000.00").await;
    ask(&other, [3, 4]).await;
    assert_eq!(sent(&other).await, 2, "one of each business");
}

/// Nobody can tell what it is worth.
#[tokio::test]
async fn without_a_rate_nothing_leaves_where_there_is_a_limit() {
    for (limit, expected) in [(None, 1), (Some("1000"), 0)] {
        let world = world(Place::chosen(), limit).await;
        ask(&world, [1]).await;
        let before = Arc::clone(&world.app);
        let world = world.with_app(|app| app.rates = Arc::new(Stale));
        assert_eq!(sent(&world).await, expected, "{limit:?}");
        let world = World { app: before, ..world };
        assert_eq!(sent(&world).await, 1, "{limit:?}: with a rate");
    }
}

/// A network that signs when another one does, and may not take what it is sent.
struct Odd {
    inner: SimulatedBroadcaster,
    both: Option<Arc<Barrier>>,
    line: Arc<Line>,
}

#[derive(Default)]
struct Line {
    is_deaf: AtomicBool,
    /// How often something was signed.
    signed: AtomicUsize,
}

#[async_trait]
impl Broadcaster for Odd {
    fn network(&self) -> Network {
        self.inner.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.inner.is_own(account).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        if let Some(both) = &self.both {
            both.wait().await;
        }
        self.line.signed.fetch_add(1, Ordering::SeqCst);
        self.inner.sign(payout).await
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        if self.line.is_deaf.load(Ordering::SeqCst) {
            return Err(Unsent::later("it takes no transactions now"));
        }
        self.inner.broadcast(signed).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.inner.known(transaction_id).await
    }
}

/// Replaces two networks.
fn odd(world: World, both: Option<&Arc<Barrier>>) -> (World, Arc<Line>) {
    let line = Arc::new(Line::default());
    let network = |network| {
        let inner = SimulatedBroadcaster::new(network, world.database.clone());
        let odd = Odd { inner, both: both.cloned(), line: Arc::clone(&line) };
        (network, Arc::new(odd) as Arc<dyn Broadcaster>)
    };
    let broadcasters = BTreeMap::from([network(Network::Btc), network(Network::Eth)]);
    (world.with_app(|app| app.broadcasters = broadcasters), line)
}

/// Both were allowed to leave before either was stored.
#[tokio::test]
async fn two_servers_that_sign_at_once_stay_within_the_limit() {
    for (place, limit, leave) in [
        (Place::sqlite(), "100", 1),
        (Place::postgres(), "100", 1),
        (Place::sqlite(), "120", 2),
        (Place::postgres(), "120", 2),
    ] {
        let (world, _) = odd(world(place, Some(limit)).await, Some(&Arc::new(Barrier::new(2))));
        ask(&world, [1]).await;
        let ether = json!({"clientWithdrawalId": "w-2", "targetAmount": "0.02"});
        assert_eq!(world.withdraw(ether).await.status, 201);
        pay_out::screen(&world.app).await.unwrap();
        let other = App::clone(&world.app);
        let (one, another) =
            tokio::join!(pay_out::send_on(&world.app, Network::Btc), pay_out::send_on(&other, Network::Eth));
        assert_eq!((one.unwrap() + another.unwrap(), world.sent().await.len()), (leave, leave), "{limit}");
    }
}

/// Each attempt would reserve coins of the wallet, and ask the network.
#[tokio::test]
async fn what_is_beyond_the_limit_is_not_even_signed() {
    let (world, line) = odd(world(Place::chosen(), Some("60")).await, None);
    ask(&world, 1..=3).await;
    assert_eq!(sent(&world).await, 1);
    assert_eq!(line.signed.load(Ordering::SeqCst), 1);
}

/// It can leave at any time.
#[tokio::test]
async fn what_is_signed_and_not_sent_counts_until_an_hour_after_it_was_sent() {
    let (world, line) = odd(world(Place::chosen(), Some("60")).await, None);
    ask(&world, 1..=2).await;
    line.is_deaf.store(true, Ordering::SeqCst);
    for _ in 0..2 {
        assert_eq!(sent(&world).await, 0);
        assert_eq!(world.stored("state").await, [Some("SIGNED".into()), Some("WAITING".into())]);
        world.advance(2 * HOUR).await;
    }
    line.is_deaf.store(false, Ordering::SeqCst);
    assert_eq!(sent(&world).await, 1);
    world.advance(HOUR - 1).await;
    assert_eq!(sent(&world).await, 1, "an hour after it was sent");
    world.advance(1).await;
    assert_eq!(sent(&world).await, 2);
}

/// What left without a rate, before there was a limit.
#[tokio::test]
async fn what_nobody_can_value_is_all_that_leaves_in_its_hour() {
    let world = world(Place::chosen(), None).await;
    ask(&world, [1]).await;
    let rates = Arc::clone(&world.app.rates);
    let world = world.with_app(|app| app.rates = Arc::new(Stale));
    assert_eq!(sent(&world).await, 1);
    let limit = Some(Decimal::from(1_000));
    let world = world.with_app(|app| (app.rates, app.policy.hourly_limit) = (rates, limit));
    ask(&world, [2]).await;
    assert_eq!(sent(&world).await, 1);
    world.advance(HOUR).await;
    assert_eq!(sent(&world).await, 2);
}

/// 0.001 BTC too much, which is 60 EUR.
#[tokio::test]
async fn an_automatic_refund_waits_for_the_limit() {
    for (limit, expected) in [("60", 1), ("50", 0)] {
        let settings = Settings { refund_excess: Some(true), ..shop() };
        let limit = Some(limit.parse::<Decimal>().unwrap());
        let world =
            World::at(Place::chosen(), settings).await.with_app(|app| app.policy.hourly_limit = limit);
        let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
        world.pay(&id, "0.00266667").await;
        world.mine("BTC").await;
        assert_eq!(sent(&world).await, expected, "{limit:?}");
    }
}

#[tokio::test]
async fn the_metrics_say_why_payouts_wait() {
    let world = world(Place::chosen(), Some("60")).await;
    ask(&world, 1..=3).await;
    let waits = async || {
        sent(&world).await;
        let text = String::from_utf8(world.get("/metrics", "").await.bytes).unwrap();
        let rows = text.lines().filter_map(|line| line.strip_prefix("checkout_payouts_waiting{why=\""));
        let rows = rows.filter_map(|row| row.split_once("\"} ")).filter(|(_, count)| *count != "0");
        rows.map(|(why, count)| (why.to_owned(), count.to_owned())).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(waits().await, BTreeMap::from([("HOURLY_LIMIT".to_owned(), "2".to_owned())]));
    world.advance(HOUR).await;
    assert_eq!(waits().await, BTreeMap::from([("HOURLY_LIMIT".to_owned(), "1".to_owned())]));
    world.advance(HOUR).await;
    assert_eq!(waits().await, BTreeMap::new());
}
