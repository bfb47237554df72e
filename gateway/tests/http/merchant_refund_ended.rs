//! A refund of the merchant that ends without the payer getting the money leaves its payment as if it had never been.

use std::collections::BTreeMap;

use checkout_core::decimal;
use checkout_domain::business::settings::Settings;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::payouts::withdrawal_rules::{self, Decided, Decision};
use serde_json::{Value, json};

use super::World;
use super::merchant_refund_stage::{
    BTC, SANCTIONED, check_refused, paid_in_part, refunding_excess, world, world_with,
};

/// Where the merchant sends refunds to: no sender of a deposit.
const CUSTOMER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

/// How a refund ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// There is none.
    Never,
    Cancelled,
    Rejected,
    Blocked,
    Reverted,
}

/// The payer's view and receipts, and the merchant's balance.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    status: Value,
    refunds: Vec<Vec<Value>>,
    sent: Vec<(String, Option<String>, String)>,
    balances: BTreeMap<String, String>,
}

/// More than half of the price, a refund of a part after the window, then the whole price. `before`: the refund ends before that.
async fn story(end: End, before: bool, restarts: bool) -> Outcome {
    let settings = Settings { name: Some("Fair".to_owned()), ..refunding_excess() };
    let mut world = World::with(settings).await;
    world.deposit("float", "5000.00").await;
    let (id, _) = world.quoted(json!({}), "ETH", "ETH").await;
    let whole = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
    world.pay(&id, "0.03").await;
    world.mine("ETH").await;
    world.advance(7200).await;
    if end == End::Rejected {
        let above = Some(decimal::parse("1", 2).ok());
        world.rules(RuleChanges { approval_above: above, ..RuleChanges::default() }).await;
    }
    let is_addressed = matches!(end, End::Rejected | End::Reverted);
    let asked =
        json!({"amount": "0.01", "address": if is_addressed { json!(CUSTOMER) } else { Value::Null }});
    let refund = if end == End::Never { None } else { Some(world.refunded(&id, asked).await) };
    if end == End::Reverted {
        world.run().await;
        let transaction = world.refund_now(refund.as_ref().unwrap()).await["transactionId"].clone();
        world.sandbox("reverts", json!({"transactionId": transaction})).await;
    }
    if before {
        ended(&world, end, refund.as_ref()).await;
    }
    world.pay(&id, &whole).await;
    world.mine("ETH").await;
    if restarts {
        world = world.restart().await;
    }
    if !before {
        ended(&world, end, refund.as_ref()).await;
    }
    world.run().await;
    world.mine("ETH").await;
    world.run().await;
    let payment = world.payment(&id).await;
    let refunds = payment["deposits"].as_array().unwrap().iter().map(|deposit| {
        ["status", "type", "reason", "amount"].map(|name| deposit["refund"][name].clone()).to_vec()
    });
    let (status, refunds) = (payment["status"].clone(), refunds.collect());
    let mut sent = world.sent().await;
    // The one that reverted moved nothing.
    sent.retain(|(to, ..)| to != CUSTOMER);
    let mut balances = world.balances().await;
    balances.retain(|account, _| !account.starts_with("EXCHANGE"));
    Outcome { status, refunds, sent, balances }
}

async fn ended(world: &World, end: End, refund: Option<&Value>) {
    let Some(refund) = refund else { return };
    let (id, store) = (refund["refundId"].as_str().unwrap().parse().unwrap(), world.app.store.as_ref());
    match end {
        End::Never => {}
        End::Blocked => {
            world.decide_refund(refund, "address", Some(json!({"address": SANCTIONED}))).await;
        }
        End::Cancelled => {
            world.decide_refund(refund, "cancel", None).await;
        }
        End::Rejected => {
            let event = (world.app.new_id(), world.app.clock.now());
            let decided = withdrawal_rules::decide(store, event, id, Decision::Reject).await.unwrap();
            assert_eq!(decided, Decided::Done);
        }
        End::Reverted => world.mine("ETH").await,
    }
    world.run().await;
    let expected = match end {
        End::Never | End::Cancelled => "CANCELLED",
        End::Rejected | End::Blocked => "BLOCKED",
        End::Reverted => "FAILED",
    };
    assert_eq!(world.refund_now(refund).await["status"], expected, "{end:?}");
}

#[tokio::test]
async fn the_excess_that_came_meanwhile_goes_back_when_the_merchants_refund_ends() {
    let plain = story(End::Never, false, false).await;
    let excess = plain.refunds[1].clone();
    assert_eq!(excess[..3], [json!("CONFIRMED"), json!("PARTIAL"), json!("OVERPAYMENT")], "{plain:?}");
    assert_eq!(plain.sent.len(), 1, "{plain:?}");
    for end in [End::Cancelled, End::Rejected, End::Blocked, End::Reverted] {
        for (before, restarts) in [(false, false), (false, true), (true, false)] {
            let case = (end, before, restarts);
            assert_eq!(Box::pin(story(end, before, restarts)).await, plain, "{case:?}");
        }
    }
}

/// The list of payments finds it by its status without another event.
#[tokio::test]
async fn a_price_that_was_paid_in_parts_is_paid_when_the_refund_of_one_is_cancelled() {
    let world = world().await;
    let id = paid_in_part(&world).await;
    let refund = world.refunded(&id, json!({})).await;
    world.pay(&id, "0.00066667").await;
    world.mine("BTC").await;
    let paid = async || {
        let path = "/api/v1/payments?status=DEPOSITED&clientPaymentId=order-1";
        world.get(path, &world.token).await.json.as_array().unwrap().len()
    };
    assert_eq!((world.payment(&id).await["status"].as_str(), paid().await), (Some("EXPIRED"), 0));
    world.decide_refund(&refund, "cancel", None).await;
    assert_eq!((world.payment(&id).await["status"].as_str(), paid().await), (Some("DEPOSITED"), 1));
}

/// The second refund may have given back what came: it does not go back once more.
#[tokio::test]
async fn what_came_between_two_refunds_of_the_merchant_stays_with_the_merchant() {
    let world = world_with(refunding_excess()).await;
    let id = paid_in_part(&world).await;
    let first = world.refunded(&id, json!({})).await;
    world.pay(&id, "0.00166667").await;
    world.mine("BTC").await;
    let second = json!({"clientRefundId": "r-2", "amount": "0.00166667", "address": BTC});
    let second = world.refunded(&id, second).await;
    world.decide_refund(&first, "cancel", None).await;
    world.run().await;
    world.mine("BTC").await;
    let sent = world.sent().await;
    assert_eq!(sent, [(BTC.to_owned(), None, "166667".to_owned())]);
    assert_eq!(world.refund_now(&second).await["status"], "CONFIRMED");
    let payment = world.payment(&id).await;
    assert!(payment["deposits"].as_array().unwrap().iter().all(|one| one.get("refund").is_none()));
    let more = json!({"clientRefundId": "r-3", "amount": "0.00100001", "address": BTC});
    check_refused(&world.refund(&id, more).await, 422, "above_refundable");
    world.refunded(&id, json!({"clientRefundId": "r-3", "address": BTC})).await;
}
