//! "Is that your own wallet?": said late, twice, at a bad moment, or after the money was sent already.

use axum::http::StatusCode;
use checkout_core::chain::CHAINS;
use checkout_core::{Currency, Network};
use checkout_domain::chain::finality::Finality;
use checkout_domain::chain::screening::Decision;
use checkout_wire::payment::RefundAddress;
use serde_json::{Value, json};

use super::claims::{Payer, quoted};
use super::flagged::the_deposit;
use super::merchant_refund_stage::BTC;
use super::own_wallet::{OTHER, confirm, in_world, mine, overpaid, pay, refund, sent, world};

/// The first address counts, also for the gateway that lost its database.
#[tokio::test]
async fn a_refund_that_the_lost_gateway_sent_elsewhere_is_not_sent_back_too() {
    for [until, days] in [[0, 0], [29, 2]] {
        let world = world(RefundAddress::Payer).await;
        let payer = overpaid(&world).await;
        let lost = (Currency::Btc, Network::Btc);
        let lost = world.refunded_by_the_lost_gateway(lost, "0.0016", OTHER).await;
        world.restored().await;
        world.advance(until * 86_400).await;
        confirm(&world, &payer).await;
        world.advance(days * 86_400).await;
        for _ in 0..3 {
            mine(&world, "BTC").await;
        }
        assert_eq!(world.sent().await.len(), 1, "pressed after {until} days");
        let reasons = world.reasons().await;
        assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().ends_with(&lost), "{reasons:?}");
    }
}

/// It was screened when it paid, and the payer comes back after a week.
#[tokio::test]
async fn a_sender_that_is_sanctioned_since_gets_nothing() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    world.flag("BTC", BTC, true).await;
    world.advance(7 * 86_400).await;
    confirm(&world, &payer).await;
    for _ in 0..3 {
        mine(&world, "BTC").await;
    }
    assert!(sent(&world).await.is_empty());
    assert_eq!(refund(&world, &payer).await["waitingReason"], "BLOCKED");
}

/// An operator knows who it is.
#[tokio::test]
async fn a_flagged_sender_that_an_operator_released_is_sent_back() {
    let world = world(RefundAddress::Payer).await;
    world.flag("BTC", BTC, true).await;
    let payer = overpaid(&world).await;
    let held = world.payment(&payer.id).await;
    world.decide(the_deposit(&held), Decision::Release).await;
    world.advance(7 * 86_400).await;
    confirm(&world, &payer).await;
    for _ in 0..3 {
        mine(&world, "BTC").await;
    }
    assert_eq!(sent(&world).await, [BTC]);
}

#[tokio::test]
async fn the_press_is_understood_on_every_network() {
    let world = world(RefundAddress::Payer).await;
    for row in CHAINS.iter().filter(|row| !row.network.is_opt_in()) {
        let coin = match row.network {
            Network::Trx => "USDT",
            Network::Bsc => "USDC",
            network => network.code(),
        };
        let payer = quoted(&world, coin, row.network.code()).await;
        let payment = world.payment(&payer.id).await;
        let amount: f64 = payment["expectedDepositAmount"].as_str().unwrap().parse().unwrap();
        pay(&world, &payer, &format!("{:.6}", amount * 2.0), json!({})).await;
        let claim = world.claimed(&payer).await;
        assert_eq!(claim["sender"], row.example, "{}", row.network);
        assert_eq!(confirm(&world, &payer).await["status"], "APPROVED", "{}", row.network);
    }
}

/// Each deposit came from somewhere else.
#[tokio::test]
async fn a_deposit_goes_back_to_its_own_sender_alone() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    pay(&world, &payer, "0.001", json!({"fromAddress": OTHER})).await;
    let claims = world.claims(&payer).await;
    let senders = claims.iter().map(|claim| claim["sender"].as_str().unwrap());
    assert_eq!(senders.collect::<Vec<_>>(), [BTC, OTHER], "{claims:#?}");
    let crossed = world.claim(&payer, &claims[0], json!({"address": OTHER})).await;
    assert_eq!(crossed.json["status"], "ASKED");
    let own = world.claim(&payer, &claims[1], json!({"address": OTHER})).await;
    assert_eq!(own.json["status"], "APPROVED");
    for _ in 0..3 {
        mine(&world, "BTC").await;
    }
    assert_eq!(sent(&world).await, [OTHER]);
}

#[tokio::test]
async fn two_presses_at_once_are_one() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    let claim = world.claimed(&payer).await;
    let press = || world.claim(&payer, &claim, json!({"address": BTC}));
    let other = || world.claim(&payer, &claim, json!({"address": OTHER}));
    let (one, two, three) = tokio::join!(press(), other(), press());
    let answers = [one.status, two.status, three.status];
    assert!(answers.iter().filter(|status| **status == StatusCode::CREATED).count() == 1, "{answers:?}");
    for _ in 0..3 {
        mine(&world, "BTC").await;
    }
    assert!(sent(&world).await.len() <= 1);
}

#[tokio::test]
async fn after_the_merchant_refused_an_address_nobody_presses() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    let asked = world.ask(&payer, OTHER).await;
    assert_eq!(world.decide_claim(&asked, "refuse", json!({})).await.status, StatusCode::OK);
    let pressed = world.claim(&payer, &asked, json!({"address": BTC})).await;
    assert_eq!(pressed.status, StatusCode::CONFLICT, "{}", pressed.json);
    mine(&world, "BTC").await;
    assert!(sent(&world).await.is_empty());
}

