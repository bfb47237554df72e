//! Transfers without the tag of a payment: reported by a look-up, credited or refused by an operator, at most once.

use std::sync::Arc;

use axum::http::Method;
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::untagged::{UntaggedState, UntaggedTransfer};
use checkout_domain::ids::PaymentId;
use checkout_domain::ports::untagged::{REPORTS, UntaggedStore as _};
use checkout_gateway::service::App;
use checkout_gateway::service::transfers::credit_untagged;
use checkout_gateway::service::transfers::decide_untagged::{
    UntaggedChoice, UntaggedRefusal, credit, refuse,
};
use checkout_gateway::service::transfers::look_up_transaction::look_up;
use checkout_gateway::service::transfers::record_transfers::catch_up;
use checkout_wire::rules::Finding;
use futures::future::join_all;
use serde_json::{Value, json};

use super::World;
use super::callbacks::{deliver, world as told};
use super::inbox::Inbox;
use super::slow_network::SilentChain;
use crate::fixture::Look as _;

pub(super) fn payment_id(id: &str) -> PaymentId {
    id.parse().unwrap()
}

fn choice(transaction: &str) -> UntaggedChoice<'_> {
    UntaggedChoice { transaction, output: None }
}

impl World {
    /// A payment in XRP or XLM, and its amount.
    pub(super) async fn tagged(&self, order: &str, currency: &str) -> (String, String) {
        let (id, _) = self.quoted(json!({"clientPaymentId": order}), currency, currency).await;
        let amount = self.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
        (id, amount)
    }

    /// Sends to the account of a payment with another tag, or none. Returns the transaction id.
    pub(super) async fn send_astray(&self, id: &str, amount: &str, tag: Option<&str>) -> String {
        let payment = self.payment(id).await;
        let mut body = json!({
            "network": payment["expectedNetwork"], "currency": payment["depositCurrency"],
            "address": payment["walletAddress"], "amount": amount,
        });
        if let Some(tag) = tag {
            body["destinationTag"] = tag.into();
        }
        self.sandbox("transfers", body).await["transactionId"].as_str().unwrap().to_owned()
    }

    /// Sends, confirms and looks up. Returns the transaction id.
    async fn report(&self, id: &str, amount: &str, tag: Option<&str>) -> String {
        let transaction = self.send_astray(id, amount, tag).await;
        let network = self.payment(id).await["expectedNetwork"].as_str().unwrap().to_owned();
        self.mine(&network).await;
        self.find_out(id, &transaction).await;
        transaction
    }

    pub(super) async fn find_out(&self, id: &str, transaction: &str) -> Finding {
        let record = self.app.store.payment(payment_id(id)).await.unwrap().unwrap();
        look_up(&self.app, &record, transaction).await
    }

    /// Whether the payer is told that the operator knows of it.
    async fn is_told(&self, id: &str, transaction: &str) -> bool {
        match self.find_out(id, transaction).await {
            Finding::OtherTag { tag: None, reported, .. } => reported,
            other => panic!("{other:?}"),
        }
    }

    pub(super) async fn untagged(&self) -> Vec<UntaggedTransfer> {
        self.database.untagged(None, 100).await.unwrap()
    }

    async fn the_state(&self) -> UntaggedState {
        let [one] = self.untagged().await.try_into().unwrap();
        one.state
    }

    pub(super) async fn credit(
        &self,
        transaction: &str,
        id: &str,
    ) -> Result<UntaggedTransfer, UntaggedRefusal> {
        credit(&self.database, choice(transaction), payment_id(id), self.app.clock.now()).await.unwrap()
    }

    pub(super) async fn refuse(&self, transaction: &str) -> Result<UntaggedTransfer, UntaggedRefusal> {
        refuse(&self.database, choice(transaction), self.app.clock.now()).await.unwrap()
    }

    /// Decides, and has the gateway carry it out.
    async fn credited(&self, transaction: &str, id: &str) -> usize {
        self.credit(transaction, id).await.unwrap();
        credit_untagged::run(&self.app).await.unwrap()
    }

    pub(super) async fn count_deposits(&self) -> i64 {
        self.database.count("SELECT COUNT(*) FROM deposits").await
    }
}

#[track_caller]
pub(super) fn check_paid(payment: &Value, status: &str, actual: &str) {
    let have = (payment["status"].as_str().unwrap(), payment["actualDepositAmount"].as_str().unwrap());
    assert_eq!(have, (status, actual), "{payment:#}");
}

fn reported_by(one: &UntaggedTransfer) -> Vec<String> {
    one.reports.iter().map(|report| report.payment.to_string()).collect()
}

