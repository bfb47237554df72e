//! What was judged paid stays paid: the rules of another version change nothing, only the chain and people do.

use checkout_core::Network;
use checkout_storage::query;
use serde_json::json;

use super::World;
use super::shown_quotes::status;

/// From now on the gateway tolerates nothing, as if its rules had become stricter.
async fn rules_become_stricter(world: &World) {
    let mut change = world.database.change().await.unwrap();
    let stricter =
        query("UPDATE payments SET underpayment_tolerance = '0'").execute(&mut change).await.unwrap();
    assert_eq!(stricter, 1);
    change.commit().await.unwrap();
}

/// 0.4 percent less than 0.00166667 BTC: paid at a FLOATING rate.
async fn paid(world: &World) -> (String, String) {
    let (id, session) = world.quoted(json!({"rateType": "FLOATING"}), "BTC", "BTC").await;
    world.pay(&id, "0.00166").await;
    world.mine("BTC").await;
    assert_eq!(status(world, &id).await, "DEPOSITED");
    rules_become_stricter(world).await;
    (id, session)
}

#[tokio::test]
async fn a_payment_that_is_paid_stays_paid() {
    let world = World::new().await;
    let (id, session) = paid(&world).await;
    world.advance(7_200).await;
    assert_eq!(status(&world, &id).await, "DEPOSITED");
    // Another deposit is an event.
    world.pay(&id, "0.0001").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "DEPOSITED", "{payment:#}");
    let view = world.get(&format!("/api/v1/checkout/{id}"), &session).await.json;
    assert_eq!(view["payment"]["status"], "DEPOSITED", "{view:#}");
    let claims = view["claims"].as_array().unwrap().iter().map(|claim| &claim["depositId"]);
    assert!(claims.eq([&payment["deposits"][1]["id"]]), "what paid is not offered back: {view:#}");
    let accepted = world.post(&format!("/api/v1/payments/{id}/accept"), &world.token, &json!({})).await;
    assert_eq!(accepted.status, 409, "{:#}", accepted.json);
    assert_eq!(payment.get("acceptedAt"), None, "nobody accepted it: {payment:#}");
}

#[tokio::test]
async fn a_deposit_that_leaves_its_chain_is_judged_anew() {
    let world = World::new().await;
    let (id, _) = paid(&world).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    assert_eq!(status(&world, &id).await, "AWAITING");
    world.mine("BTC").await;
    assert_eq!(status(&world, &id).await, "AWAITING", "it is back, and judged by the rules of now");
    world.pay(&id, "0.00000667").await;
    world.mine("BTC").await;
    assert_eq!(status(&world, &id).await, "DEPOSITED");
}

/// Its block left the chain, and another one has it, before the gateway read either.
#[tokio::test]
async fn a_deposit_that_moved_to_another_block_is_judged_anew() {
    let world = World::new().await;
    let (id, _) = paid(&world).await;
    world.simulated.simulator.reorganise(Network::Btc, 1).await.unwrap();
    world.mine("BTC").await;
    assert_eq!(status(&world, &id).await, "AWAITING", "as if each block had been read");
}
