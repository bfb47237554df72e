//! One rule for texts, on both stores: any Unicode except control characters, bidirectional overrides, and
//! ids without a visible character.

use std::sync::Arc;

use async_trait::async_trait;
use axum::http::{Method, StatusCode};
use checkout_core::{Amount, Currency, Network};
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::chain::{OutputId, OutputState, Transfer};
use checkout_domain::ports::transfers::TransferStore as _;
use checkout_domain::ports::{Chain, ChainError, Changes};
use checkout_gateway::service::App;
use checkout_gateway::service::transfers::record_transfers;
use serde_json::{Value, json};

use super::wrong_input::{Faults, check_all};
use super::{World, over, payment_body};

const XLM: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const BTC: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

const NUL: &str = "a\0b";
const OVERRIDE: &str = "gpj\u{202e}exe";
const UNSEEN: &str = "\u{200b}\u{feff}";

fn address(fields: Value) -> Value {
    over(json!({"clientAddressId": "a-1", "currency": "BTC", "network": "BTC", "address": BTC}), fields)
}

fn memo(fields: Value) -> Value {
    over(json!({"clientAddressId": "a-1", "currency": "XLM", "network": "XLM", "address": XLM}), fields)
}

#[tokio::test]
async fn an_id_or_label_with_nul_is_an_error() {
    let world = World::new().await;
    let token = Some(world.token.as_str());
    let cases: Vec<(Value, Faults)> = vec![
        (payment_body(json!({"clientPaymentId": NUL})), &[("/clientPaymentId", "control_character")]),
        (
            payment_body(json!({"clientPaymentId": OVERRIDE})),
            &[("/clientPaymentId", "bidirectional_override")],
        ),
        (payment_body(json!({"clientPaymentId": UNSEEN})), &[("/clientPaymentId", "empty")]),
        (
            payment_body(json!({"redirectUrl": "https://shop.example/\0"})),
            &[("/redirectUrl", "control_character")],
        ),
    ];
    check_all(&world, Method::POST, "/api/v1/payments", token, cases).await;
    let cases: Vec<(Value, Faults)> = vec![
        (address(json!({"clientAddressId": NUL})), &[("/clientAddressId", "control_character")]),
        (address(json!({"clientAddressId": UNSEEN})), &[("/clientAddressId", "empty")]),
        (address(json!({"label": NUL})), &[("/label", "control_character")]),
        (address(json!({"label": OVERRIDE})), &[("/label", "bidirectional_override")]),
        (memo(json!({"destinationTag": NUL})), &[("/destinationTag", "control_character")]),
        (memo(json!({"destinationTag": OVERRIDE})), &[("/destinationTag", "bidirectional_override")]),
        (memo(json!({"address": format!("{XLM}?dt=a%00b")})), &[("/address", "control_character")]),
    ];
    check_all(&world, Method::POST, "/whitelist-addresses", token, cases).await;
    let withdrawal = |fields| {
        let body = json!({"clientWithdrawalId": "w-1", "recipientAddress": XLM, "withdrawCurrency": "XLM", "network": "XLM",
            "displayCurrency": "EUR", "targetAmountPolicy": "CRYPTO", "targetAmount": "1"});
        over(body, fields)
    };
    let cases: Vec<(Value, Faults)> = vec![
        (withdrawal(json!({"clientWithdrawalId": NUL})), &[("/clientWithdrawalId", "control_character")]),
        (withdrawal(json!({"destinationTag": NUL})), &[("/destinationTag", "control_character")]),
    ];
    check_all(&world, Method::POST, "/api/v1/withdrawals", token, cases).await;
    let cases: Vec<(Value, Faults)> = vec![(
        json!({"network": "XLM", "currency": "XLM", "address": XLM, "amount": "1", "destinationTag": NUL}),
        &[("/destinationTag", "control_character")],
    )];
    check_all(&world, Method::POST, "/sandbox/transfers", None, cases).await;
}