#[tokio::test]
async fn a_look_up_reports_a_transfer_that_has_no_tag_or_one_of_no_payment() {
    for (currency, tag) in [("XRP", "4711"), ("XLM", "911")] {
        let world = World::new().await;
        let (id, _) = world.tagged("one", currency).await;
        let without = world.send_astray(&id, "12.5", None).await;
        assert!(!world.is_told(&id, &without).await, "it is in no block");
        assert_eq!(world.untagged().await, []);
        world.mine(currency).await;
        for again in ["first", "again"] {
            assert!(world.is_told(&id, &without).await, "{again}");
        }
        let mut watch = world.watch().await;
        world.find_out(&id, &without).await;
        let now = watch.now().await;
        watch.assert_same(now, "the same report");
        let [one] = world.untagged().await.try_into().unwrap();
        assert_eq!((&one.output.transaction, &one.tag), (&without, &None));
        assert_eq!(
            (one.state.clone(), reported_by(&one)),
            (UntaggedState::Open { failure: None }, vec![id.clone()])
        );
        assert!(!one.from.is_empty() && one.seen_at > 0, "{one:?}");

        let wrong = world.report(&id, "12.5", Some(tag)).await;
        let all = world.untagged().await;
        let wrong = all.iter().find(|one| one.output.transaction == wrong).expect("it is reported");
        assert_eq!((all.len(), wrong.tag.as_deref()), (2, Some(tag)));
        let metrics = world.call(Method::GET, "/metrics", None, None).await;
        let metrics = String::from_utf8(metrics.bytes).unwrap();
        assert!(metrics.contains("\ncheckout_transfers_untagged 2\n"), "{metrics}");
        check_paid(&world.payment(&id).await, "PENDING", "0");
    }
}

/// What belongs to another payment is neither reported nor told.
#[tokio::test]
async fn a_transfer_with_the_tag_of_another_payment_is_not_reported() {
    let world = World::new().await;
    let ((id, _), (other, amount)) = (world.tagged("one", "XRP").await, world.tagged("other", "XRP").await);
    let transaction = world.pay(&other, &amount).await;
    world.mine("XRP").await;
    let found = world.find_out(&id, &transaction).await;
    assert!(matches!(found, Finding::OtherTag { tag: Some(_), reported: false, .. }), "{found:?}");
    assert_eq!(world.untagged().await, []);
    assert_eq!(world.credit(&transaction, &id).await, Err(UntaggedRefusal::NoTransfer));
    check_paid(&world.payment(&other).await, "DEPOSITED", &amount);
}

#[tokio::test]
async fn dust_is_not_reported_and_a_payment_reports_a_few() {
    let world = World::new().await;
    let ((id, _), (other, _)) = (world.tagged("one", "XRP").await, world.tagged("other", "XRP").await);
    let mut sent = Vec::new();
    for _ in 0..=REPORTS {
        sent.push(world.report(&id, "12.5", None).await);
    }
    let last = sent.last().unwrap();
    assert!(world.is_told(&id, &sent[0]).await && !world.is_told(&id, last).await);
    assert_eq!(world.untagged().await.len(), usize::try_from(REPORTS).unwrap());
    assert!(world.is_told(&other, last).await, "another payment can report it");
    world.refuse(&sent[0]).await.unwrap();
    assert!(world.is_told(&id, last).await, "what is decided makes room");
    let dust = world.report(&other, "0.000001", None).await;
    assert!(!world.is_told(&other, &dust).await);
}

