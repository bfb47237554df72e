//! `GET /api/v1/withdrawals`, `GET /api/v1/withdrawals/{id}` and `GET /api/v1/balances`.

use axum::http::{Method, StatusCode};
use checkout_domain::business::settings::Settings;
use checkout_gateway::service::payouts::pay_out;
use serde_json::{Value, json};

use super::{Answer, START, World, over};
use crate::fixture::create_business;

const PATH: &str = "/api/v1/withdrawals";
const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const SANCTIONED: &str = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";

fn ids(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    let id = |withdrawal: &Value| withdrawal["withdrawId"].as_str().unwrap().to_owned();
    answer.json.as_array().unwrap().iter().map(id).collect()
}

impl World {
    async fn withdrawals(&self, query: &str) -> Vec<String> {
        ids(&self.get(&format!("{PATH}?{query}"), &self.token).await)
    }

    async fn withdrawn(&self, fields: Value) -> Value {
        let made = self.withdraw(fields).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
        made.json
    }

    async fn pay_out(&self) {
        for _ in 0..2 {
            pay_out::run(&self.app).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_withdrawal_is_read_as_it_is_now() {
    let world = World::rich().await;
    let made = world.withdrawn(json!({})).await;
    let path = format!("{PATH}/{}", made["withdrawId"].as_str().unwrap());
    let read = async || world.get(&path, &world.token).await.json;
    let first = read().await;
    assert_eq!(over(first.clone(), json!({"withdrawFee": null, "displayFee": null})), made, "and the fees");
    assert!(first["withdrawFee"].is_string() && first["displayFee"].is_string(), "{first}");
    world.pay_out().await;
    let done = read().await;
    let transaction = done["transactionId"].clone();
    assert!(transaction.is_string(), "{done}");
    assert_eq!(done, over(first, json!({"status": "COMPLETED", "transactionId": transaction})));
    world.mine("ETH").await;
    world.pay_out().await;
    assert_eq!(read().await, done);
    assert_eq!(world.get(PATH, &world.token).await.json, json!([done]), "the list has the same");
    let again = world.withdraw(json!({})).await;
    assert_eq!((again.status, &again.json), (StatusCode::OK, &made), "the stored answer stays");

    let blocked = world.withdrawn(json!({"clientWithdrawalId": "w-2", "recipientAddress": SANCTIONED})).await;
    world.pay_out().await;
    let path = format!("{PATH}/{}", blocked["withdrawId"].as_str().unwrap());
    let blocked = world.get(&path, &world.token).await.json;
    assert_eq!((&blocked["status"], blocked.get("transactionId")), (&json!("BLOCKED"), None));
}

#[tokio::test]
async fn a_withdrawal_is_found_by_what_its_recipient_says() {
    let world = World::rich().await;
    let eth = world.withdrawn(json!({})).await;
    world.pay_out().await;
    world.mine("ETH").await;
    world.pay_out().await;
    let btc = json!({"clientWithdrawalId": "w 2", "recipientAddress": BTC, "withdrawCurrency": "BTC", "network": "BTC",
        "targetAmount": "0.001"});
    let btc = world.withdrawn(btc).await;
    let id = |made: &Value| made["withdrawId"].as_str().unwrap().to_owned();
    let (eth, btc) = (&*id(&eth), &*id(&btc));
    let sent = world.get(&format!("{PATH}/{eth}"), &world.token).await.json;
    let sent = sent["transactionId"].as_str().unwrap();
    let hash = sent.strip_prefix("0x").unwrap().to_ascii_uppercase();
    let check = async |query: &str, expected: &[&str]| {
        assert_eq!(world.withdrawals(query).await, expected, "{query}");
    };
    check("", &[btc, eth]).await;
    check("descending=false", &[eth, btc]).await;
    check("limit=1", &[btc]).await;
    check(&format!("after={btc}"), &[eth]).await;
    check(&format!("before={eth}"), &[btc]).await;
    check("clientWithdrawalId=w%202", &[btc]).await;
    check("status=COMPLETED", &[eth]).await;
    check("status=NEW", &[btc]).await;
    check("status=FAILED", &[]).await;
    check("currency=ETH", &[eth]).await;
    check("network=BTC", &[btc]).await;
    check("network=BTC&currency=ETH", &[]).await;
    check(&format!("address={}", EVM.to_ascii_lowercase()), &[eth]).await;
    check(&format!("address={BTC}"), &[btc]).await;
    check(&format!("transactionId={hash}"), &[eth]).await;
    check(&format!("transactionId={sent}&address={BTC}"), &[]).await;
    check(&format!("from={START}&to={}", START + 1), &[btc, eth]).await;
    check(&format!("to={START}"), &[]).await;
}

#[tokio::test]
async fn only_the_own_withdrawals_and_balances_are_shown() {
    let world = World::rich().await;
    let made = world.withdrawn(json!({})).await;
    let id = made["withdrawId"].as_str().unwrap();
    let other = Settings { name: Some("Other".to_owned()), ..Settings::default() };
    let (_, token) = create_business(&world.app, other).await;
    let path = format!("{PATH}/{id}");
    let balances = "/api/v1/balances";
    assert_eq!(ids(&world.get(PATH, &token).await), [] as [&str; 0]);
    assert_eq!(world.get(&path, &token).await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.get(balances, &token).await.json, json!([]));
    let cursor = world.get(&format!("{PATH}?after={id}"), &token).await;
    assert_eq!(cursor.errors(), [("/after".to_owned(), "unknown_cursor".to_owned())]);
    for missing in [format!("{PATH}/{}", uuid::Uuid::nil()), format!("{PATH}/7"), format!("{PATH}/%ff")] {
        let answer = world.get(&missing, &world.token).await;
        assert_eq!((answer.status, &answer.json["code"]), (StatusCode::NOT_FOUND, &json!("not_found")));
    }
    let key = world.organisation_key().await;
    assert_eq!(world.get(&path, &key).await.status, StatusCode::OK);
    for list in [PATH, balances] {
        let unnamed = world.get(list, &key).await;
        assert_eq!(unnamed.errors(), [("/businessId".to_owned(), "required".to_owned())], "{list}");
        let named = world.get(&format!("{list}?businessId={}", world.business.id), &key).await;
        assert_eq!(named.json, world.get(list, &world.token).await.json, "{list}");
        assert_eq!(world.call(Method::GET, list, None, None).await.status, StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test]
async fn a_balance_is_negative_when_a_deposit_vanishes_after_a_withdrawal() {
    let world = World::rich().await;
    let made = world.withdrawn(json!({})).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 10})).await;
    let balances = world.get("/api/v1/balances", &world.token).await.json;
    let owed = format!("-{}", made["settlementDeductedAmount"].as_str().unwrap());
    let expected =
        json!({"account": "FIAT", "currency": "EUR", "amount": owed, "available": "0.00", "pending": "0.00"});
    assert!(balances.as_array().unwrap().contains(&expected), "{balances}");
}

/// 1000 EUR less half a percent; a withdrawal moves what it takes until it is sent.
#[tokio::test]
async fn balances_say_where_the_money_is() {
    let world = World::new().await;
    let balances = async || world.get("/api/v1/balances", &world.token).await.json;
    assert_eq!(balances().await, json!([]));
    world.deposit("order-1", "1000.00").await;
    let fiat = |amount: &str| json!({"account": "FIAT", "currency": "EUR", "amount": amount, "available": amount, "pending": "0.00"});
    let before = balances().await;
    assert!(before.as_array().unwrap().contains(&fiat("995.00")), "{before}");
    let made = world.withdrawn(json!({})).await;
    let charged =
        checkout_core::decimal::parse(made["settlementDeductedAmount"].as_str().unwrap(), 2).unwrap();
    let left = checkout_core::Decimal::from(995) - charged;
    let after = balances().await;
    assert!(after.as_array().unwrap().contains(&fiat(&left.to_string())), "{after}");
    let account = |balances: &Value, account: &str| {
        let found = balances.as_array().unwrap().iter().filter(|row| row["account"] == account);
        found
            .map(|row| format!("{} {}", row["amount"].as_str().unwrap(), row["currency"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    let on_the_way = account(&after, "WITHDRAWALS");
    assert_eq!(on_the_way.len(), 1, "{after}");
    world.pay_out().await;
    world.mine("ETH").await;
    world.pay_out().await;
    let done = balances().await;
    assert!(
        account(&done, "WITHDRAWALS")
            .iter()
            .all(|amount| !amount.contains(|digit| ('1'..='9').contains(&digit))),
        "{done}"
    );
    assert_eq!(account(&done, "FIAT"), account(&after, "FIAT"));
}
