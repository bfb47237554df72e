//! Limits on a stolen token: limits of withdrawals, approvals, whitelisted recipients.

use checkout_core::{Decimal, decimal};
use checkout_domain::access::actor::Actor::CommandLine;
use checkout_domain::ports::withdrawal_rules::WithdrawalRuleStore as _;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::payouts::seen::Seen;
use checkout_gateway::service::payouts::withdrawal_rules::{Decided, Decision};
use checkout_gateway::service::payouts::{pay_out, withdrawal_rules};
use serde_json::{Value, json};

use super::{Answer, World};

const XRP: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

fn eur(text: &str) -> Decimal {
    decimal::parse(text, 2).unwrap()
}

/// A business with 995 EUR and these rules.
async fn world(changes: RuleChanges) -> World {
    let world = World::rich().await;
    crate::fixture::change_rules(world.app.store.as_ref(), world.business.id, changes).await.unwrap();
    world
}

/// Withdraws 60 EUR.
async fn withdraw(world: &World, id: &str, fields: Value) -> Answer {
    world.withdraw(super::over(json!({"clientWithdrawalId": id}), fields)).await
}

fn errors(answer: &Answer) -> Vec<(String, String)> {
    assert_eq!(answer.status, 422, "{}", answer.json);
    answer.errors()
}

#[tokio::test]
async fn no_more_than_the_daily_limit_is_withdrawn() {
    let world = world(RuleChanges { daily_limit: Some(Some(eur("130"))), ..RuleChanges::default() }).await;
    let over = [("/targetAmount".to_owned(), "above_daily_limit".to_owned())];
    assert_eq!(withdraw(&world, "a", json!({})).await.status, 201);
    assert_eq!(withdraw(&world, "b", json!({})).await.status, 201);
    assert_eq!(errors(&withdraw(&world, "c", json!({})).await), over);
    assert_eq!(withdraw(&world, "b", json!({})).await.status, 200, "a replay");
    pay_out::run(&world.app).await.unwrap();
    assert_eq!(errors(&withdraw(&world, "c", json!({})).await), over, "sent ones count");
    world.advance(86_399).await;
    assert_eq!(errors(&withdraw(&world, "c", json!({})).await), over);
    world.advance(2).await;
    assert_eq!(withdraw(&world, "c", json!({})).await.status, 201);
    let no_limit = RuleChanges { daily_limit: Some(None), ..RuleChanges::default() };
    crate::fixture::change_rules(world.app.store.as_ref(), world.business.id, no_limit).await.unwrap();
    for id in ["d", "e", "f"] {
        assert_eq!(withdraw(&world, id, json!({})).await.status, 201);
    }
}

/// 50 at once, with money for eleven and a limit for two.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_withdrawals_at_once_stay_within_the_limit() {
    let world = std::sync::Arc::new(
        world(RuleChanges { daily_limit: Some(Some(eur("130"))), ..RuleChanges::default() }).await,
    );
    let tasks: Vec<_> = (0..50)
        .map(|number| {
            let world = std::sync::Arc::clone(&world);
            tokio::spawn(async move { withdraw(&world, &format!("w-{number}"), json!({})).await.status })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        made += usize::from(task.await.unwrap() == 201);
    }
    assert_eq!(made, 2);
    assert_eq!(world.stored("status").await.len(), 2);
}

