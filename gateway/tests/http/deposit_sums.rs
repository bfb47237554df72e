//! The sums of deposits that are kept in the store: after any change they are those of all deposits, and a gateway that uses
//! them does the same as one that reads every deposit.

use checkout_domain::ids::PaymentId;
use std::collections::BTreeMap;

use axum::http::Method;
use checkout_core::decimal;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::screening::Decision;
use checkout_domain::payment::deposit_sums::DepositSums;
use checkout_domain::ports::Store as _;
use checkout_gateway::service::transfers::screen_deposits::{self, decide};
use checkout_storage::query;
use serde_json::{Value, json};

use super::World;
use super::flagged::BITCOIN;
use crate::fixture::Look as _;

const STORIES: u64 = 8;
const STEPS: usize = 60;

/// Coin, network, amounts: dust, small ones, odd ones, much of the price.
const COINS: [(&str, &str, [&str; 4]); 4] = [
    ("BTC", "BTC", ["0.0000009", "0.00002", "0.00002001", "0.0001"]),
    ("USDT", "BSC", ["0.001", "0.100000000000000001", "1.333333333333333333", "7"]),
    ("USDT", "ETH", ["0.001", "0.1", "1.333333", "7"]),
    ("LINK", "ETH", ["0.001", "0.0333", "0.1", "0.5"]),
];
const RATES: [(&str, &str); 5] =
    [("BTC", "60000"), ("BTC", "61234.56"), ("USDT", "0.92"), ("USDT", "0.9171"), ("LINK", "13.7")];

/// splitmix64: the same story for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % sides).unwrap()
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len() as u64)]
    }
}

/// The payment and the balances after each step, and how often there were sums.
type Outcome = (Vec<Value>, BTreeMap<String, String>, usize);

async fn story(seed: u64, forgets: bool) -> Outcome {
    let mut dice = Dice(seed);
    let limit = dice.pick(&[None, Some("15"), Some("3")]);
    let (refund_excess, refund_follow_ups) = (dice.roll(2) == 0, dice.roll(2) == 0);
    let world = World::with(Settings {
        name: Some("Kettle & Co".to_owned()),
        instant_deposit_limit: Some(limit.map(|limit| decimal::parse(limit, 2).unwrap())),
        refund_excess: Some(refund_excess),
        refund_follow_ups: Some(refund_follow_ups),
        deposit_currencies: Some(vec![checkout_core::Currency::Btc, checkout_core::Currency::Usdt]),
        ..Settings::default()
    })
    .await;
    let price = dice.pick(&["5.00", "25.00", "100.00", "1000.00"]);
    let fields = json!({"type": dice.pick(&["ONE_TIME", "REUSABLE"]), "rateType": dice.pick(&["FIXED", "FLOATING"]),
        "displayAmount": price, "expirationMinutes": 0});
    let (id, _) = world.quoted(fields, "USDT", "BSC").await;
    let mut addresses = BTreeMap::new();
    for (currency, network) in [("USDT", "BSC"), ("USDT", "ETH"), ("BTC", "BTC")] {
        addresses.insert(network, quote(&world, &id, currency, network).await["walletAddress"].clone());
    }
    let (mut steps, mut sent, mut kept) = (Vec::new(), Vec::new(), 0);
    for _ in 0..STEPS {
        match dice.roll(20) {
            0..=8 => {
                let (currency, network, amounts) = dice.pick(&COINS);
                let sender = if network == "BTC" && dice.roll(8) == 0 { BITCOIN } else { "" };
                let mut body = json!({"network": network, "currency": currency, "address": addresses[network],
                    "amount": dice.pick(&amounts)});
                if !sender.is_empty() {
                    body["fromAddress"] = json!(sender);
                }
                sent.push(world.sandbox("transfers", body).await["transactionId"].clone());
            }
            9..=12 => world.mine(dice.pick(&["BTC", "BTC", "BSC", "ETH"])).await,
            13 => {
                let body = json!({"network": dice.pick(&["BTC", "BSC", "ETH"]), "depth": 1 + dice.roll(2)});
                world.call(Method::POST, "/sandbox/reorgs", None, Some(&body)).await;
            }
            14 if !sent.is_empty() => {
                let body = json!({"transactionId": sent[dice.roll(sent.len() as u64)]});
                world.call(Method::POST, "/sandbox/drops", None, Some(&body)).await;
            }
            15 => {
                let (currency, rate) = dice.pick(&RATES);
                world.sandbox("rates", json!({"from": currency, "to": "EUR", "rate": rate})).await;
            }
            16 => {
                let (currency, network) = dice.pick(&[("BTC", "BTC"), ("USDT", "BSC"), ("USDT", "ETH")]);
                quote(&world, &id, currency, network).await;
            }
            17 => world.flag("BTC", BITCOIN, dice.roll(2) == 0).await,
            18 => {
                let held = "SELECT id FROM deposits WHERE screening IN ('FLAGGED', 'RELEASING', 'REFUSING', 'REFUSED')
                    ORDER BY seen_seq";
                let held = world.database.texts(held).await;
                let decision = dice.pick(&[Decision::Release, Decision::Refuse]);
                let (which, is_applied) = (dice.roll(10), dice.roll(3) > 0);
                if let Some(held) = held.get(which % held.len().max(1)) {
                    let deposit = held[0].as_ref().unwrap().parse().unwrap();
                    decide(&world.database, deposit, decision).await.unwrap();
                    if is_applied {
                        screen_deposits::run(&world.app).await.unwrap();
                    }
                }
            }
            _ => world.advance(600).await,
        }
        kept += usize::from(check(&world, &id).await);
        if forgets {
            world.database.apply(query("DELETE FROM deposit_sums")).await.unwrap();
        }
        steps.push(shown(world.payment(&id).await));
    }
    (steps, world.balances().await, kept)
}

