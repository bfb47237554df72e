//! A withdrawal that waits too long for a block is replaced by a transaction with a higher fee, and paid once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::chain::{self, finality::Finality};
use checkout_domain::ports::broadcaster::{Broadcaster, Known, Replacement, Unsent};
use checkout_gateway::service::App;
use checkout_gateway::service::app::Policy;
use checkout_gateway::service::payouts::pay_out;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use checkout_simulator::chain::simulator::Simulator;
use serde_json::json;

use super::World;
use super::metrics::scrape;

/// Seconds after which a transaction is replaced.
const AFTER: u64 = 600;

/// A network that takes one of the transactions of a payout, and replaces it by a newer one until it is in a block.
struct Market {
    inner: SimulatedBroadcaster,
    simulator: Simulator,
    /// The transactions that spend the same coins, oldest first.
    all: Mutex<Vec<Signed>>,
    /// Replacements until the fee is at its maximum.
    cap: usize,
    /// The first that the memory pool takes: the fees of those before are below its minimum.
    first_taken: usize,
    /// The transactions whose coins were freed, with the one that was kept.
    released: Mutex<Vec<(Signed, Option<Signed>)>>,
    is_silent: Mutex<bool>,
}

#[async_trait]
impl Broadcaster for Market {
    fn network(&self) -> Network {
        self.inner.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.inner.is_own(account).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        let signed = self.inner.sign(payout).await?;
        self.all.lock().unwrap().push(signed.clone());
        Ok(signed)
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        let all = self.all();
        let place = all.iter().position(|other| other == signed);
        for (other_place, other) in all.iter().enumerate().filter(|(_, other)| *other != signed) {
            match self.inner.known(&other.transaction_id).await? {
                Known::Confirmed(_) => return Err(Unsent::Refused("its coins are spent".to_owned())),
                Known::Pending if Some(other_place) > place => {
                    return Err(Unsent::Unavailable("a newer one pays more".into()));
                }
                Known::Pending => {
                    self.simulator.drop_transfer(&other.transaction_id).await.unwrap();
                }
                Known::Reverted(_) | Known::Unknown => {}
            }
        }
        let is_mined = matches!(self.inner.known(&signed.transaction_id).await?, Known::Confirmed(_));
        if place < Some(self.first_taken) && !is_mined {
            return Err(Unsent::Unavailable("mempool min fee not met".into()));
        }
        self.inner.broadcast(signed).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        if *self.is_silent.lock().unwrap() {
            return Err(Unsent::Unavailable("no answer".into()));
        }
        self.inner.known(transaction_id).await
    }

    async fn replace(
        &self,
        payout: &Payout,
        newest: &Signed,
        waiting: chain::waiting::Waiting,
    ) -> Result<Replacement, Unsent> {
        let all = self.all();
        assert_eq!(all.last(), Some(newest));
        match waiting.seconds() {
            0..AFTER => Ok(Replacement::None),
            _ if all.len() > self.cap => Ok(Replacement::Capped),
            _ => self.sign(payout).await.map(Replacement::Signed),
        }
    }

    async fn release(&self, unused: &Signed, kept: Option<&Signed>) -> Result<(), Unsent> {
        self.released.lock().unwrap().push((unused.clone(), kept.cloned()));
        Ok(())
    }
}

impl Market {
    fn all(&self) -> Vec<Signed> {
        self.all.lock().unwrap().clone()
    }
}

struct Waiting {
    world: World,
    app: App,
    market: Arc<Market>,
}

impl Waiting {
    /// A withdrawal that was sent.
    async fn new(cap: usize) -> Self {
        Self::with(cap, 0).await
    }

    /// A withdrawal that was signed.
    async fn with(cap: usize, first_taken: usize) -> Self {
        let url = Some("http://127.0.0.1:9/".to_owned());
        let settings = Settings { withdrawal_callback: url.clone(), event_url: url, ..Settings::default() };
        let world = World::with(settings).await;
        world.deposit("order-1", "1000.00").await;
        let market = Arc::new(Market {
            inner: SimulatedBroadcaster::new(Network::Eth, world.database.clone()),
            simulator: Simulator(world.database.clone()),
            all: Mutex::default(),
            cap,
            first_taken,
            released: Mutex::default(),
            is_silent: Mutex::default(),
        });
        let mut broadcasters: BTreeMap<_, Arc<dyn Broadcaster>> = BTreeMap::new();
        broadcasters.insert(Network::Eth, Arc::clone(&market) as _);
        // Payouts are tracked for several blocks.
        let policy = Policy { finality: Finality::default(), ..world.app.policy.clone() };
        let app = App { broadcasters, policy, ..(*world.app).clone() };
        world.withdraw(json!({})).await;
        let waiting = Self { world, app, market };
        waiting.run().await;
        waiting
    }

