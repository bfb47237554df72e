//! A restored database does not send again what was sent after the backup.

use std::collections::BTreeMap;
use std::sync::Arc;

use checkout_core::{Amount, Currency, Network, pair};
use checkout_domain::chain::payout::hold::Hold;
use checkout_domain::chain::payout::hold::HoldDecision;
use checkout_domain::chain::payout::state::PayoutState;
use checkout_domain::chain::payout::{Payout, Purpose, Signed};
use checkout_domain::chain::screening::Decision;
use checkout_domain::ports::Store as _;
use checkout_domain::ports::broadcaster::{Broadcaster as _, Unproven, Unsent};
use checkout_domain::ports::payouts::PayoutStore as _;
use checkout_gateway::service::App;
use checkout_gateway::service::payouts::decide_hold::{self, HoldDecided};
use checkout_gateway::service::payouts::pay_out;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use serde_json::json;
use uuid::Uuid;

use super::World;
use super::flagged::{BITCOIN, the_deposit};
use super::paid_once::faulty;

impl World {
    pub(super) async fn restored(&self) -> u64 {
        self.database.prepare(self.app.clock.now(), 0).await.unwrap()
    }

    /// The act of the gateway that lost its database: sends the waiting withdrawal. Returns its transaction.
    async fn sent_by_the_lost_gateway(&self) -> String {
        let payout = self.database.open_payouts(None, None).await.unwrap().remove(0);
        let broadcaster = SimulatedBroadcaster::new(Network::Eth, self.database.clone());
        let signed = broadcaster.sign(&payout).await.unwrap();
        broadcaster.broadcast(&signed).await.unwrap();
        signed.transaction_id
    }

    /// The same for a refund that the restored database does not have.
    pub(super) async fn refunded_by_the_lost_gateway(
        &self,
        (currency, network): (Currency, Network),
        amount: &str,
        to: &str,
    ) -> String {
        let pair = pair::find(currency, network).unwrap();
        let lost = Payout {
            id: Uuid::nil(),
            business: self.business.id,
            purpose: Purpose::Refund,
            pair,
            amount: Amount::parse(amount, pair.decimals).unwrap(),
            to: to.to_owned(),
            tag: None,
            state: PayoutState::Waiting,
            hold: Hold::Free,
            why: None,
            revision: 0,
            claimed: false,
            created_at: 1,
        };
        let broadcaster = SimulatedBroadcaster::new(network, self.database.clone());
        let signed = broadcaster.sign(&lost).await.unwrap();
        broadcaster.broadcast(&signed).await.unwrap();
        signed.transaction_id
    }

    pub(super) async fn reasons(&self) -> Vec<Option<String>> {
        let held = self.database.held_payouts().await.unwrap();
        let reason = |payout: Payout| if let Hold::Held { why } = payout.hold { Some(why) } else { None };
        held.into_iter().map(reason).collect()
    }

    pub(super) async fn decide_payout(&self, decision: HoldDecision) -> bool {
        let held = self.database.held_payouts().await.unwrap();
        let decided = decide_hold::decide(&self.database, held[0].id, &decision, true).await.unwrap();
        decided == HoldDecided::Done
    }
}

#[tokio::test]
async fn a_withdrawal_that_was_sent_after_the_backup_is_held() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    let transaction = world.sent_by_the_lost_gateway().await;
    assert_eq!(world.restored().await, 1);
    for _ in 0..3 {
        assert_eq!(pay_out::run(&world.app).await.unwrap(), 0);
    }
    let reasons = world.reasons().await;
    assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().ends_with(&transaction), "{reasons:?}");
    assert_eq!(world.sent().await.len(), 1);

    assert!(world.decide_payout(HoldDecision::Sent(transaction.clone())).await);
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 1);
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 0);
    assert_eq!(world.stored("status").await, [Some("COMPLETED".into())]);
    assert_eq!(world.stored("transaction_id").await, [Some(transaction)]);
    assert_eq!(world.sent().await.len(), 1);
    assert_eq!(world.balances().await["FIAT EUR"], "933.14", "it is in the books");
}

