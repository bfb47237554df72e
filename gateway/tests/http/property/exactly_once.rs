//! Compares deposits with a chain whose blocks leave it, whose transactions are executed again with other transfers, and whose servers
//! number these differently, leave some out and set some aside.

mod node;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkout_domain::chain::OutputState;
use checkout_domain::chain::set_aside::pause;
use checkout_domain::ids::PaymentId;
use checkout_gateway::service::App;
use checkout_gateway::service::transfers::record_transfers;
use parking_lot::Mutex;
use serde_json::json;

use self::node::{CURRENCY, Move, NETWORK, Node, SENDERS};
use super::setting;
use super::steps::Dice;
use crate::World;

struct Stage {
    world: World,
    payments: Vec<PaymentId>,
    addresses: Vec<String>,
}

impl Stage {
    async fn set() -> Self {
        let (world, mut payments, mut addresses) = (World::new().await, Vec::new(), Vec::new());
        for order in ["one", "two"] {
            let (id, _) =
                world.quoted(json!({"clientPaymentId": order}), CURRENCY.code(), NETWORK.code()).await;
            addresses.push(world.payment(&id).await["walletAddress"].as_str().unwrap().to_owned());
            payments.push(id.parse().unwrap());
        }
        Self { world, payments, addresses }
    }

    /// Each scene has a transaction of its own.
    async fn play(&self, seed: u64) {
        let (addresses, dice) = (self.addresses.clone(), &mut Dice::new(seed));
        let node = Arc::new(Node { seed, addresses, block: Mutex::default() });
        let mut app = App::clone(&self.world.app);
        app.chains.insert(NETWORK, Arc::clone(&node) as _);
        self.put_cursor(&(0, Vec::new())).await;
        for step in 0..12 + dice.roll(12) {
            node.block.lock().server = dice.roll(100);
            match if step == 0 { 0 } else { dice.roll(10) } {
                0..=1 => node.reorganise(dice),
                2 => {
                    let mut block = node.block.lock();
                    (block.is_deep, block.is_final) = (block.is_final, true);
                }
                3..=4 => {}
                // A rescan.
                5..=6 => {
                    let cursor = app.store.cursor(NETWORK).await.unwrap().unwrap();
                    let (_, held): node::Cursor = serde_json::from_str(&cursor).unwrap();
                    self.put_cursor(&(0, held)).await;
                }
                _ => {
                    self.world.advance(pause(0).unwrap()).await;
                    record_transfers::read_again(&app, NETWORK).await.unwrap();
                }
            }
            if dice.roll(3) == 0 {
                continue; // The next step comes before it is read.
            }
            let read = record_transfers::catch_up(&app, NETWORK).await;
            assert!(read.is_ok(), "seed {seed}, step {step}: {read:?}");
            assert_eq!(self.credited(seed).await, node.told(), "seed {seed}, step {step}");
        }
    }

    async fn put_cursor(&self, cursor: &node::Cursor) {
        let mut tx = self.world.app.store.begin().await.unwrap();
        tx.put_cursor(NETWORK, &serde_json::to_string(cursor).unwrap()).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// How many deposits there are of a move and a state.
    async fn credited(&self, seed: u64) -> BTreeMap<(Move, bool), usize> {
        let (mut all, own) = (BTreeMap::new(), node::transaction(seed));
        for (payee, payment) in self.payments.iter().enumerate() {
            let payment = self.world.app.store.payment(*payment).await.unwrap().unwrap();
            let there = payment.deposits.iter().filter(|one| one.state != OutputState::Vanished);
            for deposit in there.filter(|one| one.output.transaction == own) {
                let sender = SENDERS.iter().position(|sender| *sender == deposit.from).unwrap();
                *all.entry(((payee, sender), deposit.is_confirmed())).or_default() += 1;
            }
        }
        all
    }
}

#[tokio::test]
async fn what_is_on_the_chain_is_credited_once() {
    let first = setting("CHECKOUT_FIRST_SEED").unwrap_or(1);
    let time = setting("CHECKOUT_SECONDS").map(Duration::from_secs);
    let (mut stage, started) = (Stage::set().await, Instant::now());
    let seeds = first..first + setting("CHECKOUT_SEEDS").unwrap_or(120);
    for seed in seeds.take_while(|_| time.is_none_or(|time| started.elapsed() < time)) {
        if seed % 20 == 0 {
            stage = Stage::set().await;
        }
        stage.play(seed).await;
    }
}
