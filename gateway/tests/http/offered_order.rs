//! The order in which a payment offers the pairs: what its business was paid in most comes first.

use serde_json::{Value, json};

use super::World;

async fn offered(world: &World, fields: Value) -> Vec<String> {
    let created = world.create(fields).await;
    let path = format!("/api/v1/checkout/{}", created.payment_id());
    let view = world.get(&path, &created.session_token()).await.json;
    let text = |option: &Value, name: &str| option[name].as_str().unwrap().to_owned();
    let options = view["options"].as_array().unwrap().iter();
    options.map(|option| format!("{}.{}", text(option, "currency"), text(option, "network"))).collect()
}

#[tokio::test]
async fn what_was_paid_most_comes_first() {
    let world = World::new().await;
    let table = offered(&world, json!({"clientPaymentId": "first"})).await;
    let pay = async |id: &str, network| {
        let amount = world.payment(id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
        world.pay(id, &amount).await;
        world.mine(network).await;
    };
    let mut unpaid = Vec::new();
    for (order, currency, network, pays) in [
        ("a", "LTC", "LTC", true),
        ("b", "USDT", "TRX", true),
        ("c", "LTC", "LTC", true),
        ("d", "ETH", "ETH", false),
        ("e", "ETH", "ETH", false),
        ("f", "ETH", "ETH", false),
    ] {
        let (id, _) = world.quoted(json!({"clientPaymentId": order}), currency, network).await;
        if pays {
            pay(&id, network).await;
        } else {
            unpaid.push(id);
        }
    }
    let paid = ["LTC.LTC", "USDT.TRX"];
    let others = table.iter().map(String::as_str).filter(|pair| !paid.contains(pair));
    let expected: Vec<&str> = paid.into_iter().chain(others).collect();
    assert_eq!(offered(&world, json!({"clientPaymentId": "second"})).await, expected);
    assert_eq!(offered(&world, json!({"clientPaymentId": "first"})).await, table, "it was created before");

    let asked = offered(&world, json!({"clientPaymentId": "asked", "depositCurrency": "BTC"})).await;
    assert_eq!(asked[..3], ["BTC.BTC", "LTC.LTC", "USDT.TRX"], "what the merchant asked for comes first");

    world.advance(1).await;
    for id in &unpaid {
        pay(id, "ETH").await;
    }
    let second = offered(&world, json!({"clientPaymentId": "second"})).await;
    assert_eq!(second, expected, "no row moves while a payer reads them");
    assert_eq!(offered(&world, json!({"clientPaymentId": "third"})).await[0], "ETH.ETH");
    world.advance(91 * 24 * 60 * 60).await;
    assert_eq!(offered(&world, json!({"clientPaymentId": "later"})).await, table, "it was long ago");
}
