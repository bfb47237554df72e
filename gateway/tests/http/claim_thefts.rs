//! What somebody with the payer's link tries, and the mistakes of a payer that would cost money. The link is in the merchant's mail,
//! in the history of a browser and on shared screenshots.

use std::sync::Arc;

use axum::http::StatusCode;
use checkout_domain::access::actor::Actor;
use checkout_domain::business::settings::Settings;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::businesses::update_business;
use serde_json::{Value, json};

use super::claims::{ETHER, Payer, from_contract, part, pay_from_contract, quoted, twice};
use super::merchant_refund_stage::{BTC, SANCTIONED, check_refused, refunding_excess, world};
use super::{START, World};

const THIEF: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
const THIEF_ETHER: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const TOKEN_CONTRACT: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

async fn refunding() -> World {
    World::with(Settings { name: Some("Fair".to_owned()), ..refunding_excess() }).await
}

#[tokio::test]
async fn the_first_claim_wins_and_a_thief_with_the_link_is_refused() {
    let check = async |world: World, payer: Payer, own: &str, thief: &str| {
        let asked = world.ask(&payer, own).await;
        let theft = async |at: &str| {
            let answer = world.claim(&payer, &asked, json!({"address": thief})).await;
            assert_eq!(answer.status, StatusCode::CONFLICT, "{at}: {}", answer.json);
            check_refused(&answer, 409, "already_claimed");
        };
        theft("asked").await;
        world.approve(&asked).await;
        theft("approved").await;
        world.run().await;
        theft("sent").await;
        let network = asked["network"].as_str().unwrap();
        world.mine(network).await;
        world.run().await;
        theft("confirmed").await;
        let sent = world.sent().await;
        assert_eq!(sent.iter().map(|(to, ..)| to.as_str()).collect::<Vec<_>>(), [own]);
        let again = world.claim(&payer, &asked, json!({"address": own})).await;
        assert_eq!((again.status, &again.json["status"]), (StatusCode::OK, &json!("CONFIRMED")));
    };
    let stage = world().await;
    let payer = twice(&stage).await;
    check(stage, payer, BTC, THIEF).await;
    let stage = world().await;
    let payer = part(&stage).await;
    check(stage, payer, BTC, THIEF).await;
    let stage = refunding().await;
    let payer = from_contract(&stage).await;
    check(stage, payer, ETHER, THIEF_ETHER).await;
}

/// A thief who is first gets nothing before the merchant says so, and the payer sees the address.
#[tokio::test]
async fn a_thief_who_is_first_is_seen_and_refused() {
    let world = refunding().await;
    let payer = from_contract(&world).await;
    let asked = world.ask(&payer, THIEF_ETHER).await;
    assert_eq!(world.claimed(&payer).await["address"], THIEF_ETHER, "the payer sees whose address it is");
    world.decide_claim(&asked, "refuse", json!({})).await;
    // The link is in wrong hands: it names no other address.
    check_refused(&world.claim(&payer, &asked, json!({"address": ETHER})).await, 409, "already_claimed");
    let refund = json!({"refundId": asked["claimId"]});
    let given = world.decide_refund(&refund, "address", Some(json!({"address": ETHER}))).await;
    assert_eq!(given.status, StatusCode::OK, "the merchant names what the payer said: {}", given.json);
    world.run().await;
    assert_eq!(world.sent().await[0].0, ETHER);
}

/// A refusal holds: where the merchant sends it instead does not take it, and the link still names no other address.
#[tokio::test]
async fn a_refused_claim_stays_refused_when_the_merchants_address_is_blocked() {
    let world = refunding().await;
    let payer = from_contract(&world).await;
    let asked = world.ask(&payer, THIEF_ETHER).await;
    let refused = world.decide_claim(&asked, "refuse", json!({"reason": "Please write to us."})).await;
    assert_eq!(refused.status, StatusCode::OK, "{}", refused.json);
    let refund = json!({"refundId": asked["claimId"]});
    for _ in 0..2 {
        let given = world.decide_refund(&refund, "address", Some(json!({"address": SANCTIONED}))).await;
        assert_eq!(given.status, StatusCode::OK, "{}", given.json);
        world.run().await;
        let now = world.refund_now(&refund).await;
        assert_eq!([&now["waitingFor"], &now["waitingReason"]], ["ADDRESS", "BLOCKED"], "{now:#}");
        let shown = world.claimed(&payer).await;
        assert_eq!([&shown["status"], &shown["reason"]], ["REFUSED", "Please write to us."], "{shown:#}");
        for address in [THIEF_ETHER, ETHER] {
            let again = world.claim(&payer, &asked, json!({"address": address})).await;
            assert_ne!(again.status, StatusCode::CREATED, "{}", again.json);
        }
        check_refused(&world.decide_refund(&refund, "approve", None).await, 409, "refund_state");
    }
    let given = world.decide_refund(&refund, "address", Some(json!({"address": ETHER}))).await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.json);
    world.run().await;
    assert_eq!(world.sent().await[0].0, ETHER);
}