#[tokio::test]
async fn a_credited_transfer_is_a_deposit_like_any_other() {
    let inbox = Inbox::open();
    let world = told(&inbox).await;
    let (id, amount) = world.tagged("one", "XRP").await;
    let transaction = world.report(&id, &amount, None).await;
    assert_eq!(world.credited(&transaction.to_ascii_lowercase(), &id).await, 1);
    check_paid(&world.payment(&id).await, "DEPOSITED", &amount);
    assert_eq!(world.the_state().await, UntaggedState::Credited(payment_id(&id)));
    assert!(matches!(world.find_out(&id, &transaction).await, Finding::Counted(_)));
    deliver(&world).await;
    let [callback] = inbox.received().try_into().unwrap();
    let body = callback.json();
    assert_eq!((&body["rateType"], &body["transactionId"]), (&json!("FIXED"), &json!(transaction)), "{body}");
    let expected = world.balances().await;
    // The same payment, paid with its tag, books the same.
    let tagged = told(&Inbox::open()).await;
    let (other, amount) = tagged.tagged("one", "XRP").await;
    tagged.pay(&other, &amount).await;
    tagged.mine("XRP").await;
    assert_eq!(tagged.balances().await, expected);

    // A rescan, a reorganisation and a second decision change nothing.
    for round in ["rescan", "reorganisation"] {
        if round == "reorganisation" {
            world.sandbox("reorgs", json!({"network": "XRP", "depth": 1})).await;
            assert_ne!(world.payment(&id).await["status"], "DEPOSITED", "it is in no block");
            world.mine("XRP").await;
        }
        let mut tx = world.app.store.begin().await.unwrap();
        tx.put_cursor(Network::Xrp, "0").await.unwrap();
        tx.commit().await.unwrap();
        catch_up(&world.app, Network::Xrp).await.unwrap();
        check_paid(&world.payment(&id).await, "DEPOSITED", &amount);
        assert_eq!(
            (world.count_deposits().await, credit_untagged::run(&world.app).await.unwrap()),
            (1, 0),
            "{round}"
        );
    }
    let done = UntaggedRefusal::NotNow(UntaggedState::Credited(payment_id(&id)));
    assert_eq!(world.credit(&transaction, &id).await, Err(done.clone()));
    assert_eq!(world.refuse(&transaction).await, Err(done));
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 1, "told once");
    assert_eq!(world.balances().await, expected);
}

#[tokio::test]
async fn a_transfer_that_two_payments_report_is_credited_to_one() {
    let world = World::new().await;
    let ((id, amount), (other, _)) = (world.tagged("one", "XLM").await, world.tagged("other", "XLM").await);
    let (stranger, _) = world.tagged("stranger", "XLM").await;
    let transaction = world.report(&id, &amount, None).await;
    assert!(world.is_told(&other, &transaction).await);
    let [one] = world.untagged().await.try_into().unwrap();
    let mut reports = reported_by(&one);
    reports.sort();
    let mut both = vec![id.clone(), other.clone()];
    both.sort();
    assert_eq!(reports, both);
    let not_reported = UntaggedRefusal::NotReported(payment_id(&stranger));
    assert_eq!(world.credit(&transaction, &stranger).await, Err(not_reported));

    // Both are decided at once, by operators who do not know of each other, and carried out by several gateways.
    let decisions = join_all([world.credit(&transaction, &id), world.credit(&transaction, &other)]).await;
    assert_eq!(decisions.iter().filter(|decided| decided.is_ok()).count(), 1, "{decisions:?}");
    let runs = join_all((0..6).map(|_| credit_untagged::run(&world.app))).await;
    assert_eq!(runs.into_iter().map(Result::unwrap).sum::<usize>(), 1);
    let winner = world.the_state().await.payment().unwrap().to_string();
    let loser = if winner == id { &other } else { &id };
    check_paid(&world.payment(&winner).await, "DEPOSITED", &amount);
    check_paid(&world.payment(loser).await, "PENDING", "0");
    assert!(!world.is_told(loser, &transaction).await, "it is a deposit of another payment");
    assert!(world.credit(&transaction, loser).await.is_err());
    assert_eq!(world.count_deposits().await, 1);
}

#[tokio::test]
async fn what_was_refused_can_be_credited_and_what_was_not_carried_out_refused() {
    let world = World::new().await;
    let (id, amount) = world.tagged("one", "XRP").await;
    let transaction = world.report(&id, &amount, None).await;
    assert_eq!(world.refuse(&transaction).await.unwrap().state, UntaggedState::Refused);
    assert_eq!(world.refuse(&transaction).await, Err(UntaggedRefusal::NotNow(UntaggedState::Refused)));
    let crediting = UntaggedState::Crediting(payment_id(&id));
    assert_eq!(world.credit(&transaction, &id).await.unwrap().state, crediting);
    assert_eq!(world.credit(&transaction, &id).await, Err(UntaggedRefusal::NotNow(crediting)));
    world.refuse(&transaction).await.unwrap();
    assert_eq!(credit_untagged::run(&world.app).await.unwrap(), 0);
    check_paid(&world.payment(&id).await, "PENDING", "0");
    assert_eq!(world.credited(&transaction, &id).await, 1);
    check_paid(&world.payment(&id).await, "DEPOSITED", &amount);
    assert_eq!(world.refuse("no transaction").await, Err(UntaggedRefusal::NoTransfer));
}