#[tokio::test]
async fn a_large_withdrawal_waits_for_an_approval() {
    let world =
        world(RuleChanges { approval_above: Some(Some(eur("59.99"))), ..RuleChanges::default() }).await;
    let seen = Seen { address: EVM.to_owned(), tag: None, memo_type: None, amount: "0.02".to_owned() };
    let other = Seen { amount: "0.2".to_owned(), ..seen.clone() };
    let decide = async |id: &Value, decision| {
        let id = id.as_str().unwrap().parse().unwrap();
        withdrawal_rules::decide(
            world.app.store.as_ref(),
            (world.app.new_id(), world.app.clock.now()),
            id,
            decision,
        )
        .await
        .unwrap()
    };
    let before = world.balances().await["FIAT EUR"].clone();
    let [small, approved, rejected] = [("a", "0.015"), ("b", "0.02"), ("c", "0.02")]
        .map(|(id, amount)| (id, json!({"targetAmount": amount})));
    let mut ids = Vec::new();
    for (id, fields) in [small, approved, rejected] {
        let made = withdraw(&world, id, fields).await;
        assert_eq!((made.status.as_u16(), &made.json["status"]), (201, &json!("NEW")));
        ids.push(made.json["withdrawId"].clone());
    }
    let reserved = world.balances().await;
    for _ in 0..2 {
        pay_out::run(&world.app).await.unwrap();
    }
    let status = async || world.stored("status").await.into_iter().flatten().collect::<Vec<_>>();
    assert_eq!(status().await, ["COMPLETED", "NEW", "NEW"]);
    assert_eq!(world.balances().await["FIAT EUR"], reserved["FIAT EUR"], "the money is reserved");
    assert_eq!(world.database.unapproved().await.unwrap().len(), 2);
    assert_eq!(decide(&ids[0], Decision::Reject).await, Decided::NotWaiting, "it needs none");
    assert_eq!(decide(&ids[1], Decision::Approve(&other, &CommandLine)).await, Decided::Changed);
    assert_eq!(decide(&ids[1], Decision::Approve(&seen, &CommandLine)).await, Decided::Done);
    assert_eq!(decide(&ids[2], Decision::Reject).await, Decided::Done);
    assert_eq!(
        decide(&ids[2], Decision::Approve(&seen, &CommandLine)).await,
        Decided::NotWaiting,
        "it is decided"
    );
    for _ in 0..2 {
        pay_out::run(&world.app).await.unwrap();
    }
    assert_eq!(status().await, ["COMPLETED", "COMPLETED", "BLOCKED"]);
    assert_eq!(world.sent().await.len(), 2);
    assert_ne!(world.balances().await["FIAT EUR"], before);
    let balances = world.balances().await;
    assert!(!balances.contains_key("WITHDRAWALS EUR"), "nothing is reserved any more: {balances:?}");
}

#[tokio::test]
async fn only_whitelisted_recipients_with_their_tag_are_paid() {
    let world = world(RuleChanges { whitelist_only: Some(true), ..RuleChanges::default() }).await;
    let refused = [("/recipientAddress".to_owned(), "not_whitelisted".to_owned())];
    let xrp = |tag: &str| json!({"withdrawCurrency": "XRP", "network": "XRP", "recipientAddress": XRP, "destinationTag": tag, "targetAmount": "20"});
    assert_eq!(errors(&withdraw(&world, "a", xrp("7")).await), refused);
    let entry = json!({"clientAddressId": "x", "currency": "XRP", "network": "XRP", "address": XRP, "destinationTag": "7"});
    let added = world.post("/whitelist-addresses", &world.token, &entry).await;
    assert_eq!(added.status, 201, "{}", added.json);
    assert_eq!(
        errors(&withdraw(&world, "new", xrp("7")).await),
        refused,
        "the token that added it pays it at once"
    );
    world.advance(86_400).await;
    assert_eq!(errors(&withdraw(&world, "b", xrp("8")).await), refused, "another tag");
    assert_eq!(errors(&withdraw(&world, "c", over_tag(xrp("7"))).await), refused, "no tag");
    assert_eq!(withdraw(&world, "d", xrp("7")).await.status, 201);
    let entry = json!({"clientAddressId": "y", "currency": "USDT", "network": "ETH", "address": EVM});
    assert_eq!(world.post("/whitelist-addresses", &world.token, &entry).await.status, 201);
    world.advance(86_400).await;
    assert_eq!(errors(&withdraw(&world, "e", json!({})).await), refused, "ETH is another currency");
}

fn over_tag(body: Value) -> Value {
    super::over(body, json!({"destinationTag": null}))
}
