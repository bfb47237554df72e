//! A node that does not answer delays nothing on the other networks. The gateway's own workers run, in real time.

use checkout_domain::business::settings::Settings;
use std::collections::BTreeMap;
use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::ports::broadcaster::{Broadcaster, Known, SentBefore, Unsent};
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_domain::ports::{Chain, ChainError, Changes};
use checkout_gateway::service::App;
use checkout_gateway::service::payouts::pay_out;
use checkout_gateway::workers;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::World;
use crate::fixture::Look as _;
use crate::fixture::Place;

/// A payout leaves in the next round, a second later. A request to a silent node alone takes 20 seconds.
const AT_ONCE: Duration = Duration::from_secs(8);

const BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/// The question to which the node does not answer: its port is open, and nothing comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Silent {
    Sign,
    Broadcast,
    Known,
    SentBefore,
    /// Reading transfers, confirmations and health.
    Chain,
}

struct SilentNode {
    network: Network,
    inner: SimulatedBroadcaster,
    silent: Silent,
}

impl SilentNode {
    async fn answer(&self, question: Silent) {
        if self.silent == question {
            pending::<()>().await;
        }
    }
}

#[async_trait]
impl Broadcaster for SilentNode {
    fn network(&self) -> Network {
        self.network
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.inner.is_own(account).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        self.answer(Silent::Sign).await;
        self.inner.sign(payout).await
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.answer(Silent::Broadcast).await;
        self.inner.broadcast(signed).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.answer(Silent::Known).await;
        self.inner.known(transaction_id).await
    }

    async fn sent_before(&self, payout: &Payout) -> Result<SentBefore, Unsent> {
        self.answer(Silent::SentBefore).await;
        self.inner.sent_before(payout).await
    }
}

/// A chain that answers nothing.
pub(super) struct SilentChain(pub(super) Network);

#[async_trait]
impl Chain for SilentChain {
    fn network(&self) -> Network {
        self.0
    }

    async fn changes(&self, _: Option<&str>) -> Result<Changes, ChainError> {
        pending().await
    }

    async fn confirmations(&self, _: &OutputId) -> Result<u64, ChainError> {
        pending().await
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        pending().await
    }

    async fn health(&self) -> Vec<Check> {
        pending().await
    }
}

/// The gateway of a world with this node, and its workers.
struct Gateway {
    app: Arc<App>,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

impl Gateway {
    fn start(world: &World, network: Network, silent: Silent) -> Self {
        let mut app = App::clone(&world.app);
        if silent == Silent::Chain {
            app.chains.insert(network, Arc::new(SilentChain(network)));
        } else {
            let inner = SimulatedBroadcaster::new(network, world.database.clone());
            app.broadcasters.insert(network, Arc::new(SilentNode { network, inner, silent }));
        }
        let (stop, stopped) = watch::channel(false);
        let app = Arc::new(app);
        let tasks = workers::start(&app, &stopped);
        Self { app, stop, tasks }
    }

    /// Work that waits for a silent node is given up, as when the process ends.
    fn end(self) {
        self.stop.send(true).unwrap();
        self.tasks.into_iter().for_each(|task| task.abort());
    }
}

async fn states(world: &World) -> BTreeMap<String, String> {
    let rows = world.database.texts("SELECT to_address, state FROM payouts").await;
    rows.into_iter().map(|row| (row[0].clone().unwrap(), row[1].clone().unwrap())).collect()
}

fn eth(number: u8) -> (String, Value) {
    let address = format!("0x{number:040x}");
    let fields = json!({
        "clientWithdrawalId": format!("eth-{number}"), "recipientAddress": address, "targetAmount": "0.01",
    });
    (address, fields)
}

#[tokio::test]
async fn a_payout_leaves_at_once_while_the_node_of_another_network_hangs() {
    for silent in [Silent::Sign, Silent::Broadcast, Silent::Known, Silent::SentBefore, Silent::Chain] {
        let world = World::rich().await;
        world
            .withdraw(json!({
                "clientWithdrawalId": "btc", "recipientAddress": BTC, "network": "BTC", "withdrawCurrency": "BTC",
                "targetAmount": "0.001",
            }))
            .await;
        if silent == Silent::Known {
            pay_out::run(&world.app).await.unwrap();
        }
        if silent == Silent::SentBefore {
            let now = world.app.clock.now().to_string();
            let mut tx = world.app.store.begin().await.unwrap();
            tx.put_setting(checkout_domain::chain::payout::hold::RESTORED_AT, &now).await.unwrap();
            tx.commit().await.unwrap();
        }
        let gateway = Gateway::start(&world, Network::Btc, silent);
        // The silent node was asked.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let (address, fields) = eth(7);
        let made = world.withdraw(fields).await;
        assert_eq!(made.status.as_u16(), 201, "{}", made.json);
        let started = Instant::now();
        let is_on_its_way = |state: &str| !matches!(state, "WAITING" | "SIGNED");
        let mut seen = states(&world).await;
        while !is_on_its_way(&seen[&address]) {
            assert!(started.elapsed() < AT_ONCE, "{silent:?}: {seen:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
            seen = states(&world).await;
        }
        gateway.end();
    }
}

/// The refund of BTC waits until the ETH of the same payment is final, which its chain does not say.
#[tokio::test]
async fn a_refund_that_waits_for_another_chain_delays_no_payout_of_its_own() {
    let business =
        Settings { name: Some("Fair".to_owned()), refund_excess: Some(true), ..Default::default() };
    let world = World::in_world(Place::chosen(), Finality::default(), business).await;
    world.deposit("rich", "1000.00").await;
    world.sandbox("blocks", json!({"network": "BTC", "count": 5})).await;
    let (id, session) = world.quoted(json!({"rateType": "FLOATING"}), "BTC", "BTC").await;
    let address = world.payment(&id).await["walletAddress"].clone();
    let body = json!({"depositCurrency": "ETH", "network": "ETH"});
    let patched = world.patch(&format!("/api/v1/payments/{id}"), &session, &body).await;
    assert_eq!(patched.status.as_u16(), 200, "{}", patched.json);
    world.pay(&id, "0.01").await;
    world.sandbox("blocks", json!({"network": "ETH", "count": 1})).await;
    let transfer = json!({"network": "BTC", "currency": "BTC", "address": address, "amount": "0.01"});
    world.sandbox("transfers", transfer).await;
    world.sandbox("blocks", json!({"network": "BTC", "count": 10})).await;
    assert_eq!(
        world.database.open_payouts(Some(Network::Btc), None).await.unwrap().len(),
        1,
        "the refund waits"
    );
    let gateway = Gateway::start(&world, Network::Eth, Silent::Chain);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let started = Instant::now();
    for number in 0..3 {
        let fields = json!({
            "clientWithdrawalId": format!("btc-{number}"), "recipientAddress": BTC, "network": "BTC",
            "withdrawCurrency": "BTC", "targetAmount": "0.0005",
        });
        let made = world.withdraw(fields).await;
        assert_eq!(made.status.as_u16(), 201, "{}", made.json);
    }
    while world.stored("status").await.iter().any(|status| status.as_deref() != Some("COMPLETED")) {
        assert!(started.elapsed() < AT_ONCE, "{:?}", world.stored("status").await);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // It does not hold up anything later either, while the question is open.
    let (asked, started) = (&gateway.app, Instant::now());
    for _ in 0..3 {
        pay_out::send_on(asked, Network::Btc).await.unwrap();
    }
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    gateway.end();
}
