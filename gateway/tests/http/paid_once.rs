//! A withdrawal is paid once, even if a step fails.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Unsent};
use checkout_gateway::service::App;
use checkout_gateway::service::payouts::pay_out;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use checkout_storage::query;
use serde_json::json;

use super::World;

/// A broadcaster that fails.
struct Faulty {
    inner: SimulatedBroadcaster,
    fault: fn(usize) -> Option<Unsent>,
    calls: AtomicUsize,
    /// Fails after the network received the bytes.
    late: bool,
}

#[async_trait]
impl Broadcaster for Faulty {
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
        let error = (self.fault)(self.calls.fetch_add(1, Ordering::SeqCst));
        match error {
            Some(error) if !self.late => Err(error),
            error => {
                self.inner.broadcast(signed).await?;
                error.map_or(Ok(()), Err)
            }
        }
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.inner.known(transaction_id).await
    }
}

pub(super) fn faulty(world: &World, late: bool, fault: fn(usize) -> Option<Unsent>) -> Arc<App> {
    let inner = SimulatedBroadcaster::new(Network::Eth, world.database.clone());
    let faulty = Faulty { inner, fault, calls: AtomicUsize::new(0), late };
    let mut broadcasters: BTreeMap<_, Arc<dyn Broadcaster>> = BTreeMap::new();
    broadcasters.insert(Network::Eth, Arc::new(faulty));
    Arc::new(App { broadcasters, ..(*world.app).clone() })
}

#[tokio::test]
async fn a_refused_withdrawal_returns_the_money() {
    let world = World::rich().await;
    let before = world.balances().await;
    world.withdraw(json!({})).await;
    let app = faulty(&world, false, |_| Some(Unsent::Refused("no funds".to_owned())));
    assert_eq!(pay_out::run(&app).await.unwrap(), 1);
    assert_eq!(world.stored("status").await, [Some("FAILED".into())]);
    assert_eq!(world.balances().await, before);
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 0, "it failed permanently");
    assert!(world.sent().await.is_empty());
}

/// The network does not answer, before or after it received the bytes: the same bytes are sent again.
#[tokio::test]
async fn a_silent_network_gets_the_same_bytes_again() {
    for late in [false, true] {
        let world = World::rich().await;
        world.withdraw(json!({})).await;
        let app = faulty(&world, late, |call| (call < 3).then(|| Unsent::Unavailable("timeout".into())));
        for moved in [0, 0, 0, 1, 0] {
            assert_eq!(pay_out::run(&app).await.unwrap(), moved);
        }
        assert_eq!(world.stored("status").await, [Some("COMPLETED".into())]);
        assert_eq!(world.sent().await.len(), 1);
    }
}

/// No block can have the first transaction any more, and the second is another one.
#[tokio::test]
async fn an_expired_withdrawal_is_signed_again() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    let app = faulty(&world, false, |call| (call == 0).then(|| Unsent::Expired("too late".to_owned())));
    for moved in [1, 1, 0] {
        assert_eq!(pay_out::run(&app).await.unwrap(), moved);
    }
    assert_eq!(world.stored("status").await, [Some("COMPLETED".into())]);
    assert_eq!((world.sent().await.len(), world.balances().await["FIAT EUR"].as_str()), (1, "933.14"));
}

/// Waits until two callers sign at the same time.
struct Twice(SimulatedBroadcaster, tokio::sync::Barrier);

#[async_trait]
impl Broadcaster for Twice {
    fn network(&self) -> Network {
        self.0.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.0.is_own(account).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        self.1.wait().await;
        self.0.sign(payout).await
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.0.broadcast(signed).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.0.known(transaction_id).await
    }
}

