//! Many small deposits to one payment, each read by itself. A gateway keeps such a payment in memory between two readings;
//! what others changed meanwhile counts nevertheless.

use std::collections::BTreeMap;

use checkout_domain::chain::screening::Decision;
use checkout_gateway::service::screen_deposits::{self, decide};
use serde_json::{Value, json};

use super::World;
use super::flagged::BITCOIN;

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
