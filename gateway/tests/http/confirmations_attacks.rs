//! Whoever wants to lose a large deposit after one block, and whose large deposit would wait for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::screening::Decision;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::ports::chain::RateLimited;
use checkout_domain::ports::{Chain, ChainError, Changes};
use checkout_gateway::service::state::readiness;
use checkout_gateway::service::transfers::record_transfers::catch_up;
use checkout_gateway::service::transfers::value_deposits;
use checkout_storage::query;
use serde_json::{Value, json};

use super::World;
use super::confirmations_by_amount::{change, check, paid, shown, world};
use super::faults::Stale;
use super::flagged::{BITCOIN, the_deposit};
use super::shown_quotes::{send_part, shown as quote};
use crate::fixture::Look as _;

/// Answers nothing about the confirmations of one transaction.
struct OddChain {
    chain: Arc<dyn Chain>,
    odd: String,
    is_limit: bool,
    asked: Arc<AtomicUsize>,
}

#[async_trait]
impl Chain for OddChain {
    fn network(&self) -> Network {
        self.chain.network()
    }

    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        self.chain.changes(cursor).await
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if output.transaction == self.odd {
            let limit = || ChainError(Box::new(RateLimited("the plan is used up".to_owned())));
            let unknown = || "the wallet does not have it".to_owned().into();
            return Err(if self.is_limit { limit() } else { unknown() });
        }
        self.chain.confirmations(output).await
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.chain.tip().await
    }

    async fn health(&self) -> Vec<Check> {
        self.chain.health().await
    }
}

/// Its question is the last one that its source takes, or fails alone.
#[tokio::test]
async fn a_deposit_that_its_node_cannot_tell_about_delays_no_other() {
    for is_limit in [false, true] {
        let mut world = world(Settings::default()).await;
        let mut deposits = Vec::new();
        for order in ["one", "other"] {
            deposits.push(paid(&world, order, "2000.00", "BTC").await);
        }
        // Transactions are asked for in the order of their ids.
        deposits.sort_by_key(|(_, transaction)| transaction.clone());
        if is_limit {
            deposits.reverse();
        }
        let [(odd, transaction), (other, _)] = <[_; 2]>::try_from(deposits).unwrap();
        change(&mut world, |app| {
            let chain = Arc::clone(&app.chains[&Network::Btc]);
            let odd = OddChain { chain, odd: transaction, is_limit, asked: Arc::default() };
            app.chains.insert(Network::Btc, Arc::new(odd));
        });
        for _ in 0..3 {
            world.mine("BTC").await;
        }
        assert_eq!(world.payment(&odd).await["status"], "AWAITING");
        check(&shown(&world, &other).await, "DEPOSITED", Some((3, 3)), "the other");
    }
}

/// Its node was set up anew, and its wallet does not have it. An operator sees that a day after it came.
#[tokio::test]
async fn a_large_deposit_that_its_node_never_knows_again_is_listed() {
    let mut world = world(Settings::default()).await;
    let (id, transaction) = paid(&world, "order-1", "2000.00", "BTC").await;
    let before = Arc::clone(&world.app);
    change(&mut world, |app| {
        let (chain, odd, asked) =
            (Arc::clone(&app.chains[&Network::Btc]), transaction.clone(), Arc::default());
        app.chains.insert(Network::Btc, Arc::new(OddChain { chain, odd, is_limit: false, asked }));
    });
    let listed = async |world: &World| {
        world.mine("BTC").await;
        world.mine("BTC").await;
        let listed = world.app.store.set_aside(9).await.unwrap();
        listed.into_iter().map(|record| record.entry.transaction).collect::<Vec<_>>()
    };
    assert_eq!(listed(&world).await, [] as [&str; 0], "it can be known in a moment");
    world.advance(86_400).await;
    assert_eq!(listed(&world).await, [transaction.as_str()]);
    let sentence = readiness::unread(&world.app).await.unwrap().remove(0);
    assert!(sentence.contains("BTC: 1 entry") && sentence.contains("does not know a deposit"), "{sentence}");
    change(&mut world, |app| app.chains = before.chains.clone());
    assert_eq!(listed(&world).await, [] as [&str; 0], "it is known again");
    check(&shown(&world, &id).await, "DEPOSITED", Some((3, 3)), "and has its confirmations");
}

pub(super) fn required(payment: &Value) -> Vec<Option<u64>> {
    let deposits = payment["deposits"].as_array().unwrap();
    deposits.iter().map(|deposit| deposit["requiredConfirmations"].as_u64()).collect()
}

