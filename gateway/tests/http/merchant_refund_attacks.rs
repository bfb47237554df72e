//! Attacks on refunds of the merchant by a thief with a token, or a payer who asks twice.

use checkout_core::decimal;
use checkout_domain::chain::payout::hold::HoldDecision;
use checkout_domain::ports::Store as _;
use checkout_domain::withdrawal::rules::RuleChanges;
use futures::future::join_all;
use serde_json::{Value, json};

use super::merchant_refund_stage::{
    BTC, EVM, check_refused, paid, paid_in_part, refunding_excess, words, world, world_with_finality,
};
use super::{World, over};

const THIEF: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/// A part is given back after the window; its payer then sends the other part alone.
#[tokio::test]
async fn a_part_that_was_given_back_does_not_pay_with_the_rest() {
    let world = world().await;
    let id = paid_in_part(&world).await;
    let refund = world.refunded(&id, json!({"address": BTC})).await;
    world.run().await;
    world.pay(&id, "0.00066667").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "EXPIRED", "{payment:#}");
    world.mine("BTC").await;
    world.run().await;
    assert_eq!(world.refund_now(&refund).await["status"], "CONFIRMED");
    world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED", "the whole price without what went back");
}

/// The same of a payer who pays in many parts, whose sums are kept.
#[tokio::test]
async fn many_parts_that_were_given_back_do_not_pay_with_the_rest() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    for _ in 0..5 {
        world.pay(&id, "0.0002").await;
        world.mine("BTC").await;
    }
    world.advance(7200).await;
    world.refunded(&id, json!({"address": BTC})).await;
    world.run().await;
    world.pay(&id, "0.00066667").await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "EXPIRED");
    world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED", "the whole price without what went back");
}

/// A refund that is taken back gives its deposits back to the price.
#[tokio::test]
async fn a_refund_that_is_cancelled_gives_nothing_back() {
    let world = world().await;
    let id = paid_in_part(&world).await;
    let refund = world.refunded(&id, json!({})).await;
    assert_eq!(world.decide_refund(&refund, "cancel", None).await.json["status"], "CANCELLED");
    world.pay(&id, "0.00066667").await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&id).await["status"], "DEPOSITED");
}

/// The transfer that completes the price is on its way when the window ends.
#[tokio::test]
async fn nothing_is_refunded_while_a_transfer_on_its_way_pays() {
    let world = world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    world.pay(&id, "0.00066667").await;
    world.advance(7200).await;
    assert_eq!(world.payment(&id).await["status"], "AWAITING");
    check_refused(&world.refund(&id, json!({"address": BTC})).await, 409, "payment_open");
}

/// The whitelist does not hold for the sender, but a little that the thief sends makes nobody the sender of the rest.
#[tokio::test]
async fn a_small_deposit_does_not_open_the_whitelist() {
    let world = world().await;
    world.rules(RuleChanges { whitelist_only: Some(true), ..RuleChanges::default() }).await;
    let id = paid(&world).await;
    let sender = world.payment(&id).await["deposits"][0]["fromAddress"].clone();
    world.pay_from(&id, "0.0006", THIEF).await;
    world.mine("BTC").await;
    check_refused(&world.refund(&id, json!({"address": THIEF})).await, 422, "not_whitelisted");
    let waits = world.refunded(&id, json!({"amount": "0.001"})).await;
    let given = world.decide_refund(&waits, "address", Some(json!({"address": THIEF}))).await;
    check_refused(&given, 422, "not_whitelisted");
    let own = json!({"clientRefundId": "r-2", "amount": "0.0006", "address": THIEF});
    world.refunded(&id, own).await;
    let more = json!({"clientRefundId": "r-3", "amount": "0.0005", "address": THIEF});
    check_refused(&world.refund(&id, more).await, 422, "not_whitelisted");
    let given = world.decide_refund(&waits, "address", Some(json!({"address": sender}))).await;
    assert_eq!(words(&given.json)[3], sender.as_str().unwrap(), "{}", given.json);
}

