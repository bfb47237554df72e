//! A payout is compared with the chain after a restore, while another gateway or an operator decides about it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_core::address::Address;
use checkout_domain::chain::payout::hold::{Hold, HoldDecision};
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ports::broadcaster::{Broadcaster, Known, SentBefore, Unsent};
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_domain::ports::screening::{Screened, Screening, ScreeningError};
use checkout_gateway::service::App;
use checkout_gateway::service::payouts::decide_hold::{self, HoldDecided};
use checkout_gateway::service::payouts::pay_out;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use checkout_storage::Database;
use serde_json::json;
use tokio::sync::Barrier;

use super::World;

/// What the gateways of a test hear and do while they ask the chain for what was sent before.
enum Question {
    /// Two ask at the same time, and the server of one lags: it does not have the transaction.
    Twice { both: Barrier, first: Heard },
    /// An operator decides meanwhile.
    Decided { decision: HoldDecision, answer: SentBefore },
}

/// The answer that is stored first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heard {
    Perhaps,
    No,
}

struct Asked {
    inner: SimulatedBroadcaster,
    database: Database,
    question: Question,
    questions: AtomicUsize,
}

impl Asked {
    async fn until(&self, payout: &Payout, is_stored: impl Fn(&Hold) -> bool) {
        while !is_stored(&self.database.payout(payout.id).await.unwrap().unwrap().hold) {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

#[async_trait]
impl Broadcaster for Asked {
    fn network(&self) -> Network {
        self.inner.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.inner.is_own(account).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        if let Question::Twice { first: Heard::No, .. } = self.question {
            self.until(payout, |hold| matches!(hold, Hold::Held { .. })).await;
        }
        self.inner.sign(payout).await
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.inner.broadcast(signed).await
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.inner.known(transaction_id).await
    }

    async fn sent_before(&self, payout: &Payout) -> Result<SentBefore, Unsent> {
        let is_first = self.questions.fetch_add(1, Ordering::SeqCst) == 0;
        match &self.question {
            Question::Twice { both, first } => {
                both.wait().await;
                match (is_first, first) {
                    (true, Heard::No) => self.until(payout, Hold::is_free).await,
                    (false, Heard::Perhaps) => {
                        self.until(payout, |hold| matches!(hold, Hold::Held { .. })).await;
                    }
                    (true, Heard::Perhaps) | (false, Heard::No) => {}
                }
                let lost = || SentBefore::Perhaps(vec!["0xlost".to_owned()]);
                Ok(if is_first { lost() } else { SentBefore::No })
            }
            Question::Decided { decision, answer } => {
                if is_first {
                    let decided =
                        decide_hold::decide(&self.database, payout.id, decision, true).await.unwrap();
                    assert_eq!(decided, HoldDecided::Done);
                }
                Ok(answer.clone())
            }
        }
    }
}

/// A withdrawal of a restored database, and its gateway.
async fn restored(question: Question) -> (World, App) {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    assert_eq!(world.restored().await, 1);
    let (inner, database) =
        (SimulatedBroadcaster::new(Network::Eth, world.database.clone()), world.database.clone());
    let mut broadcasters: BTreeMap<_, Arc<dyn Broadcaster>> = BTreeMap::new();
    let asked = Asked { inner, database, question, questions: AtomicUsize::new(0) };
    broadcasters.insert(Network::Eth, Arc::new(asked));
    let app = App { broadcasters, ..(*world.app).clone() };
    (world, app)
}

/// One server has the transaction of the lost gateway, the other one does not: it may have been sent.
#[tokio::test]
async fn of_two_gateways_the_one_that_doubts_decides() {
    for first in [Heard::Perhaps, Heard::No] {
        let (world, app) = restored(Question::Twice { both: Barrier::new(2), first }).await;
        let (one, other) = tokio::join!(pay_out::run(&app), pay_out::run(&app));
        assert_eq!((one.unwrap(), other.unwrap()), (0, 0), "{first:?} first");
        assert_eq!(pay_out::run(&app).await.unwrap(), 0);
        let reasons = world.reasons().await;
        assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().ends_with("0xlost"), "{reasons:?}");
        assert!(world.sent().await.is_empty(), "{first:?} first");
        assert!(world.decide_payout(HoldDecision::Release).await);
        assert_eq!(pay_out::run(&world.app).await.unwrap(), 1);
        assert_eq!(world.sent().await.len(), 1);
    }
}

/// The question takes up to a minute. What an operator decides meanwhile counts, whatever the chain says.
#[tokio::test]
async fn the_decision_of_an_operator_counts_more_than_the_chain() {
    let answers = [SentBefore::No, SentBefore::Perhaps(vec!["0xlost".to_owned()])];
    for answer in answers {
        let decision = HoldDecision::Sent("0xby-hand".to_owned());
        let (world, app) = restored(Question::Decided { decision, answer: answer.clone() }).await;
        assert_eq!(pay_out::run(&app).await.unwrap(), 0, "{answer:?}");
        assert_eq!(pay_out::run(&app).await.unwrap(), 1, "{answer:?}");
        assert!(world.sent().await.is_empty(), "{answer:?}");
        assert_eq!(world.stored("status").await, [Some("COMPLETED".into())]);
        assert_eq!(world.stored("transaction_id").await, [Some("0xby-hand".into())]);

        let (world, app) = restored(Question::Decided { decision: HoldDecision::Release, answer }).await;
        for _ in 0..2 {
            pay_out::run(&app).await.unwrap();
        }
        assert_eq!((world.sent().await.len(), world.reasons().await.len()), (1, 0));
    }
}

/// Counts the questions.
struct Counted {
    inner: Arc<dyn Screening>,
    questions: Arc<AtomicUsize>,
}

#[async_trait]
impl Screening for Counted {
    async fn screen(&self, network: Network, address: &str) -> Result<Screened, ScreeningError> {
        self.questions.fetch_add(1, Ordering::SeqCst);
        self.inner.screen(network, address).await
    }
}

/// Each question costs, and the operator may need days.
#[tokio::test]
async fn a_withdrawal_that_is_held_is_screened_once_it_is_released() {
    let questions = Arc::<AtomicUsize>::default();
    let world = World::rich().await.with_app(|app| {
        let inner = Arc::clone(&app.screening);
        app.screening = Arc::new(Counted { inner, questions: Arc::clone(&questions) });
    });
    let made = world.withdraw(json!({})).await.json;
    let payout = world.database.open_payouts(None, None).await.unwrap().remove(0);
    let broadcaster = SimulatedBroadcaster::new(Network::Eth, world.database.clone());
    broadcaster.broadcast(&broadcaster.sign(&payout).await.unwrap()).await.unwrap();
    world.restored().await;
    pay_out::run(&world.app).await.unwrap();
    assert_eq!((world.reasons().await.len(), questions.load(Ordering::SeqCst)), (1, 1));
    let flags = json!({"network": "ETH", "address": made["recipientAddress"], "flagged": true});
    world.sandbox("flags", flags).await;
    world.advance(86_401).await;
    for _ in 0..3 {
        pay_out::run(&world.app).await.unwrap();
    }
    assert_eq!(questions.load(Ordering::SeqCst), 1, "nobody decided yet");
    assert!(world.decide_payout(HoldDecision::Release).await);
    for _ in 0..3 {
        pay_out::run(&world.app).await.unwrap();
    }
    assert_eq!((world.sent().await.len(), questions.load(Ordering::SeqCst)), (1, 2));
    assert_eq!(world.stored("status").await, [Some("BLOCKED".into())]);
}