/// Twenty tabs, and twenty thieves.
#[tokio::test]
async fn claims_at_once_are_paid_once() {
    let world = Arc::new(world().await);
    let payer = Arc::new(twice(&world).await);
    let claim = world.claimed(&payer).await;
    let tasks = (0..20).map(|number| {
        let (world, payer, claim) = (Arc::clone(&world), Arc::clone(&payer), claim.clone());
        let address = if number % 2 == 0 { BTC } else { THIEF };
        tokio::spawn(async move { world.claim(&payer, &claim, json!({"address": address})).await })
    });
    let tasks: Vec<_> = tasks.collect();
    let mut made = 0;
    for task in tasks {
        let answer = task.await.unwrap();
        made += usize::from(answer.status == StatusCode::CREATED);
        assert!([200, 201, 409].contains(&answer.status.as_u16()), "{}", answer.json);
    }
    assert_eq!(made, 1);
    world.approve(&claim).await;
    world.run().await;
    assert_eq!(world.sent().await.len(), 1);
}

/// The merchant refunds by hand while the payer asks.
#[tokio::test]
async fn a_claim_and_a_refund_of_the_merchant_are_never_more_than_was_paid() {
    let world = world().await;
    let payer = part(&world).await;
    let claim = world.claimed(&payer).await;
    world.refunded(&payer.id, json!({"address": THIEF})).await;
    let late = world.claim(&payer, &claim, json!({"address": BTC})).await;
    assert_eq!(late.status, StatusCode::NOT_FOUND, "it went back already: {}", late.json);
    world.run().await;
    let sent: u64 = world.sent().await.iter().map(|(_, _, atoms)| atoms.parse::<u64>().unwrap()).sum();
    assert!(sent <= 100_000, "{sent}");

    let payer = part(&world).await;
    let asked = world.ask(&payer, BTC).await;
    let refund = world.refund(&payer.id, json!({"clientRefundId": "r-2", "address": THIEF})).await;
    check_refused(&refund, 409, "nothing_to_refund");
    world.approve(&asked).await;
    check_refused(&world.decide_claim(&asked, "refuse", json!({})).await, 409, "refund_state");
    world.run().await;
    assert_eq!(world.sent().await.len(), 2);
}

/// Of a payment that was paid twice the merchant gives one transfer back: neither the page nor a limit gives it back again.
#[tokio::test]
async fn a_second_transfer_that_the_merchant_gave_back_cannot_be_asked_for() {
    let check = async |refund: Value, left: &[&str]| {
        let world = world().await;
        let claim_limit = Some(Some("1000".parse().unwrap()));
        world.rules(RuleChanges { claim_limit, ..RuleChanges::default() }).await;
        let payer = twice(&world).await;
        let claim = world.claimed(&payer).await;
        world.refunded(&payer.id, refund.clone()).await;
        let claims = world.claims(&payer).await;
        let of_deposits = claims.iter().filter(|claim| claim.get("depositId").is_some());
        let amounts: Vec<_> = of_deposits.map(|claim| claim["amount"].as_str().unwrap()).collect();
        assert_eq!(amounts, left, "{refund}");
        let asked = world.claim(&payer, &claim, json!({"address": THIEF})).await;
        let expected = if left.is_empty() { (404, None) } else { (201, Some("ASKED")) };
        assert_eq!(
            (asked.status.as_u16(), asked.json["status"].as_str().filter(|_| !left.is_empty())),
            expected
        );
        world.run().await;
        assert!(world.sent().await.iter().all(|(to, ..)| to != THIEF), "{refund}");
    };
    check(json!({"amount": "0.00166667", "address": BTC}), &[]).await;
    // The payer names the address of the merchant's refund instead.
    check(json!({"amount": "0.00166667"}), &[]).await;
    check(json!({"amount": "0.00066667", "address": BTC}), &["0.00097"]).await;
    check(json!({"amount": "0.002", "address": BTC}), &[]).await;
}

