//! The order in which a payment offers the pairs: what its business was paid in most comes first, once it was paid often enough.

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
    let (ltc, usdt, eth) = (("LTC", "LTC"), ("USDT", "TRX"), ("ETH", "ETH"));
    let quoted = async |order: &str, pair: (&'static str, &'static str)| {
        let (id, _) = world.quoted(json!({"clientPaymentId": order}), pair.0, pair.1).await;
        (id, pair.1)
    };
    let mut payments = Vec::new();
    for (number, pair) in [ltc; 6].into_iter().chain([usdt; 5]).chain([eth; 7]).enumerate() {
        payments.push(quoted(&number.to_string(), pair).await);
    }
    let unpaid = payments.split_off(11);
    let last = payments.remove(0);
    for (id, network) in payments.iter().take(4) {
        pay(id, network).await;
    }
    assert_eq!(offered(&world, json!({"clientPaymentId": "early"})).await, table, "four say nothing");
    for (id, network) in payments.iter().skip(4).chain([&last]) {
        pay(id, network).await;
    }
    let paid = ["LTC.LTC", "USDT.TRX"];
    let others = table.iter().map(String::as_str).filter(|pair| !paid.contains(pair));
    let expected: Vec<&str> = paid.into_iter().chain(others).collect();
    assert_eq!(offered(&world, json!({"clientPaymentId": "second"})).await, expected);
    assert_eq!(offered(&world, json!({"clientPaymentId": "first"})).await, table, "it was created before");

    let asked = offered(&world, json!({"clientPaymentId": "asked", "depositCurrency": "BTC"})).await;
    assert_eq!(asked[..3], ["BTC.BTC", "LTC.LTC", "USDT.TRX"], "what the merchant asked for comes first");

    world.advance(1).await;
    for (id, network) in &unpaid {
        pay(id, network).await;
    }
    let second = offered(&world, json!({"clientPaymentId": "second"})).await;
    assert_eq!(second, expected, "no row moves while a payer reads them");
    assert_eq!(offered(&world, json!({"clientPaymentId": "third"})).await[0], "ETH.ETH");
    world.advance(91 * 24 * 60 * 60).await;
    assert_eq!(offered(&world, json!({"clientPaymentId": "later"})).await, table, "it was long ago");
}