/// An operator who takes the wrong line of the wallet's list would end a payout that nobody paid.
#[tokio::test]
async fn a_transaction_of_another_payout_sent_none() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    let lost = world.sent_by_the_lost_gateway().await;
    world.restored().await;
    let again = json!({"clientWithdrawalId": "the same amount to the same address, a second time"});
    world.withdraw(again).await;
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 0);
    let held = world.database.held_payouts().await.unwrap();
    let [first, second] = [0, 1].map(|at| held[at].id);
    let decide = async |payout, shared| {
        let sent = HoldDecision::Sent(lost.clone());
        decide_hold::decide(&world.database, payout, &sent, shared).await.unwrap()
    };
    assert_eq!(decide(first, false).await, HoldDecided::Done);
    assert_eq!(decide(first, false).await, HoldDecided::NotHeld);
    for _ in 0..2 {
        assert_eq!(decide(second, false).await, HoldDecided::Taken(vec![first]));
        pay_out::run(&world.app).await.unwrap();
        assert_eq!(world.stored("status").await, [Some("COMPLETED".into()), Some("NEW".into())]);
    }
    assert_eq!(decide(second, true).await, HoldDecided::Done);
}

#[tokio::test]
async fn a_withdrawal_that_was_not_sent_goes_on_by_itself() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    assert_eq!(world.restored().await, 1);
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 1);
    assert_eq!(world.stored("status").await, [Some("COMPLETED".into())]);
    assert_eq!((world.sent().await.len(), world.reasons().await.len()), (1, 0));
    let again = json!({"clientWithdrawalId": "the same amount to the same address, a second time"});
    world.withdraw(again).await;
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 1, "the first transaction is known");
    assert_eq!(world.sent().await.len(), 2);
}

/// The merchant does not find the withdrawal any more, and asks for it again.
#[tokio::test]
async fn a_withdrawal_that_the_backup_does_not_know_is_held_too() {
    let world = World::rich().await;
    assert_eq!(world.restored().await, 0);
    world.withdraw(json!({})).await;
    world.sent_by_the_lost_gateway().await;
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 0);
    assert_eq!((world.sent().await.len(), world.reasons().await.len()), (1, 1));
    assert!(world.decide_payout(HoldDecision::Release).await);
    assert!(world.reasons().await.is_empty());
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 1);
    assert_eq!(world.sent().await.len(), 2);
}

/// The backup has a signed transaction that was replaced later: the network refuses it, and the replacement paid.
#[tokio::test]
async fn a_withdrawal_that_a_replacement_may_have_sent_is_held() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    let app = faulty(&world, false, |call| match call {
        0 => Some(Unsent::Unavailable("timeout".into())),
        _ => Some(Unsent::Refused("another transaction has its number".to_owned())),
    });
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    world.restored().await;
    assert_eq!(pay_out::run(&app).await.unwrap(), 1);
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    let reasons = world.reasons().await;
    assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().contains("has its number"), "{reasons:?}");
    assert_eq!(world.stored("status").await, [Some("NEW".into())], "the money is not returned");
    assert!(world.decide_payout(HoldDecision::Sent("0xreplacement".to_owned())).await);
    assert_eq!(pay_out::run(&app).await.unwrap(), 1);
    assert_eq!(world.stored("status").await, [Some("COMPLETED".into())]);
    assert_eq!(world.stored("transaction_id").await, [Some("0xreplacement".into())]);
}

/// The backup has a signed transaction that expired. The lost gateway may have signed the withdrawal again, and sent that.
#[tokio::test]
async fn an_expired_withdrawal_that_the_lost_gateway_may_have_signed_again_is_held() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    let app = faulty(&world, false, |call| match call {
        0 => Some(Unsent::Unavailable("timeout".into())),
        1 => Some(Unsent::Expired("no ledger includes it".to_owned())),
        _ => None,
    });
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    world.restored().await;
    assert_eq!(pay_out::run(&app).await.unwrap(), 1);
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    let reasons = world.reasons().await;
    assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().contains("expired"), "{reasons:?}");
    assert!(world.sent().await.is_empty());
    assert!(world.decide_payout(HoldDecision::Release).await);
    assert_eq!(pay_out::run(&app).await.unwrap(), 1);
    assert_eq!((world.sent().await.len(), world.stored("status").await), (1, vec![Some("COMPLETED".into())]));
}

