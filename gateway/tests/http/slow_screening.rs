//! A slow or silent screening delays only the addresses in question.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use checkout_core::{Amount, Network, pair};
use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::chain::screening::Decision;
use checkout_domain::ports::screening::{Screened, Screening, ScreeningError};
use checkout_gateway::adapters::screening_timeout::ScreeningTimeout;
use checkout_gateway::service::App;
use checkout_gateway::service::payouts::pay_out;
use checkout_gateway::service::transfers::record_transfers;
use checkout_gateway::service::transfers::screen_deposits::{self, decide};
use checkout_gateway::workers::start as start_background;
use checkout_simulator::requests::TransferRequest;
use checkout_test_support::patience;
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use super::World;
use super::flagged::{BITCOIN, the_deposit};

const SHADY: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const FINE: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

/// Never answers about two addresses; answers about others like the sandbox.
struct Hanging(Arc<dyn Screening>);

#[async_trait]
impl Screening for Hanging {
    async fn screen(&self, network: Network, address: &str) -> Result<Screened, ScreeningError> {
        if [BITCOIN, SHADY].contains(&address) {
            std::future::pending::<()>().await;
        }
        self.0.screen(network, address).await
    }
}

/// The screening's time limit: long enough for an answer on a busy machine, and short for a caller that gets none.
const A_MOMENT: Duration = Duration::from_secs(1);

impl World {
    fn with_screening(&self, screening: impl Screening + 'static) -> Arc<App> {
        Arc::new(App { screening: Arc::new(screening), ..(*self.app).clone() })
    }

    /// Sends the amount due, without making the gateway read the chain.
    async fn send_unseen(&self, id: &str, from: &str) {
        let payment = self.payment(id).await;
        let text = |name: &str| payment[name].as_str().unwrap();
        let network = text("expectedNetwork").parse().unwrap();
        let pair = pair::find(text("depositCurrency").parse().unwrap(), network).unwrap();
        let amount = Amount::parse(text("expectedDepositAmount"), pair.decimals).unwrap();
        let (address, from) = (text("walletAddress").to_owned(), Some(from.to_owned()));
        let request = TransferRequest {
            pair,
            address,
            tag: None,
            amount,
            from,
            from_tag: None,
            replaceable: false,
            transaction: None,
            sender: None,
        };
        let simulation = &self.simulated.simulator;
        simulation.send(&request, self.app.clock.now(), self.app.random()).await.unwrap();
    }

    async fn named(&self, name: &str, currency: &str) -> String {
        self.quoted(json!({"clientPaymentId": name}), currency, currency).await.0
    }

