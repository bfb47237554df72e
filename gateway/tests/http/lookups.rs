//! A payer looks for a transfer by its transaction id: what the gateway says of it, and that nothing changes.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use checkout_core::transaction_id::TransactionIdError;
use checkout_gateway::service::App;
use checkout_gateway::service::transfers::look_up_transaction::look_up;
use checkout_wire::rules::Finding;
use serde_json::{Value, json};

use super::World;
use super::opt_ins::with_networks;

const DIGITS: &str = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";

impl World {
    async fn looked_up(&self, id: &str, text: &str) -> Finding {
        let mut watch = self.watch().await;
        let record = self.app.store.payment(id.parse().unwrap()).await.unwrap().unwrap();
        let finding = look_up(&self.app, &record, text).await;
        let now = watch.now().await;
        watch.assert_same(now, text);
        finding
    }

    /// Sends to an address, and returns the transaction id.
    async fn transferred(&self, fields: Value) -> String {
        self.sandbox("transfers", fields).await["transactionId"].as_str().unwrap().to_owned()
    }
}

/// As `{:?}` has it, with the amount and what else is told.
fn told(finding: &Finding) -> String {
    let coins = |coins: &checkout_wire::rules::Coins| {
        format!(
            "{} {}/{}",
            coins.amount.to_text(coins.pair.decimals),
            coins.pair.currency,
            coins.pair.network
        )
    };
    match finding {
        Finding::Waiting { coins: part, confirmations, required } => {
            format!("waiting {} {confirmations}/{required}", coins(part))
        }
        Finding::Counted(part) => format!("counted {}", coins(part)),
        Finding::Held(part) => format!("held {}", coins(part)),
        Finding::TooSmall(part) => format!("too-small {}", coins(part)),
        Finding::OtherTag { coins: part, tag: None, reported } => {
            format!("no-tag {}{}", coins(part), if *reported { " reported" } else { "" })
        }
        Finding::OtherTag { coins: part, tag: Some(tag), reported } => {
            assert!(!reported, "a tag may be that of another payment");
            format!("other-tag {} {tag}", coins(part))
        }
        Finding::OtherAddress(addresses) => format!("other-address {}", addresses.join(" ")),
        Finding::NotTaken { asset, amount } => format!("not-taken {amount} {asset}"),
        Finding::Unclear
        | Finding::NoId(_)
        | Finding::Unknown
        | Finding::NotAsked
        | Finding::Failed
        | Finding::NoTransfer => finding.code().to_owned(),
    }
}

#[tokio::test]
async fn a_transfer_is_found_waits_and_counts() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "LTC", "LTC").await;
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    assert_eq!(told(&world.looked_up(&id, DIGITS).await), "unknown");
    let transaction = world.pay(&id, &amount).await;
    let waiting = format!("waiting {amount} LTC/LTC 0/1");
    assert_eq!(told(&world.looked_up(&id, &transaction).await), waiting);
    let link = format!("https://blockchair.com/litecoin/transaction/{transaction}?from=x");
    assert_eq!(told(&world.looked_up(&id, &link).await), waiting);
    world.mine("LTC").await;
    assert_eq!(told(&world.looked_up(&id, &transaction).await), format!("counted {amount} LTC/LTC"));
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    assert_eq!(told(&world.looked_up(&id, &transaction).await), "unknown");
}

#[tokio::test]
async fn another_amount_address_or_payment() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let part = world.pay(&id, "0.0001").await;
    world.mine("BTC").await;
    assert_eq!(told(&world.looked_up(&id, &part).await), "counted 0.0001 BTC/BTC");
    let dust = world.pay(&id, "0.00000001").await;
    assert_eq!(told(&world.looked_up(&id, &dust).await), "waiting 0.00000001 BTC/BTC 0/1");
    world.mine("BTC").await;
    assert_eq!(told(&world.looked_up(&id, &dust).await), "too-small 0.00000001 BTC/BTC");

    // The address of another payment of the same merchant is like any other one.
    let (other, _) = world.quoted(json!({"clientPaymentId": "other"}), "BTC", "BTC").await;
    let amount = world.payment(&other).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    let address = world.payment(&other).await["walletAddress"].as_str().unwrap().to_owned();
    let foreign = world.pay(&other, &amount).await;
    assert_eq!(told(&world.looked_up(&id, &foreign).await), format!("other-address {address}"));
    world.mine("BTC").await;
    assert_eq!(told(&world.looked_up(&id, &foreign).await), format!("other-address {address}"));
}

/// An address quoted before the payer chose another pair still takes its transfer.
#[tokio::test]
async fn a_transfer_in_the_pair_of_an_earlier_choice_is_found() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let address = world.payment(&id).await["walletAddress"].clone();
    let body = json!({"depositCurrency": "LTC", "network": "LTC"});
    world.patch(&format!("/api/v1/payments/{id}"), &session, &body).await;
    let fields = json!({"network": "BTC", "currency": "BTC", "address": address, "amount": "0.001"});
    let transaction = world.transferred(fields).await;
    assert_eq!(told(&world.looked_up(&id, &transaction).await), "waiting 0.001 BTC/BTC 0/1");
}