/// As a late or a second transfer with the tag is.
#[tokio::test]
async fn a_payment_that_is_cancelled_or_paid_gets_its_transfer() {
    for (before, status, deposits) in [("cancelled", "DEPOSITED", 1), ("paid", "DEPOSITED", 2)] {
        let world = World::new().await;
        let (id, amount) = world.tagged("one", "XRP").await;
        let transaction = world.report(&id, &amount, None).await;
        if before == "paid" {
            world.pay(&id, &amount).await;
            world.mine("XRP").await;
        } else {
            let path = format!("/api/v1/payments/{id}/cancel");
            let cancelled = world.call(Method::POST, &path, Some(&world.token), None).await;
            assert_eq!(cancelled.json["status"], "EXPIRED", "{}", cancelled.json);
        }
        assert_eq!(world.credited(&transaction, &id).await, 1, "{before}");
        let payment = world.payment(&id).await;
        assert_eq!(payment["status"], status, "{before}: {payment:#}");
        assert_eq!(world.count_deposits().await, deposits, "{before}");
    }
}

/// The chain is asked again before money is credited.
#[tokio::test]
async fn a_transfer_that_is_not_what_was_reported_waits_with_the_reason() {
    let world = World::new().await;
    let (id, amount) = world.tagged("one", "XRP").await;
    let transaction = world.report(&id, &amount, Some("4711")).await;
    let check = async |app: &App, expected: &str| {
        world.credit(&transaction, &id).await.unwrap();
        assert_eq!(credit_untagged::run(app).await.unwrap(), 0, "{expected}");
        let state = world.the_state().await;
        assert_eq!(state, UntaggedState::Open { failure: Some(expected.to_owned()) });
        check_paid(&world.payment(&id).await, "PENDING", "0");
    };
    let mut without_node = App::clone(&world.app);
    without_node.chains.clear();
    check(&without_node, "this gateway has no node of its network").await;
    // A node that does not answer decides nothing.
    let mut silent = App::clone(&world.app);
    silent.chains.insert(Network::Xrp, Arc::new(SilentChain(Network::Xrp)));
    world.credit(&transaction, &id).await.unwrap();
    assert_eq!(credit_untagged::run(&silent).await.unwrap(), 0);
    assert_eq!(world.the_state().await, UntaggedState::Crediting(payment_id(&id)));
    world.refuse(&transaction).await.unwrap();

    world.sandbox("reorgs", json!({"network": "XRP", "depth": 1})).await;
    check(&world.app, "it has not enough confirmations").await;
    world.mine("XRP").await;
    let change = async |sql: &'static str| world.database.apply(checkout_storage::query(sql)).await.unwrap();
    change("UPDATE sim_transfers SET amount = '1000000'").await;
    check(&world.app, "the network says another amount, recipient, tag or sender").await;
    change("UPDATE sim_transfers SET amount = (SELECT amount FROM untagged_transfers)").await;
    change("UPDATE sim_transfers SET dropped = 1").await;
    check(&world.app, "the network does not know the transaction").await;
    change("UPDATE sim_transfers SET dropped = 0").await;

    // Its tag was given to another payment since: now it belongs to that one.
    let (other, _) = world.quoted(json!({"clientPaymentId": "other"}), "BTC", "BTC").await;
    let account = world.payment(&id).await["walletAddress"].as_str().unwrap().to_owned();
    let mut tx = world.app.store.begin().await.unwrap();
    let given = tx.insert_address(payment_id(&other), Network::Xrp, &account, Some("4711"), 1).await.unwrap();
    assert!(given);
    tx.commit().await.unwrap();
    check(&world.app, "it is a deposit already, or the payment cannot take it").await;
    assert_eq!(world.count_deposits().await, 0);
    change("DELETE FROM addresses WHERE tag = '4711'").await;
    assert_eq!(world.credited(&transaction, &id).await, 1);
    check_paid(&world.payment(&id).await, "DEPOSITED", &amount);
}

/// The operator may have taken the decision back after the backup, and credited another payment.
#[tokio::test]
async fn a_restored_decision_is_not_carried_out() {
    let world = World::new().await;
    let (id, amount) = world.tagged("one", "XRP").await;
    let transaction = world.report(&id, &amount, None).await;
    world.credit(&transaction, &id).await.unwrap();
    world.restored().await;
    assert_eq!(credit_untagged::run(&world.app).await.unwrap(), 0);
    let failure = Some("the database was restored before it was carried out".to_owned());
    assert_eq!(world.the_state().await, UntaggedState::Open { failure });
    assert_eq!(world.credited(&transaction, &id).await, 1);
}