/// The payer said where it goes, and does not come back to say it again; nor does a thief with the link say it first.
#[tokio::test]
async fn a_reorganisation_does_not_ask_the_payer_again() {
    for answer in ["yes", "other", "refused"] {
        let world = in_world(Finality::default(), RefundAddress::Payer).await;
        let payer = overpaid(&world).await;
        if answer == "yes" {
            confirm(&world, &payer).await;
        } else {
            let asked = world.ask(&payer, OTHER).await;
            if answer == "refused" {
                assert_eq!(world.decide_claim(&asked, "refuse", json!({})).await.status, StatusCode::OK);
            }
        }
        let before = world.claimed(&payer).await;
        world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
        assert!(world.claims(&payer).await.is_empty(), "nothing is in a block");
        mine(&world, "BTC").await;
        assert_eq!(world.claimed(&payer).await, before, "{answer}");
        for _ in 0..8 {
            mine(&world, "BTC").await;
        }
        let expected: &[&str] = if answer == "yes" { &[BTC] } else { &[] };
        assert_eq!(sent(&world).await, expected, "{answer}");
    }
}

/// The payer named the address, and did not call it their own wallet.
#[tokio::test]
async fn a_claim_to_the_sender_that_waits_for_its_approval_still_waits_when_the_deposit_comes_back() {
    let world = in_world(Finality::default(), RefundAddress::Payer).await;
    let payer = quoted(&world, "ETH", "ETH").await;
    pay(&world, &payer, "0.1", json!({"sender": "CONTRACT"})).await;
    let sender = world.claimed(&payer).await["sender"].as_str().unwrap().to_owned();
    confirm(&world, &payer).await;
    mine(&world, "ETH").await;
    assert_eq!(refund(&world, &payer).await["waitingReason"], "CONTRACT");
    let asked = world.ask(&payer, &sender).await;
    world.sandbox("reorgs", json!({"network": "ETH", "depth": 2})).await;
    mine(&world, "ETH").await;
    let waits = refund(&world, &payer).await;
    assert_eq!([&waits["waitingFor"], &waits["waitingReason"]], ["APPROVAL", "CLAIM"], "{waits:#}");
    assert_eq!(world.claimed(&payer).await["status"], "ASKED");
    world.approve(&asked).await;
    assert_eq!(world.claimed(&payer).await["status"], "APPROVED");
}

/// It was more than the automatic refunds of a day, the payer said that it is their wallet, and the merchant let it go there.
#[tokio::test]
async fn a_refund_that_was_approved_to_its_sender_needs_no_second_approval_when_the_deposit_comes_back() {
    let world = in_world(Finality::default(), RefundAddress::Payer).await;
    let world = world.with_app(|app| app.policy.refunds_per_day = 0);
    let payer = overpaid(&world).await;
    let claim = world.claimed(&payer).await;
    confirm(&world, &payer).await;
    world.run().await;
    assert_eq!(refund(&world, &payer).await["waitingReason"], "LIMIT");
    world.approve(&claim).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    mine(&world, "BTC").await;
    let back = refund(&world, &payer).await;
    assert_eq!((&back["status"], back.get("waitingFor")), (&json!("PENDING"), None), "{back:#}");
    for _ in 0..8 {
        mine(&world, "BTC").await;
    }
    assert_eq!(sent(&world).await, [BTC]);
}

/// A business of before changes its mind while refunds are on their way, or wait.
#[tokio::test]
async fn the_setting_of_the_business_holds_for_refunds_that_are_planned_later() {
    for by in ["PAYER", "SENDER"] {
        let first = if by == "PAYER" { RefundAddress::Sender } else { RefundAddress::Payer };
        let world = in_world(Finality::default(), first).await;
        let payer = overpaid(&world).await;
        let key = world.organisation_key().await;
        let path = format!("/api/v1/businesses/{}", world.business.id);
        let changed = world.patch(&path, &key, &json!({"refundAddress": by})).await;
        assert_eq!(changed.status, StatusCode::OK, "{}", changed.json);
        for _ in 0..8 {
            mine(&world, "BTC").await;
        }
        let expected: &[&str] = if by == "PAYER" { &[BTC] } else { &[] };
        assert_eq!(sent(&world).await, expected, "{by}");
        let waits: Option<&Value> = None;
        let refund = refund(&world, &payer).await;
        let asked = json!("UNCONFIRMED_SENDER");
        assert_eq!(refund.get("waitingReason"), if by == "PAYER" { waits } else { Some(&asked) });
    }
}

#[tokio::test]
async fn a_disabled_business_sends_nothing_back() {
    let world = world(RefundAddress::Payer).await;
    let payer = overpaid(&world).await;
    let key = world.organisation_key().await;
    let path = format!("/api/v1/businesses/{}", world.business.id);
    assert_eq!(world.patch(&path, &key, &json!({"disabled": true})).await.status, StatusCode::OK);
    let claim = world.claimed(&payer).await;
    world.claim(&payer, &claim, json!({"address": BTC})).await;
    for _ in 0..3 {
        mine(&world, "BTC").await;
    }
    assert!(sent(&world).await.is_empty());
}

/// The sender is an account of this gateway: a business paid another one.
#[tokio::test]
async fn an_own_account_is_nobodys_wallet() {
    let world = world(RefundAddress::Payer).await;
    let other = quoted(&world, "BTC", "BTC").await;
    let ours = world.payment(&other.id).await["walletAddress"].clone();
    let payer: Payer = quoted(&world, "BTC", "BTC").await;
    pay(&world, &payer, "0.00333334", json!({"fromAddress": ours})).await;
    let claim = world.claimed(&payer).await;
    let pressed = world.claim(&payer, &claim, json!({"address": ours})).await;
    assert_ne!(pressed.status, StatusCode::CREATED, "{}", pressed.json);
    assert_eq!(world.ask(&payer, BTC).await["status"], "ASKED");
}