/// Two workers sign two transactions for one withdrawal: one is stored and sent.
#[tokio::test]
async fn of_two_signed_transactions_one_is_sent() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    let inner = SimulatedBroadcaster::new(Network::Eth, world.database.clone());
    let mut broadcasters: BTreeMap<_, Arc<dyn Broadcaster>> = BTreeMap::new();
    broadcasters.insert(Network::Eth, Arc::new(Twice(inner, tokio::sync::Barrier::new(2))));
    let app = App { broadcasters, ..(*world.app).clone() };
    let (one, other) = tokio::join!(pay_out::run(&app), pay_out::run(&app));
    assert_eq!(one.unwrap() + other.unwrap(), 1);
    assert_eq!(world.sent().await.len(), 1);
    assert_eq!(world.balances().await["FIAT EUR"], "933.14");
}

/// A hundred equal requests and eight workers at once give one withdrawal and one transaction.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_equal_requests_pay_once() {
    let world = Arc::new(World::rich().await);
    let posts: Vec<_> = (0..100)
        .map(|_| {
            let world = Arc::clone(&world);
            tokio::spawn(async move { world.withdraw(json!({})).await })
        })
        .collect();
    let workers: Vec<_> = (0..8)
        .map(|_| {
            let world = Arc::clone(&world);
            tokio::spawn(async move {
                for _ in 0..20 {
                    pay_out::run(&world.app).await.unwrap();
                }
            })
        })
        .collect();
    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    for post in posts {
        *statuses.entry(post.await.unwrap().status.as_u16()).or_default() += 1;
    }
    for worker in workers {
        worker.await.unwrap();
    }
    assert_eq!(statuses, BTreeMap::from([(200, 99), (201, 1)]));
    pay_out::run(&world.app).await.unwrap();
    assert_eq!(world.sent().await.len(), 1);
    assert_eq!(world.balances().await["FIAT EUR"], "933.14");
}

/// The worker dies at every await point: the future is polled a number of times and dropped. The next worker finishes
/// the work, and the recipient is paid once.
#[tokio::test]
async fn a_crash_between_any_two_steps_pays_once() {
    let mut finished = false;
    let mut deaths = 0;
    while !finished {
        let world = World::rich().await;
        world.withdraw(json!({})).await;
        {
            let run = pay_out::run(&world.app);
            let mut run = std::pin::pin!(run);
            let mut polls = 0;
            finished = std::future::poll_fn(|context| {
                if polls == deaths {
                    return std::task::Poll::Ready(false);
                }
                polls += 1;
                run.as_mut().poll(context).map(|moved| moved.unwrap() == 1)
            })
            .await;
        }
        deaths += 1;
        let world = world.restart().await;
        for _ in 0..2 {
            pay_out::run(&world.app).await.unwrap();
        }
        assert_eq!(world.sent().await.len(), 1, "killed at poll {deaths}");
        assert_eq!(world.stored("status").await, [Some("COMPLETED".into())], "killed at poll {deaths}");
        assert_eq!(world.balances().await["FIAT EUR"], "933.14", "killed at poll {deaths}");
    }
    assert!(deaths > 10, "only {deaths} points to die at");
}

/// A row of it is damaged, before or after it was screened. That is reported, and the others do not wait for it.
#[tokio::test]
async fn a_withdrawal_that_cannot_be_read_stops_no_other() {
    for is_screened in [false, true] {
        let world = World::rich().await;
        world.withdraw(json!({})).await;
        world.withdraw(json!({"clientWithdrawalId": "another"})).await;
        if is_screened {
            pay_out::screen(&world.app).await.unwrap();
        }
        let damage = "UPDATE withdrawals SET deducted = 'x' WHERE client_withdrawal_id <> 'another'";
        world.database.apply(query(damage)).await.unwrap();
        let mut errors = 0;
        for _ in 0..2 {
            errors += u32::from(pay_out::screen(&world.app).await.is_err());
            errors += u32::from(pay_out::send(&world.app).await.is_err());
        }
        assert_eq!((errors, world.sent().await.len()), (2, 1), "screened before: {is_screened}");
    }
}