/// Nobody saw them before their block.
#[tokio::test]
async fn parts_that_are_first_seen_in_one_block_wait_like_the_whole() {
    let world = world(Settings::default()).await;
    let (id, _) = world.quoted(json!({"displayAmount": "2000.00"}), "BTC", "BTC").await;
    let to = quote(&world.payment(&id).await);
    for amount in ["0.00833334", "0.00833334", "0.00833334", "0.00833332"] {
        send_part(&world, &to, amount, super::START).await;
    }
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!(required(&payment), [None, None, Some(3), Some(3)]);
    assert_eq!(payment["status"], "AWAITING");
}

#[tokio::test]
async fn many_parts_wait_like_the_whole() {
    for kind in ["ONE_TIME", "REUSABLE"] {
        for is_seen in [true, false] {
            let world = world(Settings::default()).await;
            let fields = json!({"displayAmount": "9000.00", "type": kind});
            let (id, _) = world.quoted(fields, "BTC", "BTC").await;
            let to = quote(&world.payment(&id).await);
            for _ in 0..12 {
                if is_seen {
                    world.pay(&id, "0.00833334").await;
                } else {
                    send_part(&world, &to, "0.00833334", super::START).await;
                }
            }
            world.mine("BTC").await;
            let payment = world.payment(&id).await;
            let expected = [vec![None; 2], vec![Some(3); 10]].concat();
            assert_eq!(required(&payment), expected, "{kind}, seen before its block: {is_seen}");
        }
    }
}

/// A block can have more of them than are stored in one change.
#[tokio::test]
async fn more_parts_than_one_change_takes_wait_like_the_whole() {
    let world = world(Settings::default()).await;
    let (id, _) = world.quoted(json!({"displayAmount": "9000.00"}), "BTC", "BTC").await;
    let to = quote(&world.payment(&id).await);
    for _ in 0..62 {
        // 33 EUR.
        send_part(&world, &to, "0.00055", super::START).await;
    }
    world.mine("BTC").await;
    assert_eq!(required(&world.payment(&id).await), [vec![None; 30], vec![Some(3); 32]].concat());
}

/// The block that has a part which was seen has another one that was not.
#[tokio::test]
async fn a_part_that_was_seen_and_one_that_was_not_wait_like_the_whole() {
    let world = world(Settings::default()).await;
    let (id, _) = world.quoted(json!({"displayAmount": "9000.00"}), "BTC", "BTC").await;
    let to = quote(&world.payment(&id).await);
    world.pay(&id, "0.015").await;
    send_part(&world, &to, "0.015", super::START).await;
    world.mine("BTC").await;
    assert_eq!(required(&world.payment(&id).await), [None, Some(3)]);
}

/// A gateway of before stored other sums with a payment.
#[tokio::test]
async fn the_sums_of_an_earlier_version_are_made_anew() {
    let world = world(Settings::default()).await;
    let fields = json!({"displayAmount": "9000.00", "type": "REUSABLE"});
    let (id, _) = world.quoted(fields, "BTC", "BTC").await;
    for _ in 0..3 {
        world.pay(&id, "0.00833334").await;
    }
    let stored = world.database.texts("SELECT sums FROM deposit_sums").await;
    let mut sums: Value = serde_json::from_str(stored[0][0].as_ref().unwrap()).unwrap();
    assert!(sums.as_object_mut().unwrap().remove("awaited").is_some(), "{sums:#}");
    let put = query("UPDATE deposit_sums SET sums = $1").bind(sums.to_string());
    world.database.apply(put).await.unwrap();
    world.pay(&id, "0.00833334").await;
    assert_eq!(required(&world.payment(&id).await), [None, None, Some(3), Some(3)]);
}

/// What was confirmed is no part of what can be lost at once, and what left does not count.
#[tokio::test]
async fn a_small_deposit_after_confirmed_ones_needs_no_more() {
    let world = world(Settings::default()).await;
    let fields = json!({"displayAmount": "9000.00", "type": "REUSABLE"});
    let (id, _) = world.quoted(fields, "BTC", "BTC").await;
    for _ in 0..6 {
        let left = world.pay(&id, "0.01").await;
        world.sandbox("drops", json!({"transactionId": left})).await;
        world.pay(&id, "0.01").await;
        world.mine("BTC").await;
    }
    assert_eq!(required(&world.payment(&id).await), [None; 6]);
}

/// The node tells of the new transaction before it tells that the old one cannot come any more.
#[tokio::test]
async fn a_payer_who_raises_the_fee_of_a_small_deposit_waits_no_longer() {
    let world = world(Settings::default()).await;
    let (id, old) = paid(&world, "order-1", "900.00", "BTC").await;
    let to = quote(&world.payment(&id).await);
    send_part(&world, &to, &to.amount, super::START).await;
    world.simulated.simulator.drop_transfer(&old).await.unwrap();
    catch_up(&world.app, Network::Btc).await.unwrap();
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!((&payment["status"], required(&payment).last().unwrap()), (&json!("DEPOSITED"), &None));
}