    async fn run(&self) {
        for _ in 0..3 {
            pay_out::run(&self.app).await.unwrap();
        }
    }

    /// Waits until the transaction is replaced.
    async fn wait(&self) {
        self.world.advance(AFTER).await;
        self.run().await;
    }

    /// A block that only this gateway sees, and not the sandbox's own.
    async fn mine(&self) {
        self.market.simulator.mine(Network::Eth, 1).await.unwrap();
    }

    fn transaction(&self, number: usize) -> String {
        self.market.all()[number].transaction_id.clone()
    }

    /// The gateway's answers and the callbacks, oldest first.
    async fn shown(&self) -> (String, Vec<String>) {
        let shown = self.world.stored("transaction_id").await.remove(0).unwrap();
        let mut all = self.world.app.store.callbacks(None, None, 100).await.unwrap();
        all.retain(|callback| callback.sequence == 0);
        all.sort_by_key(|callback| callback.id);
        let told = all.iter().map(|callback| {
            let body: serde_json::Value = serde_json::from_str(&callback.body).unwrap();
            assert_eq!((&body["status"], &body["clientWithdrawalId"]), (&json!("COMPLETED"), &json!("w-1")));
            body["transactionId"].as_str().unwrap().to_owned()
        });
        (shown, told.collect())
    }

    /// The gateway shows this transaction and told all of these; one transaction is on the chain.
    #[track_caller]
    fn check(&self, have: &(String, Vec<String>), shown: usize, told: &[usize]) {
        let told: Vec<String> = told.iter().map(|number| self.transaction(*number)).collect();
        assert_eq!(*have, (self.transaction(shown), told));
    }

    async fn is_paid_once(&self) {
        let mut known = Vec::new();
        for signed in self.market.all() {
            known.push(self.market.inner.known(&signed.transaction_id).await.unwrap());
        }
        let paid = known.iter().filter(|known| **known != Known::Unknown).count();
        assert_eq!(paid, 1, "{known:?}");
        assert_eq!(self.world.balances().await["FIAT EUR"], "933.14", "it is booked once");
    }

    async fn capped(&self) -> String {
        let metrics = scrape(&self.world).await;
        let line = metrics.lines().find_map(|line| line.strip_prefix("checkout_payouts_capped "));
        line.unwrap().to_owned()
    }
}

#[tokio::test]
async fn the_callbacks_name_the_transaction_that_confirmed() {
    let waiting = Waiting::new(9).await;
    waiting.check(&waiting.shown().await, 0, &[0]);
    waiting.wait().await;
    waiting.wait().await;
    assert_eq!(waiting.market.all().len(), 3);
    waiting.check(&waiting.shown().await, 0, &[0]);
    waiting.is_paid_once().await;
    waiting.world.mine("ETH").await;
    waiting.run().await;
    waiting.check(&waiting.shown().await, 2, &[0, 2]);
    waiting.is_paid_once().await;
    waiting.wait().await;
    assert_eq!(waiting.market.all().len(), 3, "what is in a block is not replaced");
}

/// The same as typed events, in their order.
#[tokio::test]
async fn the_events_of_a_replaced_withdrawal() {
    let waiting = Waiting::new(9).await;
    waiting.wait().await;
    waiting.world.mine("ETH").await;
    waiting.run().await;
    let world = &waiting.world;
    let listed = world.get("/api/v1/withdrawals", &world.token).await;
    let events = world.typed_events(listed.json[0]["withdrawId"].as_str().unwrap()).await;
    let told: Vec<_> = events.iter().map(|event| (&event["type"], &event["data"]["transactionId"])).collect();
    let (first, second) = (json!(waiting.transaction(0)), json!(waiting.transaction(1)));
    let [created, sent, replaced, confirmed] =
        ["created", "sent", "replaced", "confirmed"].map(|name| json!(format!("withdrawal.{name}")));
    let null = json!(null);
    assert_eq!(told, [(&created, &null), (&sent, &first), (&replaced, &second), (&confirmed, &second)]);
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    waiting.run().await;
    let again = world.typed_events(listed.json[0]["withdrawId"].as_str().unwrap()).await;
    assert_eq!(again.last().map(|event| &event["type"]), Some(&sent), "its block left the chain");
}