/// It may be refused.
async fn quote(world: &World, id: &str, currency: &str, network: &str) -> Value {
    let body = json!({"depositCurrency": currency, "network": network});
    let answer = world.patch(&format!("/api/v1/payments/{id}"), &world.token, &body).await;
    answer.json["paymentInfo"].clone()
}

/// Compares the stored sums, if there are any, with those of all deposits.
async fn check(world: &World, id: &str) -> bool {
    let id: PaymentId = id.parse().unwrap();
    let mut tx = world.database.begin().await.unwrap();
    let record = tx.payment(id).await.unwrap().unwrap();
    let kept = tx.deposit_sums(&[id]).await.unwrap().remove(&id);
    let Some(kept) = kept.filter(|kept| kept.quotes == record.quotes.len()) else { return false };
    assert_eq!(kept, DepositSums::of(&record));
    assert!(kept.suffice(&record) && record.refunds().next().is_none());
    true
}

/// Without the ids and addresses, which are random.
fn shown(mut payment: Value) -> Value {
    for name in ["paymentId", "businessId", "depositsUrl", "walletAddress"] {
        payment.as_object_mut().unwrap().remove(name);
    }
    for deposit in payment["deposits"].as_array_mut().unwrap() {
        for name in ["id", "transactionId", "toAddress"] {
            deposit[name] = Value::Null;
        }
        if let Some(refund) = deposit.get_mut("refund").and_then(Value::as_object_mut) {
            refund.remove("transactionId");
        }
    }
    payment
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_with_sums_does_the_same_as_one_that_reads_every_deposit() {
    let (mut with_sums, mut without) = (0, 0);
    for seed in 1..=STORIES {
        let (used, forgotten) = tokio::join!(story(seed, false), story(seed, true));
        for (step, (used, forgotten)) in used.0.iter().zip(&forgotten.0).enumerate() {
            assert_eq!(used, forgotten, "story {seed}, step {step}");
        }
        assert_eq!(used.1, forgotten.1, "story {seed}");
        with_sums += used.2;
        without += STEPS - used.2;
    }
    assert!(with_sums > 50 && without > 50, "{with_sums} steps with sums, {without} without");
}
