//! Withdrawals: fields, money, screening, wrong input.

use axum::http::{Method, StatusCode};
use checkout_core::Currency;
use checkout_domain::business::settings::Settings;
use checkout_gateway::service::payouts::pay_out;
use serde_json::{Value, json};

use super::golden::check_fields;
use super::wrong_input::{Faults, check_all};
use super::{Answer, START, World, over};
use crate::fixture::Look as _;

const PATH: &str = "/api/v1/withdrawals";
const BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const XRP: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
/// On the sanctions list of the US Treasury.
const SANCTIONED: &str = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";

fn body(fields: Value) -> Value {
    let body = json!({
        "clientWithdrawalId": "w-1",
        "recipientAddress": EVM,
        "withdrawCurrency": "ETH",
        "displayCurrency": "EUR",
        "targetAmountPolicy": "CRYPTO",
        "targetAmount": "0.02",
        "withdrawalAccount": "FIAT",
    });
    over(body, fields)
}

impl World {
    /// Posts a withdrawal with these fields over the default ones: 0.02 ETH from the fiat balance.
    pub(super) async fn withdraw(&self, fields: Value) -> Answer {
        self.post(PATH, &self.token, &body(fields)).await
    }

    /// A business with 995 EUR.
    pub(super) async fn rich() -> Self {
        let world = Self::new().await;
        world.deposit("order-1", "1000.00").await;
        world
    }

    pub(super) async fn stored(&self, column: &str) -> Vec<Option<String>> {
        let sql = format!("SELECT {column} FROM withdrawals JOIN payouts USING (id) ORDER BY id");
        self.database.texts(sql).await.into_iter().flatten().collect()
    }

    /// Returns address, tag and atoms of every payout.
    pub(super) async fn sent(&self) -> Vec<(String, Option<String>, String)> {
        let rows = self.database.texts(
            "SELECT address, tag, amount FROM sim_transfers
             WHERE transaction_id NOT IN (SELECT transaction_id FROM deposits) ORDER BY revision",
        );
        let known = |text: &Option<String>| text.clone().unwrap();
        rows.await.iter().map(|row| (known(&row[0]), row[1].clone(), known(&row[2]))).collect()
    }
}

#[tokio::test]
async fn fields() {
    let world = World::rich().await;
    let made = world.withdraw(json!({"displayCurrency": "USD"})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    check_fields(&made.json, "Withdrawal", &[]);
    let mut expected = json!({
        "clientWithdrawId": "w-1",
        "recipientAddress": EVM,
        "network": "ETH",
        "initiatedBy": "BUSINESS_TOKEN",
        "status": "NEW",
        "displayCurrency": "USD",
        "displayServiceFee": "0.07", // 0.1 % of 64.80, rounded up
        "withdrawCurrency": "ETH",
        "settlementCurrency": "EUR",
        "estimatedDisplayAmount": "64.80",
        "estimatedWithdrawAmount": "0.02",
        "settlementDeductedAmount": "61.86", // 60.00, the network fee of 0.0006 ETH, the service fee of 0.06
        "settlementServiceFee": "0.06",
        "uniformAmount": "60.00",
        "uniformCurrency": "EUR",
        "uniformServiceFee": "0.06",
        "createdAt": START,
    });
    expected["withdrawId"] = made.json["withdrawId"].clone();
    assert_eq!(made.json, expected);
    assert!(uuid::Uuid::parse_str(made.json["withdrawId"].as_str().unwrap()).is_ok());
}

#[tokio::test]
async fn the_balance_changes_when_the_withdrawal_is_sent() {
    let world = World::rich().await;
    let chain = [("CHAIN BTC", "-0.01666667"), ("EXCHANGE BTC", "0.01666667"), ("FEES EUR", "5.00")];
    let with = |more: &[(&'static str, &'static str)]| [&chain[..], more].concat();
    World::check_balances(
        &world.balances().await,
        &with(&[("EXCHANGE EUR", "-1000.00"), ("FIAT EUR", "995.00")]),
    );
    world.withdraw(json!({})).await;
    let reserved = [("EXCHANGE EUR", "-1000.00"), ("FIAT EUR", "933.14"), ("WITHDRAWALS EUR", "61.86")];
    World::check_balances(&world.balances().await, &with(&reserved));
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 1);
    assert_eq!(world.stored("status").await, [Some("COMPLETED".into())]);
    assert_eq!(world.stored("state").await, [Some("SENT".into())]);
    assert_eq!(world.stored("owner_name").await, [Some("Unknown".into())]);
    assert_eq!(world.sent().await, [(EVM.to_owned(), None, "20000000000000000".to_owned())]);
    let sent = [
        ("CHAIN BTC", "-0.01666667"),
        ("CHAIN ETH", "0.02"),
        ("COSTS ETH", "0.0006"),
        ("EXCHANGE BTC", "0.01666667"),
        ("EXCHANGE ETH", "-0.0206"),
        ("EXCHANGE EUR", "-938.20"),
        ("FEES EUR", "5.06"),
        ("FIAT EUR", "933.14"),
    ];
    World::check_balances(&world.balances().await, &sent);
    world.mine("ETH").await;
    assert_eq!(world.stored("state").await, [Some("CONFIRMED".into())]);
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 1);
    assert_eq!(world.stored("state").await, [Some("FINAL".into())]);
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 0);
    assert_eq!(world.sent().await.len(), 1);
}

