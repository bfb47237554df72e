//! Transactions with several transfers without the tag of a payment, or with several ids.

use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::Network;
use checkout_domain::chain::OutputId;
use checkout_domain::chain::found::FoundTransaction;
use checkout_domain::chain::source::{Check, Tip};
use checkout_domain::ports::{Chain, ChainError, Changes};
use checkout_gateway::service::App;
use checkout_gateway::service::transfers::credit_untagged;
use checkout_gateway::service::transfers::decide_untagged::{
    UntaggedChoice, UntaggedRefusal, credit, refuse,
};
use checkout_gateway::service::transfers::look_up_transaction::look_up;
use checkout_wire::rules::Finding;
use serde_json::json;

use super::World;
use super::untagged::{check_paid, payment_id};

/// Knows a transaction by a second id, as Stellar knows a fee-bump transaction by that of the one that it carries.
struct TwoIds {
    chain: Arc<dyn Chain>,
    transaction: String,
    second: String,
}

#[async_trait]
impl Chain for TwoIds {
    fn network(&self) -> Network {
        self.chain.network()
    }

    async fn changes(&self, cursor: Option<&str>) -> Result<Changes, ChainError> {
        self.chain.changes(cursor).await
    }

    async fn confirmations(&self, output: &OutputId) -> Result<u64, ChainError> {
        self.chain.confirmations(output).await
    }

    async fn look_up(&self, transaction: &str) -> Result<Option<FoundTransaction>, ChainError> {
        let is_second = transaction == self.second;
        self.chain.look_up(if is_second { &self.transaction } else { transaction }).await
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.chain.tip().await
    }

    async fn health(&self) -> Vec<Check> {
        self.chain.health().await
    }
}

#[tokio::test]
async fn a_transfer_that_is_found_by_two_ids_is_credited_once() {
    let world = World::new().await;
    let (id, amount) = world.tagged("one", "XLM").await;
    let transaction = world.send_astray(&id, &amount, None).await;
    world.mine("XLM").await;
    let second = "ab".repeat(32);
    let mut app = App::clone(&world.app);
    let chain = Arc::clone(&app.chains[&Network::Xlm]);
    let chain = TwoIds { chain, transaction: transaction.clone(), second: second.clone() };
    app.chains.insert(Network::Xlm, Arc::new(chain));
    let find_out = async |transaction: &str| {
        let record = world.app.store.payment(payment_id(&id)).await.unwrap().unwrap();
        look_up(&app, &record, transaction).await
    };
    for text in [&second, &transaction] {
        let found = find_out(text).await;
        assert!(matches!(found, Finding::OtherTag { tag: None, reported: true, .. }), "{text}: {found:?}");
    }
    world.credit(&transaction, &id).await.unwrap();
    assert_eq!(credit_untagged::run(&app).await.unwrap(), 1);
    for text in [&second, &transaction] {
        let found = find_out(text).await;
        assert!(matches!(found, Finding::Counted(_)), "{text}: {found:?}");
    }
    let [one] = world.untagged().await.try_into().unwrap();
    assert_eq!(one.output.transaction, transaction);
    assert_eq!(world.credit(&second, &id).await, Err(UntaggedRefusal::NoTransfer));
    check_paid(&world.payment(&id).await, "DEPOSITED", &amount);
}

/// One transaction pays the account three times, once with the tag of a payment.
#[tokio::test]
async fn each_transfer_of_a_transaction_is_decided_by_itself() {
    let world = World::new().await;
    let ((one, amount), (other, _)) = (world.tagged("one", "XRP").await, world.tagged("other", "XRP").await);
    let transaction = world.pay(&other, "1").await;
    for amount in [&*amount, "2"] {
        let to = world.payment(&one).await["walletAddress"].clone();
        let more = json!({"network": "XRP", "currency": "XRP", "address": to, "amount": amount, "transactionId": transaction});
        world.sandbox("transfers", more).await;
    }
    world.mine("XRP").await;
    world.find_out(&one, &transaction).await;
    // It counts for the other payment, which can report the rest as well.
    let counted = world.find_out(&other, &transaction).await;
    assert!(matches!(counted, Finding::Counted(_)), "{counted:?}");
    assert!(world.untagged().await.iter().all(|one| one.reports.len() == 2));
    let mut outputs: Vec<u32> = world.untagged().await.iter().map(|one| one.output.index).collect();
    outputs.sort_unstable();
    assert_eq!(outputs, [1, 2], "the first has the tag of a payment");
    let several = Err(UntaggedRefusal::SeveralOutputs(outputs));
    assert_eq!(world.credit(&transaction, &one).await, several);
    assert_eq!(world.refuse(&transaction).await, several);
    let which = |output| UntaggedChoice { transaction: &transaction, output: Some(output) };
    let now = world.app.clock.now();
    assert_eq!(
        credit(&world.database, which(0), payment_id(&one), now).await.unwrap(),
        Err(UntaggedRefusal::NoOutput(0))
    );
    credit(&world.database, which(1), payment_id(&one), now).await.unwrap().unwrap();
    refuse(&world.database, which(2), now).await.unwrap().unwrap();
    assert_eq!(credit_untagged::run(&world.app).await.unwrap(), 1);
    check_paid(&world.payment(&one).await, "DEPOSITED", &amount);
    check_paid(&world.payment(&other).await, "AWAITING", "1");
    assert_eq!(world.count_deposits().await, 2);
}