/// The merchant approves and refuses in twenty windows at once.
#[tokio::test]
async fn decisions_at_once_decide_once() {
    let check = async |world: World, payer: Payer, address: &str| {
        let asked = world.ask(&payer, address).await;
        let world = Arc::new(world);
        let tasks = (0..20).map(|number| {
            let (world, asked) = (Arc::clone(&world), asked.clone());
            let decision = if number % 2 == 0 { "approve" } else { "refuse" };
            tokio::spawn(async move { (decision, world.decide_claim(&asked, decision, json!({})).await) })
        });
        let tasks: Vec<_> = tasks.collect();
        let mut taken = std::collections::BTreeSet::new();
        for task in tasks {
            let (decision, answer) = task.await.unwrap();
            assert!([200, 409].contains(&answer.status.as_u16()), "{}", answer.json);
            taken.extend(Some(decision).filter(|_| answer.status == StatusCode::OK));
        }
        assert_eq!(taken.len(), 1, "{taken:?}");
        let is_approved = taken.contains("approve");
        world.run().await;
        assert_eq!(world.sent().await.len(), usize::from(is_approved));
        let after = if is_approved { "refuse" } else { "approve" };
        check_refused(&world.decide_claim(&asked, after, json!({})).await, 409, "refund_state");
    };
    let stage = world().await;
    let payer = twice(&stage).await;
    check(stage, payer, BTC).await;
    let stage = refunding().await;
    let payer = from_contract(&stage).await;
    check(stage, payer, ETHER).await;
}

/// The deposit was double-spent after the payer asked for it, and the merchant approves.
#[tokio::test]
async fn a_deposit_that_left_the_chain_is_not_given_back() {
    let world = world().await;
    let payer = quoted(&world, "BTC", "BTC").await;
    let transaction = world.pay(&payer.id, "0.001").await;
    world.mine("BTC").await;
    world.advance(7200).await;
    let asked = world.ask(&payer, BTC).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    world.mine("BTC").await;
    world.approve(&asked).await;
    world.run().await;
    assert!(world.sent().await.is_empty());
    let refund = world.get("/api/v1/refunds", &world.token).await.json[0].clone();
    assert_eq!(world.decide_refund(&refund, "cancel", None).await.status, StatusCode::OK);
    world.run().await;
    assert!(world.sent().await.is_empty());
}

/// Another network drops what paid the price: less is too much, and the address stays.
#[tokio::test]
async fn a_refund_whose_amount_changes_keeps_the_first_address() {
    let world = refunding().await;
    let payer = quoted(&world, "BTC", "BTC").await;
    let bitcoin = world.payment(&payer.id).await["walletAddress"].clone();
    let choice = json!({"depositCurrency": "ETH", "network": "ETH"});
    let path = format!("/api/v1/payments/{}", payer.id);
    let chosen = world.call(axum::http::Method::PATCH, &path, Some(&payer.session), Some(&choice)).await;
    assert_eq!(chosen.status, StatusCode::OK, "{}", chosen.json);
    let mut transfers = Vec::new();
    for _ in 0..2 {
        let body = json!({"network": "BTC", "currency": "BTC", "address": bitcoin, "amount": "0.0005"});
        transfers.push(world.sandbox("transfers", body).await);
        world.mine("BTC").await;
    }
    pay_from_contract(&world, &payer).await;
    let first = world.ask(&payer, ETHER).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": transfers[1]["transactionId"]})).await;
    world.mine("BTC").await;
    world.run().await;
    let now = world.claimed(&payer).await;
    assert_ne!(now["amount"], first["amount"]);
    assert_eq!((&now["status"], &now["address"]), (&json!("ASKED"), &json!(ETHER)));
    check_refused(&world.claim(&payer, &now, json!({"address": THIEF_ETHER})).await, 409, "already_claimed");
    world.approve(&now).await;
    world.run().await;
    let sent = world.sent().await;
    assert_eq!(sent.iter().map(|(to, ..)| to.as_str()).collect::<Vec<_>>(), [ETHER]);
}

