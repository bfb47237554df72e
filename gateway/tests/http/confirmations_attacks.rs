//! Whoever wants to lose a large deposit after one block, and whose large deposit would wait for ever.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::ports::{Chain, ChainError, Changes};
use checkout_gateway::service::transfers::record_transfers::catch_up;
use checkout_storage::query;
use serde_json::{Value, json};

use super::confirmations_by_amount::{change, check, paid, shown, world};
use super::shown_quotes::{send_part, shown as quote};
use crate::fixture::Look as _;

/// Answers nothing about the confirmations of one transaction.
struct OddChain {
    chain: Arc<dyn Chain>,
    odd: String,
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
        if output.transaction == self.odd {
            return Err("the wallet does not have it".to_owned().into());
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

#[tokio::test]
async fn a_deposit_that_its_node_cannot_tell_about_delays_no_other() {
    let mut world = world(Settings::default()).await;
    let (odd, transaction) = paid(&world, "odd", "2000.00", "BTC").await;
    let (other, _) = paid(&world, "other", "2000.00", "BTC").await;
    change(&mut world, |app| {
        let chain = Arc::clone(&app.chains[&Network::Btc]);
        app.chains.insert(Network::Btc, Arc::new(OddChain { chain, odd: transaction }));
    });
    for _ in 0..3 {
        world.mine("BTC").await;
    }
    assert_eq!(world.payment(&odd).await["status"], "AWAITING");
    check(&shown(&world, &other).await, "DEPOSITED", Some((3, 3)), "the other");
}

fn required(payment: &Value) -> Vec<Option<u64>> {
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
