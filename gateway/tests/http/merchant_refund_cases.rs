//! Refunds of the merchant beside reorganisations, automatic refunds and the limits of withdrawals.

use axum::http::StatusCode;
use checkout_core::decimal;
use checkout_domain::business::settings::Settings;
use checkout_domain::withdrawal::rules::RuleChanges;
use serde_json::json;

use super::merchant_refund_stage::{
    BTC, EVM, SANCTIONED, check_refused, paid, paid_in_ether, paid_in_part, refunding_excess, words, world,
    world_with, world_with_finality,
};

/// A double spend before the refund is sent: nothing is sent. It comes back: it is sent.
#[tokio::test]
async fn a_refund_waits_for_a_deposit_that_left_its_chain() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let transaction = world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    let refund = world.refunded(&id, json!({"address": BTC})).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.run().await;
    assert!(world.sent().await.is_empty(), "the deposit is in no block");
    check_refused(&world.refund(&id, json!({"clientRefundId": "r-2"})).await, 409, "payment_open");
    world.mine("BTC").await;
    world.run().await;
    assert_eq!(world.sent().await.len(), 1, "it is back");
    // After it was sent, the loss is the merchant's: nothing more is sent, and the books say so.
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 3})).await;
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    world.run().await;
    assert_eq!(world.refund_now(&refund).await["status"], "PENDING");
    assert_eq!(world.sent().await.len(), 1);
}

/// A deposit that is dropped for good: the merchant takes the refund back.
#[tokio::test]
async fn a_refund_of_a_double_spend_is_cancelled_by_the_merchant() {
    let world = world_with_finality(Settings::default()).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let transaction = world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    let before = world.balances().await["FIAT EUR"].clone();
    let refund = world.refunded(&id, json!({"address": BTC})).await;
    world.run().await;
    assert!(world.sent().await.is_empty(), "one confirmation is not final");
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    world.sandbox("blocks", json!({"network": "BTC", "count": 10})).await;
    world.run().await;
    assert!(world.sent().await.is_empty(), "nothing was received");
    assert_eq!(world.decide_refund(&refund, "cancel", None).await.json["status"], "CANCELLED");
    let after = world.balances().await["FIAT EUR"].clone();
    assert_eq!((before.as_str(), after.as_str()), ("5074.50", "4975.00"), "without the deposit");
}

#[tokio::test]
async fn a_refund_waits_until_its_deposits_are_final() {
    let world = world_with_finality(Settings::default()).await;
    let id = paid(&world).await;
    world.refunded(&id, json!({"address": BTC})).await;
    for blocks in [0, 4] {
        world.sandbox("blocks", json!({"network": "BTC", "count": blocks.max(1)})).await;
        world.run().await;
        let expected = usize::from(blocks == 4);
        assert_eq!(world.sent().await.len(), expected, "{blocks}");
    }
}

/// A late deposit after a refund: what the merchant gave back is not given back again.
#[tokio::test]
async fn nothing_goes_back_automatically_after_a_refund_of_the_merchant() {
    let world = world_with(refunding_excess()).await;
    let id = paid_in_part(&world).await;
    assert_eq!(world.payment(&id).await["status"], "EXPIRED");
    world.refunded(&id, json!({"address": BTC})).await;
    world.run().await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    world.run().await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "DEPOSITED", "what was given back is no part of the price");
    assert!(payment["deposits"][1].get("refund").is_none(), "{payment:#}");
    assert_eq!(world.sent().await.len(), 1);
    let rest = world.refunded(&id, json!({"clientRefundId": "r-2"})).await;
    assert_eq!(rest["amount"], "0.00166667", "the merchant can still give all of it back");
}

/// A jar that many people pay into.
#[tokio::test]
async fn a_reusable_payment_is_refunded_as_often_as_it_was_paid() {
    let world = world().await;
    let (id, _) = world.quoted(json!({"type": "REUSABLE"}), "BTC", "BTC").await;
    for _ in 0..5 {
        world.pay(&id, "0.001").await;
    }
    world.mine("BTC").await;
    for (client, amount, is_made) in
        [("a", "0.003", true), ("b", "0.0021", false), ("c", "0.002", true), ("d", "0.001", false)]
    {
        let answer =
            world.refund(&id, json!({"clientRefundId": client, "amount": amount, "address": BTC})).await;
        assert_eq!(answer.status == 201, is_made, "{client}: {}", answer.json);
    }
    world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    world.refunded(&id, json!({"clientRefundId": "e", "address": BTC})).await;
    world.run().await;
    assert_eq!(world.sent().await.len(), 3);
}