    async fn wait_for(&self, id: &str, status: &str) {
        let started = Instant::now();
        while self.payment(id).await["status"] != status {
            assert!(started.elapsed() < patience(), "it is not {status}: {:#}", self.payment(id).await);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[track_caller]
fn check(have: &[Option<String>], expected: &[&str]) {
    let have: Vec<&str> = have.iter().map(|text| text.as_deref().unwrap()).collect();
    assert_eq!(have, expected);
}

/// Of two deposits and of two withdrawals, one never gets an answer. The others do not wait.
#[tokio::test]
async fn an_unanswered_screening_does_not_delay_others() {
    let world = World::rich().await;
    let inner = Hanging(Arc::clone(&world.app.screening));
    let app = world.with_screening(ScreeningTimeout::new(Arc::new(inner), A_MOMENT));
    let (hangs, waits) = (world.named("hangs", "BTC").await, world.named("waits", "BTC").await);
    world.send_unseen(&hangs, BITCOIN).await;
    world.send_unseen(&waits, "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2").await;
    record_transfers::catch_up(&app, Network::Btc).await.unwrap();
    assert_eq!(world.app.store.held_deposits().await.unwrap().unscreened, 2);
    // The deposit with the lower id comes first, and the other at most one round later.
    let moved =
        screen_deposits::ask_again(&app).await.unwrap() + screen_deposits::ask_again(&app).await.unwrap();
    assert_eq!((moved, world.app.store.held_deposits().await.unwrap().unscreened), (1, 1));
    world.mine("BTC").await;
    assert_eq!(world.payment(&waits).await["status"], "DEPOSITED");
    assert_eq!(world.payment(&hangs).await["status"], "AWAITING");

    for (name, recipient) in [("shady", SHADY), ("fine", FINE)] {
        world.withdraw(json!({"clientWithdrawalId": name, "recipientAddress": recipient})).await;
        world.advance(1).await;
    }
    assert_eq!(pay_out::run(&app).await.unwrap() + pay_out::run(&app).await.unwrap(), 1);
    check(&world.stored("status").await, &["NEW", "COMPLETED"]);
}

/// Background work during a hanging screening: deposits on other chains, decisions, payouts and shutdown
/// continue.
#[tokio::test]
async fn a_hanging_screening_blocks_nothing_else() {
    let world = World::rich().await;
    world.flag("ETH", FINE, true).await;
    let released = world.named("released", "ETH").await;
    let amount = world.payment(&released).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay_from(&released, &amount, FINE).await;
    world.mine("ETH").await;
    world.withdraw(json!({"clientWithdrawalId": "passed"})).await;
    pay_out::screen(&world.app).await.unwrap();
    world.advance(1).await;
    world.withdraw(json!({"clientWithdrawalId": "hangs", "recipientAddress": SHADY})).await;
    let (hangs, other) = (world.named("hangs", "BTC").await, world.named("other", "LTC").await);
    world.send_unseen(&hangs, BITCOIN).await;

    let app = world.with_screening(Hanging(Arc::clone(&world.app.screening)));
    let (stop, stopped) = watch::channel(false);
    let tasks = start_background(&app, &stopped);
    let started = Instant::now();
    let ends = [Some("COMPLETED".to_owned()), Some("NEW".to_owned())];
    while world.stored("status").await != ends {
        assert!(started.elapsed() < patience(), "{:?}", world.stored("status").await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    world.send_unseen(&other, "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9").await;
    world.wait_for(&other, "AWAITING").await;
    let deposit = the_deposit(&world.payment(&released).await);
    decide(&world.database, deposit, Decision::Release).await.unwrap();
    world.wait_for(&released, "DEPOSITED").await;
    assert_eq!(world.payment(&hangs).await["deposits"], json!([]), "its screening is still pending");
    stop.send(true).unwrap();
    let ended = async {
        for task in tasks {
            task.abort();
            let _ = task.await;
        }
    };
    tokio::time::timeout(patience(), ended).await.expect("it ends");
}

/// Answers when the test allows it.
struct Slow {
    asked: Notify,
    answer: Notify,
    blocked: bool,
}

/// The gateway's handle to the test's screening.
struct Waiting(Arc<Slow>);

#[async_trait]
impl Screening for Waiting {
    async fn screen(&self, _: Network, _: &str) -> Result<Screened, ScreeningError> {
        self.0.asked.notify_one();
        self.0.answer.notified().await;
        let owner = AddressOwner { name: "Late".to_owned(), category: "LATE".to_owned() };
        Ok(Screened { owner, blocked: self.0.blocked })
    }
}

/// A late answer does not change work that another gateway completed.
#[tokio::test]
async fn a_late_answer_does_not_change_completed_work() {
    for blocked in [false, true] {
        let world = World::rich().await;
        let slow = Arc::new(Slow { asked: Notify::new(), answer: Notify::new(), blocked });
        let app = world.with_screening(Waiting(Arc::clone(&slow)));
        world.withdraw(json!({})).await;
        let late = tokio::spawn(async move { pay_out::run(&app).await });
        slow.asked.notified().await;
        assert_eq!(pay_out::run(&world.app).await.unwrap(), 1);
        slow.answer.notify_one();
        assert_eq!(late.await.unwrap().unwrap(), 0);
        check(&world.stored("status").await, &["COMPLETED"]);
        check(&world.stored("owner_name").await, &["Unknown"]);
        assert_eq!(world.sent().await.len(), 1);

        let app = world.with_screening(Waiting(Arc::clone(&slow)));
        let id = world.named("order-2", "BTC").await;
        world.send_unseen(&id, BITCOIN).await;
        let late = tokio::spawn(async move { record_transfers::catch_up(&app, Network::Btc).await });
        slow.asked.notified().await;
        world.mine("BTC").await;
        slow.answer.notify_one();
        late.await.unwrap().unwrap();
        let payment: Value = world.payment(&id).await;
        assert_eq!(
            (&payment["status"], payment["deposits"].as_array().unwrap().len()),
            (&json!("DEPOSITED"), 1)
        );
    }
}