/// The amount of a refund depends on the fee of the moment, so the transaction of the lost gateway has another amount.
#[tokio::test]
async fn a_refund_whose_amount_depends_on_the_fee_is_not_paid_twice_after_a_restore() {
    let world = super::refunds::world().await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay(&id, "0.00266667").await;
    let sender = world.payment(&id).await["deposits"][0]["fromAddress"].as_str().unwrap().to_owned();
    // The refund of this gateway will be 0.00097.
    let lost = world.refunded_by_the_lost_gateway((Currency::Btc, Network::Btc), "0.00096", &sender).await;
    world.restored().await;
    for _ in 0..3 {
        world.mine("BTC").await;
    }
    let refund = world.payment(&id).await["deposits"][0]["refund"].clone();
    assert_eq!((&refund["status"], refund.get("transactionId")), (&json!("PENDING"), None), "{refund}");
    let reasons = world.reasons().await;
    assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().ends_with(&lost), "{reasons:?}");
    assert!(world.decide_payout(HoldDecision::Sent(lost.clone())).await);
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 1);
    let refund = world.payment(&id).await["deposits"][0]["refund"].clone();
    assert_eq!(refund["transactionId"], json!(lost));
}

/// An operator released its deposit before the database was lost, and again long after the restore.
#[tokio::test]
async fn a_refund_that_is_planned_long_after_a_restore_is_not_paid_twice() {
    for was_sent in [true, false] {
        let world = super::refunds::world().await;
        let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
        world.flag("BTC", BITCOIN, true).await;
        world.pay_from(&id, "0.00266667", BITCOIN).await;
        world.mine("BTC").await;
        let coin = (Currency::Btc, Network::Btc);
        let lost = if was_sent {
            Some(world.refunded_by_the_lost_gateway(coin, "0.00097", BITCOIN).await)
        } else {
            None
        };
        world.restored().await;
        world.advance(31 * 86_400).await;
        world.flag("BTC", BITCOIN, false).await;
        world.decide(the_deposit(&world.payment(&id).await), Decision::Release).await;
        for _ in 0..3 {
            world.mine("BTC").await;
        }
        let refund = world.payment(&id).await["deposits"][0]["refund"].clone();
        let reasons: Vec<String> = world.reasons().await.into_iter().flatten().collect();
        let Some(lost) = lost else {
            assert_eq!((&refund["status"], reasons.len()), (&json!("CONFIRMED"), 0), "{refund}");
            continue;
        };
        assert_eq!((&refund["status"], refund.get("transactionId")), (&json!("PENDING"), None), "{refund}");
        assert!(reasons.len() == 1 && reasons[0].ends_with(&lost), "{reasons:?}");
        assert!(world.decide_payout(HoldDecision::Sent(lost.clone())).await);
        assert_eq!(pay_out::run(&world.app).await.unwrap(), 1);
        assert_eq!(world.payment(&id).await["deposits"][0]["refund"]["transactionId"], json!(lost));
    }
}

/// The number of its transaction is used, and the server does not have the ledgers that show by what. It is not signed again by
/// itself, and does not wait for ever.
#[tokio::test]
async fn a_withdrawal_of_which_nothing_proves_that_it_was_not_sent_is_shown_to_the_operator() {
    for was_sent in [true, false] {
        let world = World::rich().await;
        world.withdraw(json!({})).await;
        let app = faulty(&world, false, |call| {
            let unproven = || Unsent::Unavailable(Box::new(Unproven("its number 7 is used".to_owned())));
            (call < 4).then(unproven)
        });
        for seconds in [0, 60, 3_539] {
            world.advance(seconds).await;
            assert_eq!(pay_out::run(&app).await.unwrap(), 0);
            assert!(world.reasons().await.is_empty(), "a server that lags may tell later");
        }
        let transaction = world.stored("transaction_id").await[0].clone();
        world.advance(1).await;
        assert_eq!(pay_out::run(&app).await.unwrap(), 1);
        assert_eq!(pay_out::run(&app).await.unwrap(), 0);
        let reasons = world.reasons().await;
        let reason = reasons[0].as_ref().unwrap();
        assert!(reasons.len() == 1 && reason.contains("its number 7 is used"), "{reasons:?}");
        if let Some(transaction) = transaction {
            assert!(reason.contains(&transaction), "{reason}");
        }
        assert_eq!((world.stored("status").await, world.sent().await.len()), (vec![Some("NEW".into())], 0));
        if was_sent {
            assert!(world.decide_payout(HoldDecision::Sent("0xold".to_owned())).await);
        } else {
            assert!(world.decide_payout(HoldDecision::Release).await);
        }
        assert_eq!(pay_out::run(&app).await.unwrap(), 1);
        assert_eq!(world.stored("status").await, [Some("COMPLETED".into())]);
        assert_eq!(world.sent().await.len(), usize::from(!was_sent));
    }
}