#[tokio::test]
async fn of_several_currencies_one_is_named() {
    let world = world().await;
    let (id, session) = world.quoted(json!({"type": "REUSABLE"}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    let body = json!({"depositCurrency": "LTC", "network": "LTC"});
    world.patch(&format!("/api/v1/payments/{id}"), &session, &body).await;
    world.pay(&id, "1").await;
    world.mine("LTC").await;
    check_refused(&world.refund(&id, json!({})).await, 422, "required");
    let refund = world.refunded(&id, json!({"currency": "LTC"})).await;
    assert_eq!((&refund["currency"], &refund["amount"]), (&json!("LTC"), &json!("1")));
    let refund = world.refunded(&id, json!({"clientRefundId": "r-2", "network": "BTC"})).await;
    assert_eq!((&refund["currency"], &refund["amount"]), (&json!("BTC"), &json!("0.001")));
}

/// Long after the order ended.
#[tokio::test]
async fn an_old_payment_is_refunded() {
    let world = world_with(refunding_excess()).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    world.mine("BTC").await;
    world.mine("BTC").await;
    world.run().await;
    let list = async || world.get(&format!("/api/v1/refunds?paymentId={id}"), &world.token).await.json;
    let listed = list().await;
    assert_eq!(listed[0]["status"], "CONFIRMED");
    world.advance(100_000).await;
    let refund = world.refunded(&id, json!({"address": BTC})).await;
    assert_eq!(refund["amount"], "0.00166667");
    world.run().await;
    world.mine("BTC").await;
    world.run().await;
    let done = world.refund_now(&refund).await;
    assert_eq!(done["status"], "CONFIRMED");
    assert_eq!(world.payment(&id).await["refunds"], json!([done]));
    assert_eq!(list().await, json!([done, listed[0]]));
}

/// The limits of withdrawals, against a stolen token.
#[tokio::test]
async fn the_limits_of_withdrawals_hold() {
    let world = world().await;
    let id = paid(&world).await;
    let eur = |text| Some(Some(decimal::parse(text, 2).unwrap()));
    world.rules(RuleChanges { daily_limit: eur("59.99"), ..RuleChanges::default() }).await;
    let small = json!({"clientRefundId": "a", "amount": "0.0005", "address": BTC});
    world.refunded(&id, small).await;
    let more = json!({"clientRefundId": "b", "amount": "0.0005", "address": BTC});
    check_refused(&world.refund(&id, more).await, 422, "above_daily_limit");
    let withdrawal = json!({"withdrawalAccount": "CRYPTO", "targetAmount": "0.01"});
    check_refused(&world.withdraw(withdrawal).await, 422, "above_daily_limit");

    let rules = RuleChanges { daily_limit: Some(None), approval_above: eur("20"), ..RuleChanges::default() };
    world.rules(rules).await;
    let large = world.refunded(&id, json!({"clientRefundId": "c", "amount": "0.0005", "address": BTC})).await;
    assert_eq!(words(&large)[1], "APPROVAL");
    world.run().await;
    assert_eq!(world.sent().await.len(), 1);
    check_refused(&world.decide_refund(&large, "approve", None).await, 403, "organisation_only");
    let key = world.organisation_key().await;
    let path = format!("/api/v1/refunds/{}/approve", large["refundId"].as_str().unwrap());
    for _ in 0..2 {
        let approved = world.approved(&path, &key).await;
        assert_eq!((approved.status, words(&approved.json)[1]), (StatusCode::OK, "-"), "{}", approved.json);
    }
    world.run().await;
    assert_eq!(world.sent().await.len(), 2);

    let rules =
        RuleChanges { approval_above: Some(None), whitelist_only: Some(true), ..RuleChanges::default() };
    world.rules(rules).await;
    let other = json!({"clientRefundId": "d", "amount": "0.0005", "address": BTC});
    check_refused(&world.refund(&id, other).await, 422, "not_whitelisted");
    let waiting = world.refunded(&id, json!({"clientRefundId": "d", "amount": "0.0005"})).await;
    let given = world.decide_refund(&waiting, "address", Some(json!({"address": BTC}))).await;
    check_refused(&given, 422, "not_whitelisted");
    let sender = world.payment(&id).await["deposits"][0]["fromAddress"].clone();
    let given = world.decide_refund(&waiting, "address", Some(json!({"address": sender}))).await;
    assert_eq!(given.status, StatusCode::OK, "the payer's own address: {}", given.json);
}

#[tokio::test]
async fn a_blocked_recipient_gets_nothing() {
    let (world, id) = paid_in_ether().await;
    let before = world.balances().await;
    let refund = world.refunded(&id, json!({"address": SANCTIONED})).await;
    world.run().await;
    assert_eq!(world.refund_now(&refund).await["status"], "BLOCKED");
    assert_eq!(world.balances().await, before);
    assert!(world.sent().await.is_empty());
    world.refunded(&id, json!({"clientRefundId": "r-2", "address": EVM})).await;
}

/// The network refuses it in its block: the money is back, and can be refunded again.
#[tokio::test]
async fn a_refund_that_reverts_fails() {
    let (world, id) = paid_in_ether().await;
    let before = world.balances().await;
    let refund = world.refunded(&id, json!({"address": EVM})).await;
    world.run().await;
    let transaction = world.refund_now(&refund).await["transactionId"].clone();
    world.sandbox("reverts", json!({"transactionId": transaction})).await;
    world.mine("ETH").await;
    world.run().await;
    assert_eq!(world.refund_now(&refund).await["status"], "FAILED");
    assert_eq!(world.balances().await, before);
    world.refunded(&id, json!({"clientRefundId": "r-2", "address": EVM})).await;
}

/// A poll sees each step of a refund.
#[tokio::test]
async fn the_version_of_the_payment_rises() {
    let world = world().await;
    let id = paid(&world).await;
    let tag = async || {
        world.get(&format!("/api/v1/payments/{id}"), &world.token).await.header("etag").unwrap().to_owned()
    };
    let mut seen = vec![tag().await];
    let refund = world.refunded(&id, json!({})).await;
    seen.push(tag().await);
    world.decide_refund(&refund, "address", Some(json!({"address": BTC}))).await;
    seen.push(tag().await);
    world.run().await;
    seen.push(tag().await);
    world.mine("BTC").await;
    seen.push(tag().await);
    let mut unique = seen.clone();
    unique.dedup();
    assert_eq!(unique, seen);
}