#[tokio::test]
async fn a_filter_with_nul_is_an_error() {
    let world = World::new().await;
    for (query, pointer) in [("label=%00", "/label"), ("clientAddressId=a%00", "/clientAddressId")] {
        let answer = world.get(&format!("/whitelist-addresses?{query}"), &world.token).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{query} {}", answer.json);
        assert_eq!(answer.errors(), [(pointer.to_owned(), "control_character".to_owned())]);
    }
}

#[tokio::test]
async fn every_language_and_emoji_is_stored_unchanged() {
    let world = World::new().await;
    for (number, text) in
        ["Größe", "東京-1", "שלום", "заказ №7", "👩\u{200d}🍳 tea", "a\u{a0}b"].iter().enumerate()
    {
        let id = format!("{text}-{number}");
        let made = world
            .post(
                "/whitelist-addresses",
                &world.token,
                &address(json!({"clientAddressId": id, "label": text})),
            )
            .await;
        assert_eq!(made.status, StatusCode::CREATED, "{text} {}", made.json);
        assert_eq!((&made.json["clientAddressId"], &made.json["label"]), (&json!(id), &json!(text)));
        let paid = world.create(json!({"clientPaymentId": id})).await;
        assert_eq!(paid.json["paymentInfo"]["clientPaymentId"], json!(id));
    }
}

/// Validation and withdrawals accept the same addresses and tags.
#[tokio::test]
async fn validation_and_whitelist_accept_the_same_memos() {
    let world = World::new().await;
    let btc = format!("/api/v1/currency/BTC/network/BTC/address/{BTC}/destinationTag");
    let xlm = format!("/api/v1/currency/XLM/network/XLM/address/{XLM}/destinationTag");
    for (path, valid) in [
        (format!("{xlm}/tea/valid"), true),
        (format!("{xlm}/a%00b/valid"), false),
        (format!("{xlm}/a%E2%80%AEb/valid"), false),
        (format!("{btc}/7/valid"), true),
    ] {
        let answer = world.call(Method::GET, &path, None, None).await;
        assert_eq!(answer.json, json!({"valid": valid, "supported": true}), "{path}");
    }
    let made =
        world.post("/whitelist-addresses", &world.token, &address(json!({"destinationTag": "7"}))).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    assert_eq!(made.json.get("destinationTag"), None, "a network without tags ignores it");
}

/// A network with a transfer whose memo has arbitrary bytes.
struct StrangeMemos;

#[async_trait]
impl Chain for StrangeMemos {
    fn network(&self) -> Network {
        Network::Xlm
    }

    async fn changes(&self, _: Option<&str>) -> Result<Changes, ChainError> {
        let transfer = |index: u32, tag: &str| Transfer {
            output: OutputId { network: Network::Xlm, transaction: "tx-1".to_owned(), index },
            currency: Currency::Xlm,
            amount: Amount::parse("1", 7).unwrap(),
            to: XLM.to_owned(),
            tag: Some(tag.to_owned()),
            from: XLM.to_owned(),
            from_tag: Some(tag.to_owned()),
            other_senders: Vec::new(),
            fee: "0.00001".to_owned(),
            seen_at: super::START,
            state: OutputState::Confirmed,
            uncertain: false,
        };
        let transfers = vec![transfer(0, "\0"), transfer(1, "a\0b"), transfer(2, "\u{202e}")];
        Ok(Changes::new(transfers, "behind".to_owned(), false))
    }

    async fn confirmations(&self, _: &OutputId) -> Result<u64, ChainError> {
        Ok(1)
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        Ok(Tip { height: 1, hash: "1".to_owned(), time: None })
    }

    async fn health(&self) -> Vec<Check> {
        Vec::new()
    }
}

#[tokio::test]
async fn a_memo_with_nul_on_the_chain_does_not_stop_its_network() {
    let world = World::new().await;
    let mut app = App::clone(&world.app);
    app.chains.insert(Network::Xlm, Arc::new(StrangeMemos));
    record_transfers::catch_up(&app, Network::Xlm).await.unwrap();
    assert_eq!(world.database.cursor(Network::Xlm).await.unwrap().as_deref(), Some("behind"));
}