/// Of a payout whose fee was raised each transaction may have been sent: the operator is shown all of them.
#[tokio::test]
async fn a_replaced_withdrawal_of_which_nothing_proves_that_it_was_not_sent_is_held() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    let app = faulty(&world, false, |call| {
        let unproven = || Unsent::Unavailable(Box::new(Unproven("its number 7 is used".to_owned())));
        (call < 5).then(unproven)
    });
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    let payout = world.database.open_payouts(None, None).await.unwrap().remove(0);
    let first = payout.state.versions().unwrap().first.clone();
    let second = Signed { transaction_id: "0xdearer".to_owned(), ..first.clone() };
    let mut tx = world.database.begin().await.unwrap();
    let replaced = payout.clone().replaced(second, world.app.clock.now()).unwrap();
    assert!(tx.save_payout(replaced).await.unwrap().is_some());
    tx.commit().await.unwrap();
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    world.advance(3_600).await;
    assert_eq!(pay_out::run(&app).await.unwrap(), 1);
    let reasons = world.reasons().await;
    let reason = reasons[0].as_ref().unwrap();
    assert!(reason.contains(&first.transaction_id) && reason.contains("0xdearer"), "{reason}");
    world.withdraw(json!({"clientWithdrawalId": "another"})).await;
    let open = world.database.open_payouts(None, None).await.unwrap();
    let other = open.iter().find(|open| open.id != payout.id).unwrap();
    let mut tx = world.database.begin().await.unwrap();
    for transaction in [&*first.transaction_id, "0xDEARER"] {
        assert_eq!(tx.payouts_sent_by(transaction, other.id).await.unwrap(), [payout.id], "{transaction}");
    }
    drop(tx);
    assert!(world.decide_payout(HoldDecision::Release).await);
    assert!(pay_out::run(&app).await.unwrap() > 0);
    assert!(!world.sent().await.is_empty());
}

/// An operator's release is about what was sent before. It is no answer for a transaction that was signed later.
#[tokio::test]
async fn a_released_withdrawal_is_held_again_when_nothing_proves_that_it_was_not_sent() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    world.restored().await;
    let app = faulty(&world, false, |call| {
        let unproven = || Unsent::Unavailable(Box::new(Unproven("its number 7 is used".to_owned())));
        (call < 2).then(unproven)
    });
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    assert!(world.decide_payout(HoldDecision::Release).await);
    assert_eq!(pay_out::run(&app).await.unwrap(), 0, "it is signed, and the network cannot tell");
    world.advance(3_600).await;
    assert_eq!(pay_out::run(&app).await.unwrap(), 1);
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    let reasons = world.reasons().await;
    assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().contains("number 7"), "{reasons:?}");
    assert!(world.sent().await.is_empty(), "the first transaction may have paid");
    assert!(world.decide_payout(HoldDecision::Release).await);
    assert_eq!(pay_out::run(&app).await.unwrap(), 1);
    assert_eq!(world.sent().await.len(), 1);
}

/// The second backup has the decision of the first restore, and a transaction that expired since.
#[tokio::test]
async fn a_release_after_one_restore_is_none_after_the_next() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    let app = faulty(&world, false, |call| match call {
        0 => Some(Unsent::Unavailable("timeout".into())),
        1 => Some(Unsent::Expired("the transaction of the lost gateway has its number".to_owned())),
        _ => None,
    });
    assert_eq!(world.restored().await, 1);
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    assert!(world.decide_payout(HoldDecision::Release).await);
    assert_eq!(pay_out::run(&app).await.unwrap(), 0, "it is signed");
    assert_eq!(world.restored().await, 0);
    assert_eq!(pay_out::run(&app).await.unwrap(), 1);
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    let reasons = world.reasons().await;
    assert!(reasons.len() == 1 && reasons[0].as_ref().unwrap().contains("lost gateway"), "{reasons:?}");
    assert!(world.sent().await.is_empty(), "the lost gateway may have paid");
}