/// A miner did not see the replacement, and later a reorganisation changes which of the two is in the chain.
#[tokio::test]
async fn whichever_confirms_ends_it_also_after_a_reorganisation() {
    let waiting = Waiting::new(9).await;
    waiting.wait().await;
    let first = waiting.transaction(0);
    let simulator = &waiting.market.simulator;
    let mine_first = async || {
        simulator.drop_transfer(&waiting.transaction(1)).await.unwrap();
        waiting.market.inner.broadcast(&waiting.market.all()[0]).await.unwrap();
        waiting.world.mine("ETH").await;
    };
    mine_first().await;
    waiting.run().await;
    waiting.check(&waiting.shown().await, 0, &[0]);
    waiting.is_paid_once().await;

    waiting.world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    simulator.drop_transfer(&first).await.unwrap();
    waiting.run().await;
    waiting.world.mine("ETH").await;
    waiting.run().await;
    waiting.check(&waiting.shown().await, 1, &[0, 1]);
    waiting.is_paid_once().await;

    // Between two looks of the gateway the other one is mined again.
    waiting.world.sandbox("reorgs", json!({"network": "ETH", "depth": 1})).await;
    mine_first().await;
    waiting.run().await;
    waiting.check(&waiting.shown().await, 0, &[0, 1, 0]);
    waiting.is_paid_once().await;
}

/// The coins that only the replacement spends can pay for something else.
#[tokio::test]
async fn the_coins_of_unused_replacements_are_free_once_the_first_confirms() {
    let waiting = Waiting::new(9).await;
    waiting.wait().await;
    waiting.market.simulator.drop_transfer(&waiting.transaction(1)).await.unwrap();
    let [first, second] = [0, 1].map(|number| waiting.market.all()[number].clone());
    waiting.market.inner.broadcast(&first).await.unwrap();
    let released = || waiting.market.released.lock().unwrap().clone();
    assert_eq!(released(), []);
    waiting.mine().await;
    waiting.run().await;
    waiting.mine().await;
    waiting.run().await;
    assert_eq!(released(), [(second, Some(first))]);
}

/// It was signed when fees were lower, and the network never had it.
#[tokio::test]
async fn a_withdrawal_whose_fee_is_below_the_minimum_is_replaced_and_sent_once() {
    let waiting = Waiting::with(9, 2).await;
    assert_eq!(waiting.world.stored("status").await, [Some("NEW".into())]);
    waiting.wait().await;
    assert_eq!(waiting.market.all().len(), 2);
    assert_eq!(waiting.world.stored("status").await, [Some("NEW".into())], "no network has it");
    waiting.wait().await;
    assert_eq!(waiting.world.stored("status").await, [Some("COMPLETED".into())]);
    waiting.check(&waiting.shown().await, 2, &[2]);
    waiting.is_paid_once().await;
    waiting.mine().await;
    waiting.run().await;
    waiting.check(&waiting.shown().await, 2, &[2]);
    waiting.is_paid_once().await;
}

/// A miner had the first from elsewhere: the network refuses the replacement for good, and the payout was sent.
#[tokio::test]
async fn a_withdrawal_that_a_miner_took_before_its_replacement_is_not_refused() {
    let waiting = Waiting::with(9, 2).await;
    waiting.wait().await;
    let first = waiting.market.all()[0].clone();
    waiting.market.inner.broadcast(&first).await.unwrap();
    waiting.mine().await;
    waiting.run().await;
    assert_eq!(waiting.world.stored("status").await, [Some("COMPLETED".into())]);
    waiting.check(&waiting.shown().await, 0, &[0]);
    waiting.is_paid_once().await;
}

#[tokio::test]
async fn a_silent_network_gets_no_replacement() {
    let waiting = Waiting::new(9).await;
    *waiting.market.is_silent.lock().unwrap() = true;
    waiting.wait().await;
    waiting.wait().await;
    assert_eq!(waiting.market.all().len(), 1);
    *waiting.market.is_silent.lock().unwrap() = false;
    waiting.wait().await;
    assert_eq!(waiting.market.all().len(), 2);
    waiting.is_paid_once().await;
}

#[tokio::test]
async fn a_fee_at_its_maximum_is_reported() {
    let waiting = Waiting::new(1).await;
    waiting.wait().await;
    assert_eq!((waiting.capped().await.as_str(), waiting.market.all().len()), ("0", 2));
    waiting.wait().await;
    assert_eq!((waiting.capped().await.as_str(), waiting.market.all().len()), ("1", 2));
    waiting.world.mine("ETH").await;
    waiting.run().await;
    assert_eq!(waiting.capped().await, "0");
    waiting.is_paid_once().await;
}
