//! Deposits held for another reason than their sender: a currency that the business does not accept, or an
//! amount that cannot be booked.

use std::sync::Arc;

use checkout_core::Currency;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::screening::{Decision, Screening};
use checkout_gateway::service::transfers::screen_deposits::{self, Decided, decide};
use serde_json::{Value, json};

use super::World;
use super::callbacks::deliver;
use super::flagged::the_deposit;
use super::inbox::Inbox;

/// A business that accepts these currencies.
async fn taking(inbox: &Inbox, currencies: &[Currency]) -> World {
    World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        deposit_callback: Some(inbox.url.clone()),
        deposit_currencies: Some(currencies.to_vec()).filter(|some| !some.is_empty()),
        ..Settings::default()
    })
    .await
}

/// Sends another token to the address of a payment.
async fn send(world: &World, id: &str, currency: &str, amount: &str) {
    let payment = world.payment(id).await;
    let body = json!({
        "network": payment["expectedNetwork"], "currency": currency, "address": payment["walletAddress"],
        "amount": amount,
    });
    world.sandbox("transfers", body).await;
    world.mine(payment["expectedNetwork"].as_str().unwrap()).await;
}

async fn decided(world: &World, decision: Decision) -> Decided {
    let all = world.app.store.flagged_deposits(None, None, 10).await.unwrap();
    let decided = decide(&world.database, all[0].deposit, decision).await.unwrap();
    screen_deposits::run(&world.app).await.unwrap();
    decided
}

async fn reasons(world: &World) -> Vec<(&'static str, Screening)> {
    let all = world.app.store.flagged_deposits(Some(world.business.id), None, 10).await.unwrap();
    all.iter().map(|held| (held.reason(), held.screening)).collect()
}

#[track_caller]
fn check(payment: &Value, status: &str, actual: &str) {
    let have = (payment["status"].as_str().unwrap(), payment["actualDepositAmount"].as_str().unwrap());
    assert_eq!(have, (status, actual), "{payment:#}");
}

/// A payer sends USDT to a USDC address, or LINK to an ETH address, of a business that does not accept it.
#[tokio::test]
async fn an_unaccepted_token_is_held_for_an_operator() {
    for (takes, currency, wrong) in
        [(Currency::Usdc, "USDC", "USDT"), (Currency::Eth, "ETH", "LINK"), (Currency::Usdt, "USDT", "ETH")]
    {
        let inbox = Inbox::open();
        let world = taking(&inbox, &[takes]).await;
        let (id, _) = world.quoted(json!({}), currency, "ETH").await;
        send(&world, &id, wrong, "200").await;
        check(&world.payment(&id).await, "PENDING", "0");
        assert_eq!(world.payment(&id).await["deposits"][0]["hold"], "CURRENCY");
        assert_eq!(reasons(&world).await, [("CURRENCY", Screening::Flagged)], "{wrong} for {currency}");
        let held = [(format!("CHAIN {wrong}"), "-200"), (format!("HELD {wrong}"), "200")];
        let held: Vec<(&str, &str)> = held.iter().map(|(name, sum)| (name.as_str(), *sum)).collect();
        World::check_balances(&world.balances().await, &held);
        screen_deposits::run(&world.app).await.unwrap();
        deliver(&world).await;
        assert!(inbox.received().is_empty(), "no callback for {wrong}");

        assert_eq!(decided(&world, Decision::Refuse).await, Decided::Kept);
        check(&world.payment(&id).await, "PENDING", "0");
        assert_eq!(decided(&world, Decision::Release).await, Decided::Kept);
        let status = world.payment(&id).await["status"].clone();
        assert!(status == "OVERPAID" || status == "DEPOSITED", "{status}");
        deliver(&world).await;
        assert_eq!(inbox.received()[0].json()["depositCurrency"], wrong);
    }
}