#[tokio::test]
async fn a_disabled_business_sends_no_refund() {
    let world = world().await;
    let id = paid(&world).await;
    let waits = world.refunded(&id, json!({"amount": "0.001"})).await;
    let mut tx = world.database.begin().await.unwrap();
    let mut business = tx.business(world.business.id).await.unwrap().unwrap();
    business.disabled = true;
    tx.put_business(&business).await.unwrap();
    tx.commit().await.unwrap();
    let new = world.refund(&id, json!({"clientRefundId": "r-2", "address": BTC})).await;
    check_refused(&new, 403, "business_disabled");
    let given = world.decide_refund(&waits, "address", Some(json!({"address": BTC}))).await;
    check_refused(&given, 403, "business_disabled");
    check_refused(&world.decide_refund(&waits, "approve", None).await, 403, "business_disabled");
    assert_eq!(world.decide_refund(&waits, "cancel", None).await.json["status"], "CANCELLED");
}

/// The backup has a refund without an address. The lost gateway gave it one, and sent it.
#[tokio::test]
async fn a_refund_that_may_have_been_sent_after_the_backup_is_neither_cancelled_nor_addressed() {
    let world = world().await;
    let id = paid(&world).await;
    let unaddressed = world.refunded(&id, json!({"amount": "0.0005"})).await;
    let addressed = json!({"clientRefundId": "r-2", "amount": "0.0005", "address": BTC});
    let addressed = world.refunded(&id, addressed).await;
    assert_eq!(world.restored().await, 2);
    let before = world.balances().await;
    for refund in [&unaddressed, &addressed] {
        check_refused(&world.decide_refund(refund, "cancel", None).await, 409, "refund_state");
    }
    let given = world.decide_refund(&unaddressed, "address", Some(json!({"address": BTC}))).await;
    check_refused(&given, 409, "refund_state");
    assert_eq!(world.balances().await, before);
    world.run().await;
    assert_eq!(world.sent().await.len(), 1, "the chain does not know the one with an address");
    let reasons = world.reasons().await;
    assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().contains("after the backup"), "{reasons:?}");
    assert!(world.decide_payout(HoldDecision::Release).await);
    let given = world.decide_refund(&unaddressed, "address", Some(json!({"address": BTC}))).await;
    assert_eq!(given.status.as_u16(), 200, "{}", given.json);
}

/// The operator finds the transaction of the lost gateway. Also a refund without an address is carried out then, and told.
#[tokio::test]
async fn a_refund_without_an_address_that_was_sent_after_the_backup_is_booked() {
    let world = world().await;
    let id = paid(&world).await;
    let unaddressed = world.refunded(&id, json!({"amount": "0.0005"})).await;
    assert_eq!(world.restored().await, 1);
    world.run().await;
    assert_eq!(world.refund_now(&unaddressed).await["waitingFor"], "ADDRESS", "an operator decides");
    assert!(world.decide_payout(HoldDecision::Sent("T".to_owned())).await);
    world.run().await;
    let refund = world.refund_now(&unaddressed).await;
    assert_eq!(
        (&refund["status"], &refund["transactionId"]),
        (&json!("CONFIRMED"), &json!("T")),
        "{refund:#}"
    );
    assert!(refund.get("waitingFor").is_none() && refund.get("address").is_none(), "{refund:#}");
    let balances = world.balances().await;
    assert!(!balances.keys().any(|account| account.starts_with("REFUNDS")), "{balances:?}");
    check_refused(&world.decide_refund(&unaddressed, "cancel", None).await, 409, "refund_state");
    world.run().await;
    assert!(world.sent().await.is_empty());
}

/// A block of the deposit is replaced after the merchant refunded a little: the payer still gets the excess.
#[tokio::test]
async fn an_excess_that_was_planned_survives_a_reorganisation() {
    let world = world_with_finality(refunding_excess()).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    world.mine("BTC").await;
    let excess = async || world.payment(&id).await["deposits"][0]["refund"]["amount"].clone();
    assert_eq!(excess().await, "0.00097");
    world.refunded(&id, json!({"amount": "0.0005"})).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    assert_eq!(excess().await, json!(null), "it is in no block");
    world.mine("BTC").await;
    assert_eq!(excess().await, "0.00097");
}

/// With a daily limit a token redirects no more than it can withdraw, in one refund or in several.
#[tokio::test]
async fn redirected_refunds_count_for_the_daily_limit() {
    let world = world_with_finality(refunding_excess()).await;
    world
        .rules(RuleChanges { daily_limit: Some(decimal::parse("100", 2).ok()), ..RuleChanges::default() })
        .await;
    let refunds = waiting_refunds(&world, 2).await;
    let to = json!({"address": EVM});
    let first = world.decide_refund(&refunds[0], "address", Some(to.clone())).await;
    assert_eq!(first.status.as_u16(), 200, "{}", first.json);
    check_refused(&world.decide_refund(&refunds[1], "address", Some(to)).await, 409, "above_limit");
}

