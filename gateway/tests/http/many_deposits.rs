//! Many small deposits to one payment, each read by itself, and many quotes.

use std::collections::BTreeMap;

use checkout_domain::chain::screening::Decision;
use checkout_gateway::service::transfers::screen_deposits::{self, decide};
use checkout_storage::query;
use serde_json::{Value, json};

use super::World;
use super::flagged::BITCOIN;
use crate::fixture::Look as _;

/// Status, sum, the deposits' amounts and states in order, and balances.
type Outcome = (Value, Value, Vec<(Value, Value)>, BTreeMap<String, String>);

/// Deposits, blocks, a flagged sender whose deposit is released, and a reorganisation. A gateway that `forgets` starts
/// anew after each step.
async fn story(forgets: bool) -> Outcome {
    let mut world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    for step in 0..48 {
        world.pay(&id, "0.00002").await;
        if step % 4 == 3 {
            world.mine("BTC").await;
        }
        if step == 29 {
            world.flag("BTC", BITCOIN, true).await;
            world.pay_from(&id, "0.00003", BITCOIN).await;
            world.mine("BTC").await;
            // Others pay from the same address.
            world.flag("BTC", BITCOIN, false).await;
        }
        if step == 34 {
            let held = world.payment(&id).await;
            let held = held["deposits"]
                .as_array()
                .unwrap()
                .iter()
                .find(|one| one["depositAmount"] == "0.00003")
                .cloned();
            let held = held.expect("it is shown")["id"].as_str().unwrap().parse().unwrap();
            decide(&world.database, held, Decision::Release).await.unwrap();
            screen_deposits::run(&world.app).await.unwrap();
        }
        if step == 40 {
            world.sandbox("reorgs", json!({"network": "BTC", "depth": 2})).await;
        }
        if forgets {
            world = world.restart().await;
        }
    }
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    let deposits = payment["deposits"].as_array().unwrap();
    let deposits = deposits.iter().map(|one| (one["depositAmount"].clone(), one["status"].clone())).collect();
    (payment["status"].clone(), payment["actualDepositAmount"].clone(), deposits, world.balances().await)
}

#[tokio::test]
async fn what_happens_between_many_small_deposits_is_not_forgotten() {
    let (kept, forgotten) = (story(false).await, story(true).await);
    assert_eq!(kept, forgotten);
    assert_eq!(kept.2.len(), 49);
    assert_eq!(kept.1, "0.00099");
}

/// The others are unreadable, so that reading one fails.
#[tokio::test]
async fn one_more_deposit_is_added_without_reading_the_others() {
    for kind in ["ONE_TIME", "REUSABLE"] {
        let world = World::new().await;
        let (id, _) = world.quoted(json!({"type": kind}), "BTC", "BTC").await;
        for _ in 0..30 {
            world.pay(&id, "0.00002").await;
        }
        world.mine("BTC").await;
        let payment = world.payment(&id).await;
        let body = json!({"network": "BTC", "currency": "BTC", "address": payment["walletAddress"], "amount": "0.00002"});
        let set_rate = async |rate: &str| {
            let set = query("UPDATE deposits SET uniform_rate = $1").bind(rate);
            world.database.apply(set).await.unwrap();
        };
        set_rate("unreadable").await;
        world.sandbox("transfers", body.clone()).await;
        world.mine("BTC").await;
        set_rate("60000").await;
        let payment = world.payment(&id).await;
        let confirmed =
            payment["deposits"].as_array().unwrap().iter().filter(|one| one["status"] == "CONFIRMED");
        assert_eq!(confirmed.count(), 31);
        assert_eq!(
            (&payment["actualDepositAmount"], &payment["actualDisplayAmount"]),
            (&json!("0.00062"), &json!("37.20"))
        );
        let status = if kind == "REUSABLE" { "DEPOSITED" } else { "AWAITING" };
        assert_eq!(payment["status"], status);
    }
}

/// A back end that asks for a quote on each page load makes hundreds. The earlier ones are unreadable, so that reading one fails.
#[tokio::test]
async fn a_floating_quote_is_made_without_reading_the_earlier_ones() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({"rateType": "FLOATING"}), "BTC", "BTC").await;
    let body = json!({"depositCurrency": "BTC", "network": "BTC"});
    let path = format!("/api/v1/payments/{id}");
    for _ in 0..20 {
        assert_eq!(world.patch(&path, &world.token, &body).await.status, 200);
    }
    world.database.apply(query("UPDATE quotes SET rate = 'unreadable' WHERE place < 20")).await.unwrap();
    for token in [&world.token, &session] {
        let answer = world.patch(&path, token, &body).await;
        assert_eq!(answer.status, 200, "{}", answer.json);
    }
    world.database.apply(query("UPDATE quotes SET rate = '60000' WHERE place < 20")).await.unwrap();
    assert_eq!(world.database.count("SELECT COUNT(*) FROM quotes").await, 23);
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, &amount).await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
}