/// The window ends between two blocks, and the gateway is killed after each.
#[tokio::test]
async fn an_order_does_not_expire_while_its_deposit_is_counted() {
    let mut world = world(Settings::default()).await;
    let (id, _) = paid(&world, "order-1", "2000.00", "BTC").await;
    for block in 1..=3 {
        world.mine("BTC").await;
        world.advance(86_400).await;
        let status = if block < 3 { "AWAITING" } else { "DEPOSITED" };
        check(&shown(&world, &id).await, status, Some((block, 3)), "a day later");
        let policy = world.app.policy.clone();
        world = world.restart().await;
        change(&mut world, |app| app.policy = policy);
    }
}

/// Nothing was read between the blocks.
#[tokio::test]
async fn a_deposit_that_moved_to_another_block_is_counted_from_there() {
    let world = world(Settings::default()).await;
    let (id, _) = paid(&world, "order-1", "2000.00", "BTC").await;
    world.mine("BTC").await;
    world.mine("BTC").await;
    world.simulated.simulator.reorganise(Network::Btc, 2).await.unwrap();
    world.mine("BTC").await;
    check(&shown(&world, &id).await, "AWAITING", Some((1, 3)), "the last block has it");
}

/// It was paid, and nothing was read while a reorganisation moved it.
#[tokio::test]
async fn a_paid_deposit_that_moved_to_another_block_is_counted_from_there() {
    for (price, status, counted) in [("2000.00", "AWAITING", Some((1, 3))), ("900.00", "DEPOSITED", None)] {
        let world = world(Settings::default()).await;
        let (id, _) = paid(&world, "order-1", price, "BTC").await;
        for _ in 0..3 {
            world.mine("BTC").await;
        }
        assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
        world.simulated.simulator.reorganise(Network::Btc, 3).await.unwrap();
        world.mine("BTC").await;
        check(&shown(&world, &id).await, status, counted, "the last block has it");
        world.mine("BTC").await;
        world.mine("BTC").await;
        assert_eq!(world.payment(&id).await["status"], "DEPOSITED", "{price}");
    }
}

/// Each question costs a request, and each change of a payment reads all its deposits.
#[tokio::test]
async fn a_transaction_with_many_outputs_is_asked_for_once_a_block() {
    let mut world = world(Settings::default()).await;
    let (id, _) = world.quoted(json!({"displayAmount": "9000.00"}), "BTC", "BTC").await;
    let to = quote(&world.payment(&id).await);
    for _ in 0..20 {
        send_part(&world, &to, "0.00833334", super::START).await;
    }
    let asked = Arc::<AtomicUsize>::default();
    change(&mut world, |app| {
        let chain = Arc::clone(&app.chains[&Network::Btc]);
        app.chains.insert(
            Network::Btc,
            Arc::new(OddChain { chain, odd: String::new(), is_limit: false, asked: Arc::clone(&asked) }),
        );
    });
    for block in 1..=3 {
        world.mine("BTC").await;
        assert_eq!(asked.load(Ordering::Relaxed), block);
    }
    assert_eq!(world.payment(&id).await["status"], "OVERPAID");
}

#[tokio::test]
async fn a_large_deposit_that_is_held_or_has_no_value_is_counted_too() {
    for is_flagged in [true, false] {
        let mut world = world(Settings::default()).await;
        let (id, _) = world.quoted(json!({"displayAmount": "2000.00"}), "BTC", "BTC").await;
        let before = Arc::clone(&world.app);
        if is_flagged {
            world.flag("BTC", BITCOIN, true).await;
        } else {
            change(&mut world, |app| app.rates = Arc::new(Stale));
        }
        world.pay_from(&id, "0.03333334", BITCOIN).await;
        let required = if is_flagged { 3 } else { 6 };
        for block in 1..required {
            world.mine("BTC").await;
            assert_eq!(world.payment(&id).await["status"], "AWAITING", "{block}");
        }
        if is_flagged {
            let held = world.payment(&id).await;
            world.decide(the_deposit(&held), Decision::Release).await;
        } else {
            change(&mut world, |app| app.rates = Arc::clone(&before.rates));
            value_deposits::run(&world.app).await.unwrap();
        }
        World::check_balances(&world.balances().await, &[]);
        check(&shown(&world, &id).await, "AWAITING", Some((required - 1, required)), "released, or valued");
        world.mine("BTC").await;
        check(&shown(&world, &id).await, "DEPOSITED", Some((required, required)), "enough");
    }
}