/// A held token changes nothing of the payment: the payer can choose another currency and pay, and the window ends.
#[tokio::test]
async fn a_held_token_blocks_neither_the_choice_nor_the_end() {
    let inbox = Inbox::open();
    let world = taking(&inbox, &[Currency::Usdc, Currency::Btc]).await;
    let (id, session) = world.quoted(json!({}), "USDC", "ETH").await;
    send(&world, &id, "USDT", "200").await;
    let chosen = json!({"depositCurrency": "BTC"});
    let answer = world.patch(&format!("/api/v1/payments/{id}"), &session, &chosen).await;
    assert_eq!(answer.status, 200, "{:#}", answer.json);
    let quoted = world.payment(&id).await;
    world.pay(&id, quoted["expectedDepositAmount"].as_str().unwrap()).await;
    world.mine("BTC").await;
    check(&world.payment(&id).await, "DEPOSITED", quoted["expectedDepositAmount"].as_str().unwrap());

    let (id, _) = world.quoted(json!({"clientPaymentId": "order-2"}), "USDC", "ETH").await;
    send(&world, &id, "USDT", "200").await;
    world.advance(1_800).await;
    check(&world.payment(&id).await, "EXPIRED", "0");
    assert_eq!(decided(&world, Decision::Release).await, Decided::Kept);
    assert_eq!(world.payment(&id).await["deposits"][0].get("hold"), None);
}

/// An accepted token counts at its value, although another one was quoted. So does one that was accepted at
/// the time of its quote.
#[tokio::test]
async fn an_accepted_token_is_credited() {
    let inbox = Inbox::open();
    let world = taking(&inbox, &[Currency::Usdc, Currency::Usdt]).await;
    let (id, _) = world.quoted(json!({}), "USDC", "ETH").await;
    send(&world, &id, "USDT", "200").await;
    assert_eq!(world.payment(&id).await["status"], "OVERPAID");
    let (id, _) = world.quoted(json!({"clientPaymentId": "order-2"}), "USDC", "ETH").await;
    let mut tx = world.app.store.begin().await.unwrap();
    let only_usdt = vec![Currency::Usdt];
    let business =
        checkout_domain::business::Business { deposit_currencies: only_usdt, ..world.business.clone() };
    tx.put_business(&business).await.unwrap();
    tx.commit().await.unwrap();
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    send(&world, &id, "USDC", &amount).await;
    check(&world.payment(&id).await, "DEPOSITED", &amount);
    assert_eq!(reasons(&world).await, []);
}

/// A flagged sender takes precedence as the reason, whatever the currency.
#[tokio::test]
async fn a_flagged_sender_is_the_reason_for_any_token() {
    let inbox = Inbox::open();
    let world = taking(&inbox, &[Currency::Eth]).await;
    let sender = checkout_core::Network::Eth.spec().example;
    world.flag("ETH", sender, true).await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    send(&world, &id, "LINK", "1").await;
    assert_eq!(reasons(&world).await, [("SENDER", Screening::Flagged)]);
}

/// More ether than the ledger can hold is held and listed. It can be refused, but not released.
#[tokio::test]
async fn an_amount_beyond_the_ledger_is_held_and_listed() {
    let inbox = Inbox::open();
    let world = Arc::new(taking(&inbox, &[]).await);
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    send(&world, &id, "ETH", "99999999999999999999").await;
    let payment = world.payment(&id).await;
    check(&payment, "AWAITING", "0");
    assert_eq!(payment["deposits"][0]["depositAmount"], "99999999999999999999");
    assert_eq!(reasons(&world).await, [("AMOUNT", Screening::Flagged)]);
    World::check_balances(&world.balances().await, &[]);
    assert_eq!(
        decide(&world.database, the_deposit(&payment), Decision::Release).await.unwrap(),
        Decided::TooLarge
    );
    assert_eq!(decided(&world, Decision::Refuse).await, Decided::Kept);
    let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    send(&world, &id, "ETH", &amount).await;
    check(&world.payment(&id).await, "DEPOSITED", &amount);
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 1);
}