#[tokio::test]
async fn a_credited_transfer_of_a_flagged_sender_is_held() {
    let world = World::new().await;
    let (id, amount) = world.tagged("one", "XRP").await;
    let transaction = world.report(&id, &amount, None).await;
    let [one] = world.untagged().await.try_into().unwrap();
    world.flag("XRP", &one.from, true).await;
    assert_eq!(world.credited(&transaction, &id).await, 1);
    let payment = world.payment(&id).await;
    assert_eq!(payment["status"], "AWAITING", "{payment:#}");
    assert_eq!(world.app.store.held_deposits().await.unwrap().flagged, 1);
}

/// It is credited on the terms of the time it was seen, whenever the operator decides.
#[tokio::test]
async fn a_payment_that_expired_long_ago_gets_its_transfer() {
    let world = World::new().await;
    let (id, amount) = world.tagged("one", "XRP").await;
    let transaction = world.report(&id, &amount, None).await;
    world.advance(40 * 60).await;
    assert_eq!(world.payment(&id).await["status"], "EXPIRED");
    world.sandbox("rates", json!({"from": "XRP", "to": "EUR", "rate": "0.1"})).await;
    world.advance(60 * 24 * 60 * 60).await;
    assert_eq!(world.credited(&transaction, &id).await, 1);
    let payment = world.payment(&id).await;
    check_paid(&payment, "DEPOSITED", &amount);

    // A reorganisation finds it by its deposit.
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    assert_ne!(world.payment(&id).await["status"], "DEPOSITED");
    let output = OutputId { network: Network::Xrp, transaction, index: 0 };
    let record = world.app.store.payment(payment_id(&id)).await.unwrap().unwrap();
    assert_eq!(record.deposits.iter().map(|deposit| &deposit.output).collect::<Vec<_>>(), [&output]);
}

/// The payer cannot choose the rate afterwards.
#[tokio::test]
async fn a_quote_that_was_shown_after_the_transfer_does_not_value_it() {
    let world = World::new().await;
    let rate = async |rate: &str| {
        world.sandbox("rates", json!({"from": "XRP", "to": "EUR", "rate": rate})).await;
    };
    let (id, dear) = world.tagged("one", "XRP").await;
    rate("5").await;
    let (_, cheap) = world.tagged("other", "XRP").await;
    assert_ne!(cheap, dear);
    rate("0.5").await;
    let transactions =
        [world.send_astray(&id, &cheap, None).await, world.send_astray(&id, &cheap, None).await];
    world.mine("XRP").await;
    world.advance(40 * 60).await;
    assert_eq!(world.payment(&id).await["status"], "EXPIRED");
    rate("5").await;
    let choice = json!({"depositCurrency": "XRP", "network": "XRP"});
    let again =
        world.call(Method::PATCH, &format!("/api/v1/payments/{id}"), Some(&world.token), Some(&choice)).await;
    assert_eq!(again.json["paymentInfo"]["expectedDepositAmount"], cheap, "{}", again.json);
    let (younger, _) = world.tagged("younger", "XRP").await;
    for (transaction, payment) in transactions.iter().zip([&id, &younger]) {
        world.find_out(payment, transaction).await;
    }
    // A small deposit does not bring the later quote back.
    world.pay(&id, "1").await;
    world.mine("XRP").await;
    world.advance(40 * 60).await;
    rate("0.5").await;
    for (transaction, payment) in transactions.iter().zip([&id, &younger]) {
        assert_eq!(world.credited(transaction, payment).await, 1);
        let payment = world.payment(payment).await;
        assert_ne!(payment["status"], "DEPOSITED", "{payment:#}");
    }
}

/// The rightful payer may be the second who reports it.
#[tokio::test]
async fn what_was_refused_waits_again_when_another_payment_reports_it() {
    let world = World::new().await;
    let ((stranger, _), (id, amount)) =
        (world.tagged("stranger", "XRP").await, world.tagged("one", "XRP").await);
    let transaction = world.report(&stranger, &amount, None).await;
    world.refuse(&transaction).await.unwrap();
    world.find_out(&stranger, &transaction).await;
    assert_eq!(world.the_state().await, UntaggedState::Refused, "the same report");
    assert!(world.is_told(&id, &transaction).await);
    let failure = "it was refused before another payment reported it; it may have been sent back by hand";
    assert_eq!(world.the_state().await, UntaggedState::Open { failure: Some(failure.to_owned()) });
    assert_eq!(world.database.open_untagged().await.unwrap(), 1);
    assert_eq!(world.credited(&transaction, &id).await, 1);
    check_paid(&world.payment(&id).await, "DEPOSITED", &amount);
}