/// An exchange is the sender for all its customers: its address with another tag belongs to another customer.
#[tokio::test]
async fn the_senders_address_with_another_tag_counts_for_the_daily_limit() {
    let exchange = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
    let world = world_with_finality(refunding_excess()).await;
    let daily_limit = Some(decimal::parse("100", 2).ok());
    world.rules(RuleChanges { daily_limit, ..RuleChanges::default() }).await;
    let transfer = json!({"amount": "320", "fromAddress": exchange, "sender": "TAG_REQUIRED"});
    let refunds = waiting_refunds_of(&world, "XRP", &transfer, 2).await;
    let to = json!({"address": exchange, "destinationTag": "1"});
    let first = world.decide_refund(&refunds[0], "address", Some(to.clone())).await;
    assert_eq!(first.status.as_u16(), 200, "{}", first.json);
    check_refused(&world.decide_refund(&refunds[1], "address", Some(to)).await, 409, "above_limit");
}

/// What was asked for on several days and left without an address does not go out in one minute.
#[tokio::test]
async fn refunds_that_get_their_address_later_stay_within_the_daily_limit() {
    let world = world().await;
    let daily_limit = Some(decimal::parse("100", 2).ok());
    world.rules(RuleChanges { daily_limit, ..RuleChanges::default() }).await;
    let mut refunds = Vec::new();
    for order in ["a", "b", "c"] {
        let id = world.deposit(order, "100.00").await;
        world.advance(86_401).await;
        refunds.push(world.refunded(&id, json!({"clientRefundId": order, "amount": "0.001"})).await);
    }
    let address =
        async |at: usize| world.decide_refund(&refunds[at], "address", Some(json!({"address": THIEF}))).await;
    for again in 0..2 {
        let today = address(2).await;
        assert_eq!(today.status.as_u16(), 200, "it counts once, {again}: {}", today.json);
    }
    check_refused(&address(0).await, 409, "above_limit");
    assert_eq!(words(&world.refund_now(&refunds[0]).await)[3], "-", "nothing was changed");
    world.advance(86_401).await;
    let next_day = address(0).await;
    assert_eq!(next_day.status.as_u16(), 200, "{}", next_day.json);
    check_refused(&address(1).await, 409, "above_limit");
    world.run().await;
    assert_eq!(world.sent().await.len(), 2);
}

/// As many automatic refunds that wait for an address, each worth more than 50 EUR.
async fn waiting_refunds(world: &World, count: usize) -> Vec<Value> {
    let contract = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
    let transfer = json!({"amount": "0.06", "fromAddress": contract, "sender": "CONTRACT"});
    waiting_refunds_of(world, "ETH", &transfer, count).await
}

/// Those of payments that this transfer overpays.
async fn waiting_refunds_of(world: &World, coin: &str, transfer: &Value, count: usize) -> Vec<Value> {
    let mut refunds = Vec::new();
    for order in 0..count {
        let (id, _) = world.quoted(json!({"clientPaymentId": format!("excess-{order}")}), coin, coin).await;
        let payment = world.payment(&id).await;
        let mut body = json!({"network": coin, "currency": coin, "address": payment["walletAddress"]});
        if let Some(tag) = payment.get("destinationTag") {
            body["destinationTag"] = tag.clone();
        }
        world.sandbox("transfers", over(body, transfer.clone())).await;
        world.mine(coin).await;
        refunds.push(json!({"refundId": world.payment(&id).await["deposits"][0]["id"]}));
    }
    refunds
}

/// The limit of a day allows one of ten that come at the same moment.
#[tokio::test]
async fn refunds_that_are_redirected_at_once_stay_within_the_daily_limit() {
    let world = world_with_finality(refunding_excess()).await;
    let refunds = waiting_refunds(&world, 10).await;
    let limit = decimal::parse("100", 2).unwrap();
    world.rules(RuleChanges { daily_limit: Some(Some(limit)), ..RuleChanges::default() }).await;
    let body = json!({"address": EVM});
    let given = refunds.iter().map(|refund| world.decide_refund(refund, "address", Some(body.clone())));
    let answers = join_all(given).await;
    let (given, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status.is_success());
    assert_eq!(given.len(), 1);
    for answer in refused {
        check_refused(answer, 409, "above_limit");
    }
    world.sandbox("blocks", json!({"network": "ETH", "count": 100})).await;
    world.run().await;
    assert_eq!(world.sent().await.len(), 1);
}