/// Fields, `recipientAddress`, the estimated and deducted amounts, the tag on the chain.
type Row = (Value, String, [&'static str; 3], Option<&'static str>);

/// The amounts charged and sent, by policy, account, network and tag.
#[tokio::test]
async fn the_requested_amount_is_sent() {
    let world = World::settling("0.5", Currency::Btc, Settings::default()).await;
    world.deposit("order-1", "4000.00").await; // 1,990 EUR and 0.03316667 BTC
    let usdt = json!({"withdrawCurrency": "USDT", "network": "TRX",
        "recipientAddress": "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", "targetAmountPolicy": "FIAT", "targetAmount": "92"});
    let xrp = |fields: Value| {
        over(
            json!({"withdrawCurrency": "XRP", "network": "XRP", "recipientAddress": XRP, "targetAmount": "20"}),
            fields,
        )
    };
    let btc = json!({"withdrawCurrency": "BTC", "network": "BTC", "recipientAddress": BTC, "targetAmount": "0.001",
        "withdrawalAccount": "CRYPTO"});
    let rows: Vec<Row> = vec![
        (usdt, "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC".into(), ["100", "EUR", "93.02"], None),
        (btc, BTC.into(), ["0.001", "BTC", "0.001031"], None),
        (
            json!({"network": "BSC", "targetAmount": "0.0123456789"}),
            EVM.into(),
            ["0.0123456789", "EUR", "37.23"],
            None,
        ),
        (
            json!({"targetAmountPolicy": "FIAT", "targetAmount": "100.01", "withdrawalAccount": "CRYPTO"}),
            EVM.into(),
            ["0.03333666", "BTC", "0.00169851"],
            None,
        ),
        (xrp(json!({})), XRP.into(), ["20", "EUR", "10.02"], None),
        (xrp(json!({"destinationTag": 0})), XRP.into(), ["20", "EUR", "10.02"], None),
        (xrp(json!({"destinationTag": "0"})), XRP.into(), ["20", "EUR", "10.02"], None),
        (xrp(json!({"destinationTag": 77})), format!("{XRP}?dt=77"), ["20", "EUR", "10.02"], Some("77")),
        (
            xrp(json!({"recipientAddress": format!("{XRP}?dt=78")})),
            format!("{XRP}?dt=78"),
            ["20", "EUR", "10.02"],
            Some("78"),
        ),
        (
            xrp(json!({"recipientAddress": format!("{XRP}?dt=0")})),
            format!("{XRP}?dt=0"),
            ["20", "EUR", "10.02"],
            Some("0"),
        ),
    ];
    for (i, (fields, recipient, [amount, currency, deducted], tag)) in rows.into_iter().enumerate() {
        let fields = over(json!({"clientWithdrawalId": format!("w-{i}")}), fields);
        let made = world.withdraw(fields.clone()).await;
        assert_eq!(made.status, StatusCode::CREATED, "{fields} {}", made.json);
        let names =
            ["recipientAddress", "estimatedWithdrawAmount", "settlementCurrency", "settlementDeductedAmount"];
        let have = names.map(|name| made.json[name].as_str().unwrap());
        assert_eq!(have, [recipient.as_str(), amount, currency, deducted], "{fields}");
        pay_out::run(&world.app).await.unwrap();
        let sent = world.sent().await;
        assert_eq!(sent.len(), i + 1);
        assert_eq!(sent[i].1.as_deref(), tag, "{fields}");
    }
    world.balances().await;
}

#[tokio::test]
async fn replays() {
    let world = World::rich().await;
    let first = world.withdraw(json!({})).await;
    for (fields, status) in [
        (json!({}), 200),
        (
            json!({"network": "ETH", "recipientAddress": EVM.to_ascii_lowercase(), "targetAmount": "0.020"}),
            200,
        ),
        (json!({"targetAmount": "0.021"}), 409),
        (json!({"network": "BSC"}), 409),
        (json!({"displayCurrency": "USD"}), 409),
        (json!({"withdrawalAccount": null}), 409),
        (json!({"targetAmountPolicy": "FIAT", "targetAmount": "60"}), 409),
        (json!({"recipientAddress": SANCTIONED}), 409),
    ] {
        let again = world.withdraw(fields.clone()).await;
        assert_eq!(again.status.as_u16(), status, "{fields} {}", again.json);
        match status {
            200 => assert_eq!(again.json, first.json),
            _ => assert_eq!(again.json["code"], "client_withdrawal_id_taken"),
        }
    }
    pay_out::run(&world.app).await.unwrap();
    assert_eq!(world.withdraw(json!({})).await.json, first.json, "the stored answer, also after it was sent");
    let world = world.restart().await;
    assert_eq!(world.withdraw(json!({})).await.json, first.json);
    assert_eq!(world.sent().await.len(), 1);
}

#[tokio::test]
async fn wrong_input() {
    let world = World::rich().await;
    let b = body;
    let xrp = |fields: Value| {
        b(over(
            json!({"withdrawCurrency": "XRP", "network": "XRP", "recipientAddress": XRP, "targetAmount": "20"}),
            fields,
        ))
    };
    let cases: Vec<(Value, Faults)> = vec![
        (
            json!({}),
            &[
                ("/clientWithdrawalId", "required"),
                ("/recipientAddress", "required"),
                ("/withdrawCurrency", "required"),
                ("/displayCurrency", "required"),
                ("/targetAmountPolicy", "required"),
                ("/targetAmount", "required"),
            ],
        ),
        (
            json!({
                "clientWithdrawalId": 1, "recipientAddress": 1, "withdrawCurrency": 1, "displayCurrency": 1,
                "targetAmountPolicy": 1, "targetAmount": [], "withdrawalAccount": 1, "destinationTag": {}, "network": 1,
                "businessId": 1
            }),
            &[
                ("/businessId", "wrong_type"),
                ("/clientWithdrawalId", "wrong_type"),
                ("/recipientAddress", "wrong_type"),
                ("/withdrawCurrency", "wrong_type"),
                ("/displayCurrency", "wrong_type"),
                ("/targetAmountPolicy", "wrong_type"),
                ("/targetAmount", "wrong_type"),
                ("/withdrawalAccount", "wrong_type"),
                ("/destinationTag", "wrong_type"),
                ("/network", "wrong_type"),
            ],
        ),
        (b(json!({"network": "MAIN"})), &[("/network", "unknown_network")]),
        (b(json!({"withdrawCurrency": "BTC", "recipientAddress": BTC})), &[("/network", "unsupported_pair")]),
        (b(json!({"withdrawCurrency": "LINK", "network": "BSC"})), &[("/network", "unsupported_pair")]),
        (b(json!({"withdrawCurrency": "NOPE"})), &[("/withdrawCurrency", "unknown_currency")]),
        (b(json!({"displayCurrency": "BTC"})), &[("/displayCurrency", "unknown_currency")]),
        (b(json!({"targetAmountPolicy": "crypto"})), &[("/targetAmountPolicy", "unknown_value")]),
        (b(json!({"withdrawalAccount": "EUR"})), &[("/withdrawalAccount", "unknown_value")]),
        (b(json!({"targetAmount": "0"})), &[("/targetAmount", "zero")]),
        (b(json!({"targetAmount": "-1"})), &[("/targetAmount", "sign")]),
        (b(json!({"targetAmount": "1e1"})), &[("/targetAmount", "exponent")]),
        (b(json!({"targetAmount": "0.0000000000000000001"})), &[("/targetAmount", "too_many_decimals")]),
        (
            b(json!({"targetAmountPolicy": "FIAT", "targetAmount": "50.001"})),
            &[("/targetAmount", "too_many_decimals")],
        ),
        (b(json!({"targetAmount": "0.009999"})), &[("/targetAmount", "below_minimum")]),
        (b(json!({"targetAmount": "1000.01"})), &[("/targetAmount", "above_maximum")]),
        (
            b(json!({"targetAmountPolicy": "FIAT", "targetAmount": "99999999999999999999999999"})),
            &[("/targetAmount", "above_maximum")],
        ),
        (b(json!({"targetAmount": "0.4"})), &[("/targetAmount", "insufficient_balance")]),
        (b(json!({"withdrawalAccount": "CRYPTO"})), &[("/targetAmount", "insufficient_balance")]),
        (b(json!({"recipientAddress": BTC})), &[("/recipientAddress", "bad_address")]),
        (b(json!({"recipientAddress": ""})), &[("/recipientAddress", "bad_address")]),
        (
            b(json!({"recipientAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"})),
            &[("/recipientAddress", "bad_address")],
        ),
        (xrp(json!({"destinationTag": "007"})), &[("/destinationTag", "bad_tag")]),
        (xrp(json!({"destinationTag": 4_294_967_296_u64})), &[("/destinationTag", "bad_tag")]),
        (
            xrp(json!({"recipientAddress": format!("{XRP}?dt=5"), "destinationTag": 6})),
            &[("/destinationTag", "conflicting_tag")],
        ),
        (xrp(json!({"recipientAddress": format!("{XRP}?tag=5")})), &[("/recipientAddress", "bad_address")]),
        (b(json!({"businessId": uuid::Uuid::nil().to_string()})), &[("/businessId", "unknown_business")]),
    ];
    check_all(&world, Method::POST, PATH, Some(&world.token), cases).await;
}

#[tokio::test]
async fn a_blocked_recipient_is_not_paid() {
    let world = World::rich().await;
    let before = world.balances().await;
    let made = world.withdraw(json!({"recipientAddress": SANCTIONED})).await;
    assert_eq!(made.json["status"], "NEW");
    pay_out::run(&world.app).await.unwrap();
    assert_eq!(world.stored("status").await, [Some("BLOCKED".into())]);
    assert_eq!(world.stored("owner_name").await, [Some("Lazarus Group".into())]);
    assert_eq!(world.stored("owner_category").await, [Some("SANCTIONS".into())]);
    assert!(world.sent().await.is_empty());
    assert_eq!(world.balances().await, before, "the money is returned");
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 0);
}
