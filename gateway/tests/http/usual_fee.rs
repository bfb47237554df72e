//! What a transfer usually costs its sender: the fees of the business's last deposits in the pair.

use serde_json::{Value, json};

use super::World;

async fn fee(world: &World, order: &str, pair: (&str, &str)) -> Value {
    let created = world.create(json!({"clientPaymentId": order})).await;
    let path = format!("/api/v1/checkout/{}", created.payment_id());
    let view = world.get(&path, &created.session_token()).await.json;
    let mut options = view["options"].as_array().unwrap().iter();
    let is_pair =
        |option: &&Value| (&option["currency"], &option["network"]) == (&json!(pair.0), &json!(pair.1));
    options.find(is_pair).unwrap()["usualFee"].clone()
}

#[tokio::test]
async fn after_three_deposits_and_for_seven_days() {
    let world = World::new().await;
    let ltc = ("LTC", "LTC");
    for number in 0..3 {
        assert_eq!(fee(&world, &format!("before {number}"), ltc).await, Value::Null);
        let (id, _) = world.quoted(json!({"clientPaymentId": number.to_string()}), "LTC", "LTC").await;
        let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
        world.pay(&id, &amount).await;
        world.mine("LTC").await;
        world.advance(1).await;
    }
    assert_eq!(fee(&world, "after", ltc).await, "0.01");
    assert_eq!(fee(&world, "after", ("BTC", "BTC")).await, Value::Null, "nobody paid in it");
    assert_eq!(fee(&world, "before 0", ltc).await, Value::Null, "it was created before");
    world.advance(8 * 24 * 60 * 60).await;
    assert_eq!(fee(&world, "later", ltc).await, Value::Null, "it was long ago");
}