/// What was asked for back does not pay together with the rest.
#[tokio::test]
async fn a_part_that_is_asked_for_does_not_pay_with_the_rest() {
    let world = world().await;
    let payer = part(&world).await;
    let asked = world.ask(&payer, BTC).await;
    world.pay(&payer.id, "0.00066667").await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&payer.id).await["status"], "EXPIRED");
    let refused = world.decide_claim(&asked, "refuse", json!({})).await;
    assert_eq!(refused.status, StatusCode::OK, "{}", refused.json);
    world.run().await;
    world.mine("BTC").await;
    assert_eq!(
        world.payment(&payer.id).await["status"],
        "DEPOSITED",
        "it is paid, because nothing goes back"
    );
}

#[tokio::test]
async fn addresses_where_the_money_would_be_lost_are_refused() {
    let world = refunding().await;
    let other = quoted(&world, "BTC", "BTC").await;
    let elsewhere = quoted(&world, "USDT", "BSC").await;
    let payer = from_contract(&world).await;
    let claim = world.claimed(&payer).await;
    let address_of =
        async |payer: &Payer| world.payment(&payer.id).await["walletAddress"].as_str().unwrap().to_owned();
    let (own, bsc, btc) = (address_of(&payer).await, address_of(&elsewhere).await, address_of(&other).await);
    let truncated = &ETHER[..41];
    let mistyped = ETHER.replace("dbF0", "dBF0");
    for (address, status, what) in [
        (own.as_str(), 400, "the address of the payment"),
        (bsc.as_str(), 400, "a deposit address of this gateway, on a network with the same accounts"),
        (btc.as_str(), 422, "an address of another network"),
        (TOKEN_CONTRACT, 422, "the contract of a token"),
        (truncated, 422, "a digit is missing"),
        (mistyped.as_str(), 422, "the checksum does not fit"),
        ("", 422, "nothing"),
    ] {
        let answer = world.claim(&payer, &claim, json!({"address": address})).await;
        assert_eq!(answer.status.as_u16(), status, "{what}: {}", answer.json);
        assert_eq!(answer.json["errors"][0]["pointer"], "/address", "{what}: {}", answer.json);
    }
    assert_eq!(world.claimed(&payer).await["status"], "OPEN", "nothing was changed");
}

/// A sanctioned address is approved by nobody's mistake.
#[tokio::test]
async fn a_blocked_address_gets_nothing_and_another_one_can_be_named() {
    let world = refunding().await;
    let payer = from_contract(&world).await;
    let asked = world.ask(&payer, SANCTIONED).await;
    world.approve(&asked).await;
    world.run().await;
    assert!(world.sent().await.is_empty());
    assert_eq!(world.claimed(&payer).await["status"], "OPEN");
    let asked = world.ask(&payer, ETHER).await;
    world.approve(&asked).await;
    world.run().await;
    assert_eq!(world.sent().await[0].0, ETHER);
}

#[tokio::test]
async fn only_the_session_of_the_payment_asks() {
    let world = world().await;
    let payer = twice(&world).await;
    let other = twice(&world).await;
    let claim = world.claimed(&payer).await;
    let body = json!({"claimId": claim["claimId"], "address": BTC});
    let check = async |payment: &str, token: &str, expected: u16| {
        let answer = world.post(&format!("/api/v1/checkout/{payment}/claims"), token, &body).await;
        assert_eq!(answer.status.as_u16(), expected, "{}", answer.json);
    };
    check(&payer.id, &other.session, 404).await;
    check(&other.id, &other.session, 404).await;
    check(&payer.id, &world.token, 404).await;
    check(&payer.id, "no-such-token", 401).await;
    let guessed = json!({"claimId": "01a3185c-50fa-7000-8000-000000000099"});
    let answer = world.claim(&payer, &guessed, json!({"address": BTC})).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    check(&payer.id, &payer.session, 201).await;
}

#[tokio::test]
async fn a_disabled_business_pays_no_claim() {
    let world = refunding().await;
    let payer = from_contract(&world).await;
    let asked = world.ask(&payer, ETHER).await;
    let disabled = Settings { disabled: Some(true), ..Settings::default() };
    let store = world.app.store.as_ref();
    let by = (&Actor::CommandLine, START);
    update_business::update(store, world.business.id, disabled, RuleChanges::default(), by).await.unwrap();
    check_refused(&world.decide_claim(&asked, "approve", json!({})).await, 403, "business_disabled");
}