#[tokio::test]
async fn a_transfer_without_its_tag_or_with_another_one() {
    for (currency, tag) in [("XRP", "4711"), ("XLM", "911")] {
        let world = World::new().await;
        let (id, _) = world.quoted(json!({}), currency, currency).await;
        let payment = world.payment(&id).await;
        let to_account = |tag: Option<&str>| {
            let mut body = json!({
                "network": currency, "currency": currency, "address": payment["walletAddress"], "amount": "12.5",
            });
            if let Some(tag) = tag {
                body["destinationTag"] = tag.into();
            }
            body
        };
        let pair = format!("{currency}/{currency}");
        let without = world.transferred(to_account(None)).await;
        let wrong = world.transferred(to_account(Some(tag))).await;
        assert_eq!(told(&world.looked_up(&id, &without).await), format!("no-tag 12.5 {pair}"));
        world.mine(currency).await;
        // The first look-up reports it: `untagged.rs`.
        for transaction in [&without, &wrong] {
            let record = world.app.store.payment(id.parse().unwrap()).await.unwrap().unwrap();
            look_up(&world.app, &record, transaction).await;
        }
        assert_eq!(told(&world.looked_up(&id, &without).await), format!("no-tag 12.5 {pair} reported"));
        assert_eq!(told(&world.looked_up(&id, &wrong).await), format!("other-tag 12.5 {pair} {tag}"));
        assert_eq!(world.payment(&id).await["status"], "PENDING");
    }
}

#[tokio::test]
async fn other_evm_networks_are_asked_too() {
    let world = with_networks("USDC").await;
    let (id, _) = world.quoted(json!({}), "USDC", "ETH").await;
    let address = world.payment(&id).await["walletAddress"].clone();
    let to = |network: &str, currency: &str| json!({"network": network, "currency": currency, "address": address, "amount": "2"});
    let astray = world.transferred(to("POLYGON", "USDC")).await;
    assert_eq!(told(&world.looked_up(&id, &astray).await), "waiting 2 USDC/POLYGON 0/1");
    world.mine("POLYGON").await;
    assert_eq!(told(&world.looked_up(&id, &astray).await), "counted 2 USDC/POLYGON");
    // A coin that the business does not take.
    let held = world.transferred(to("ETH", "USDT")).await;
    world.mine("ETH").await;
    assert_eq!(told(&world.looked_up(&id, &held).await), "held 2 USDT/ETH");
}

#[tokio::test]
async fn texts_that_are_no_id_of_the_network() {
    use TransactionIdError as E;

    let world = World::new().await;
    let (btc, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let (eth, _) = world.quoted(json!({"clientPaymentId": "eth"}), "ETH", "ETH").await;
    let own = world.payment(&btc).await["walletAddress"].as_str().unwrap().to_owned();
    for (id, text, expected) in [
        (&btc, "", E::Empty),
        (&btc, &own, E::Address),
        (&btc, &DIGITS[1..], E::Length { digits: 63 }),
        (&btc, "4a5e…", E::Character { position: 4 }),
        (&btc, &format!("0x{DIGITS}"), E::OtherNetwork),
        (&eth, DIGITS, E::OtherNetwork),
    ] {
        assert_eq!(world.looked_up(id, text).await, Finding::NoId(expected), "{text}");
    }
    assert_eq!(told(&world.looked_up(&eth, &format!("0x{DIGITS}")).await), "unknown");
}

#[tokio::test]
async fn a_transaction_that_moved_nothing() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    let address = world.payment(&id).await["walletAddress"].clone();
    let fields = json!({"network": "ETH", "currency": "ETH", "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "amount": "1"});
    let transaction = world.transferred(fields).await;
    assert_ne!(address, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
    world.mine("ETH").await;
    world.sandbox("reverts", json!({"transactionId": transaction})).await;
    assert_eq!(told(&world.looked_up(&id, &transaction).await), "failed");
}

#[tokio::test]
async fn the_form_needs_the_link_of_the_payment() {
    let world = World::new().await;
    let (id, session) = world.quoted(json!({}), "BTC", "BTC").await;
    let path = format!("/checkout/{id}/lookup?sessionToken={session}&theme=DARK&lookup=1");
    let long = format!("transaction={}", "x".repeat(3_000));
    for (path, body) in [
        (path.clone(), format!("transaction={DIGITS}")),
        (path.clone(), String::new()),
        (path.clone(), long),
        (path.replace(&session, "x.y"), format!("transaction={DIGITS}")),
        (format!("/checkout/{id}/lookup"), format!("transaction={DIGITS}")),
    ] {
        let answer = world.send(Request::post(&path).body(Body::from(body)).unwrap()).await;
        // The gateway of these tests draws no forms.
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{path}");
        assert!(!answer.header("location").unwrap().contains("lookup"), "{path}");
    }
    let reopened = world.send(Request::get(&path).body(Body::empty()).unwrap()).await;
    assert_eq!(reopened.status, StatusCode::SEE_OTHER);
    assert_eq!(reopened.header("location"), Some(&*path.replace("/lookup?", "?")));
}

#[tokio::test]
async fn a_network_that_is_not_watched_any_more_is_not_asked() {
    let world = World::new().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let record = world.app.store.payment(id.parse().unwrap()).await.unwrap().unwrap();
    let mut app = App::clone(&world.app);
    app.chains.clear();
    assert_eq!(look_up(&app, &record, DIGITS).await, Finding::NotAsked);
}