/// A refund that may have been sent is not given up, so that nobody sends another one: its payer's account demands a tag by now,
/// and the deposit before it left its chain.
#[tokio::test]
async fn a_held_refund_stays_until_an_operator_decides() {
    let mut world = super::refunds::world().await;
    let app = App { broadcasters: BTreeMap::new(), ..(*world.app).clone() };
    world.router = crate::router(&Arc::new(app), &world.simulated);
    let (id, _) = world.quoted(json!({}), "XRP", "XRP").await;
    let payment = world.payment(&id).await;
    let pay = async || {
        let body = json!({
            "network": "XRP", "currency": "XRP", "address": payment["walletAddress"], "amount": "500",
            "destinationTag": payment["destinationTag"], "fromAddress": "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
            "sender": "TAG_REQUIRED",
        });
        let sent = world.sandbox("transfers", body).await["transactionId"].clone();
        world.mine("XRP").await;
        sent
    };
    let first = pay().await;
    pay().await;
    let payouts = world.database.open_payouts(None, None).await.unwrap();
    let refunds: Vec<Uuid> = payouts.iter().map(|payout| payout.id).collect();
    assert!(!refunds.is_empty());
    let mut tx = world.database.begin().await.unwrap();
    for payout in payouts {
        let held = payout.suspected("its transaction ABC may have been sent").unwrap();
        assert!(tx.save_payout(held).await.unwrap().is_some());
    }
    tx.commit().await.unwrap();
    let waiting = async || {
        let open = world.database.open_payouts(None, None).await.unwrap();
        open.iter().map(|payout| payout.id).collect::<Vec<_>>()
    };
    assert_eq!(pay_out::run(&world.app).await.unwrap(), 0);
    assert_eq!(waiting().await, refunds, "the account demands a tag");
    world.sandbox("drops", json!({"transactionId": first})).await;
    assert_eq!(waiting().await, refunds, "the plan changed");
    for _ in &refunds {
        assert!(world.decide_payout(HoldDecision::Sent("ABC".to_owned())).await);
    }
    assert_eq!(pay_out::run(&world.app).await.unwrap(), refunds.len());
    let payment = world.payment(&id).await;
    let refunds =
        payment["deposits"].as_array().unwrap().iter().map(|deposit| &deposit["refund"]["transactionId"]);
    assert!(refunds.clone().any(|transaction| *transaction == "ABC"), "{payment}");
}

/// The first server that answers after hours without a network may be behind. The hour begins with its answer.
#[tokio::test]
async fn a_withdrawal_is_not_held_because_of_the_first_answer_after_hours() {
    let world = World::rich().await;
    world.withdraw(json!({})).await;
    let app = faulty(&world, false, |call| match call {
        0 => Some(Unsent::Unavailable("no connection".into())),
        1 => Some(Unsent::Unavailable(Box::new(Unproven("its number 7 is used".to_owned())))),
        _ => None,
    });
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    world.advance(7_200).await;
    assert_eq!(pay_out::run(&app).await.unwrap(), 0);
    assert!(world.reasons().await.is_empty());
    assert_eq!(pay_out::run(&app).await.unwrap(), 1);
    assert_eq!((world.stored("status").await, world.sent().await.len()), (vec![Some("COMPLETED".into())], 1));
}

/// The fee rose above what a refund is worth. Until the chain is asked, the lost gateway may have sent it: given up, it
/// would be credited to the merchant, too. The backup has it, or it is planned again.
#[tokio::test]
async fn a_refund_is_not_given_up_before_the_chain_was_asked() {
    for (was_sent, is_in_backup) in [(true, true), (false, true), (true, false), (false, false)] {
        let world = super::refunds::world().await;
        let (id, _) = world.quoted(json!({}), "USDT", "ETH").await;
        world.sandbox("fees", json!({"network": "ETH", "fee": "0.004"})).await;
        let payment = world.payment(&id).await;
        let expected: f64 = payment["expectedDepositAmount"].as_str().unwrap().parse().unwrap();
        if !is_in_backup {
            assert_eq!(world.restored().await, 0);
        }
        world.pay(&id, &format!("{:.6}", expected + 20.0)).await;
        world.mine("ETH").await;
        let payout = world.database.open_payouts(None, None).await.unwrap().remove(0);
        if was_sent {
            let pair = (Currency::Usdt, Network::Eth);
            world.refunded_by_the_lost_gateway(pair, "18.5", &payout.to).await;
        }
        if is_in_backup {
            assert_eq!(world.restored().await, 1);
        }
        world.advance(86_401).await;
        pay_out::run(&world.app).await.unwrap();
        let refund = world.payment(&id).await["deposits"][0]["refund"].clone();
        let expected = if was_sent { ("PENDING", 1) } else { ("NON_REFUNDABLE", 0) };
        let have = (refund["status"].as_str().unwrap(), world.reasons().await.len());
        assert_eq!(have, expected, "sent {was_sent}, in the backup {is_in_backup}: {refund:#}");
    }
}
