//! Each hour the wallets are compared with the books: what left them without a payout is said.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use checkout_core::address::Address;
use checkout_core::{Currency, Network};
use checkout_domain::chain::payout::{Payout, Signed};
use checkout_domain::ledger::money::Money;
use checkout_domain::ledger::wallet::WalletRecord;
use checkout_domain::ports::broadcaster::{Broadcaster, Holding, Known, Unsent};
use checkout_domain::rates::asset::Asset;
use checkout_gateway::service::payouts::compare_wallets;
use checkout_simulator::chain::broadcaster::SimulatedBroadcaster;
use checkout_simulator::chain::samples::{payout_account, sender};
use serde_json::{Value, json};

use super::World;

const XRP: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";

/// A business that is paid 1,000 EUR in XRP, and whose wallets were compared.
pub(super) async fn world() -> World {
    let world = World::new().await;
    paid(&world, "order-1").await;
    for _ in 0..3 {
        hour(&world).await;
    }
    assert_eq!(said(&world).await, Vec::<String>::new());
    world
}

/// Returns the account that was paid.
async fn paid(world: &World, order: &str) -> Value {
    let price = json!({"clientPaymentId": order, "displayAmount": "1000"});
    let (id, _) = world.quoted(price, "XRP", "XRP").await;
    let payment = world.payment(&id).await;
    world.pay(&id, payment["expectedDepositAmount"].as_str().unwrap()).await;
    world.mine("XRP").await;
    payment["walletAddress"].clone()
}

/// An hour later the wallets are compared again.
pub(super) async fn hour(world: &World) {
    world.advance(3600).await;
    compare_wallets::run(&world.app).await.unwrap();
}

/// Coins leave the wallet, and the gateway did not send them.
pub(super) async fn taken(world: &World, amount: &str) {
    let transfer = json!({
        "network": "XRP", "currency": "XRP", "address": XRP, "amount": amount, "fromAddress": payout_account(Network::Xrp),
    });
    world.sandbox("transfers", transfer).await;
    world.mine("XRP").await;
}

/// Coins come to the wallet, and no payment has them.
pub(super) async fn given(world: &World, amount: &str) {
    let transfer = json!({
        "network": "XRP", "currency": "XRP", "address": payout_account(Network::Xrp), "amount": amount,
        "fromAddress": sender(Network::Xrp),
    });
    world.sandbox("transfers", transfer).await;
    world.mine("XRP").await;
}

/// What the readiness warns of, and how many currencies lack something by the metrics.
async fn said(world: &World) -> Vec<String> {
    let ready = world.get("/readyz", "").await;
    assert_eq!(ready.status, 200, "payments can be taken all the same");
    let warnings = ready.json["warnings"].as_array().cloned().unwrap_or_default();
    let all = warnings.iter().map(|warning| warning.as_str().unwrap().to_owned());
    let lacks: Vec<String> = all.filter(|warning| warning.contains("the wallets hold")).collect();
    let metrics = String::from_utf8(world.get("/metrics", "").await.bytes).unwrap();
    let rows = metrics.lines().filter(|line| line.starts_with("checkout_wallet_lacks{"));
    assert_eq!(rows.filter(|line| line.ends_with(" 1")).count(), lacks.len(), "{metrics}");
    lacks
}

const FIVE: &str =
    "XRP: the wallets hold 5 XRP less than the books say. `checkout wallets` records what you moved.";

/// One reading may be of a moment at which coins move.
#[tokio::test]
async fn what_left_a_wallet_without_a_payout_is_said_at_the_second_reading() {
    let world = world().await;
    taken(&world, "5").await;
    assert_eq!(said(&world).await, Vec::<String>::new());
    hour(&world).await;
    assert_eq!(said(&world).await, Vec::<String>::new());
    hour(&world).await;
    assert_eq!(said(&world).await, [FIVE]);
    hour(&world).await;
    assert_eq!(said(&world).await, [FIVE]);
}

/// Less than an hour after the last one there is no other reading.
#[tokio::test]
async fn the_wallets_are_read_each_hour() {
    let world = world().await;
    taken(&world, "5").await;
    for _ in 0..5 {
        compare_wallets::run(&world.app).await.unwrap();
        world.advance(600).await;
    }
    assert_eq!(said(&world).await, Vec::<String>::new());
}

pub(super) async fn record(world: &World, units: i128) -> WalletRecord {
    let record = WalletRecord {
        id: world.app.new_id(),
        money: Money { asset: Asset::Crypto(Currency::Xrp), units },
        by: "Ada".to_owned(),
        why: "from or to the cold wallet".to_owned(),
        at: world.app.clock.now(),
    };
    let mut tx = world.app.store.begin().await.unwrap();
    tx.put_wallet_record(&record).await.unwrap();
    tx.commit().await.unwrap();
    record
}

#[tokio::test]
async fn what_an_operator_records_is_no_difference_any_more() {
    let world = world().await;
    taken(&world, "5").await;
    for _ in 0..2 {
        hour(&world).await;
    }
    assert_eq!(said(&world).await, [FIVE]);
    let record = record(&world, -5_000_000).await;
    assert_eq!(said(&world).await, Vec::<String>::new(), "at once");
    let records = world.app.store.wallet_records().await.unwrap();
    let of_xrp: Vec<&WalletRecord> =
        records.iter().filter(|known| known.money.asset == record.money.asset).collect();
    assert_eq!(of_xrp, [&record]);
    taken(&world, "5").await;
    for _ in 0..2 {
        hour(&world).await;
    }
    assert_eq!(said(&world).await, [FIVE], "what leaves after it is said again");
}

/// Deposits, withdrawals with their fees that wait, are sent and are in a block, and coins that arrive for nobody.
#[tokio::test]
async fn nothing_is_said_of_what_the_books_explain() {
    let world = world().await;
    for round in 0..3 {
        let account = paid(&world, &format!("more-{round}")).await;
        let withdrawal = json!({
            "clientWithdrawalId": format!("w-{round}"), "withdrawCurrency": "XRP", "network": "XRP",
            "recipientAddress": XRP, "targetAmount": "20", "withdrawalAccount": "FIAT",
        });
        let made = world.withdraw(withdrawal).await;
        assert_eq!(made.status, 201, "{}", made.json);
        hour(&world).await;
        assert_eq!(said(&world).await, Vec::<String>::new(), "{round}: it waits");
        world.run().await;
        hour(&world).await;
        assert_eq!(said(&world).await, Vec::<String>::new(), "{round}: it is sent");
        world.mine("XRP").await;
        hour(&world).await;
        assert_eq!(said(&world).await, Vec::<String>::new(), "{round}: it is in a block");
        let nobody = json!({
            "network": "XRP", "currency": "XRP", "address": account, "amount": "3", "fromAddress": sender(Network::Xrp),
        });
        world.sandbox("transfers", nobody).await;
        world.mine("XRP").await;
        hour(&world).await;
        assert_eq!(said(&world).await, Vec::<String>::new(), "{round}: coins without a tag");
    }
    assert_eq!(world.stored("status").await, vec![Some("COMPLETED".to_owned()); 3]);
}

/// While a node does not answer, what was read before stands.
#[tokio::test]
async fn what_a_network_does_not_tell_changes_nothing() {
    let world = world().await;
    taken(&world, "5").await;
    let silent_hour = async |world: World| {
        let app = Arc::clone(&world.app);
        let world = world.with_app(|app| drop(app.broadcasters.remove(&Network::Xrp)));
        hour(&world).await;
        World { app, ..world }
    };
    hour(&world).await;
    let world = silent_hour(world).await;
    assert_eq!(said(&world).await, Vec::<String>::new());
    hour(&world).await;
    assert_eq!(said(&world).await, [FIVE]);
    let world = silent_hour(world).await;
    assert_eq!(said(&world).await, [FIVE]);
}

/// They are in the readings after it was recorded.
#[tokio::test]
async fn what_an_operator_put_in_counts_once_it_was_read() {
    let world = world().await;
    given(&world, "500").await;
    record(&world, 500_000_000).await;
    for _ in 0..3 {
        assert_eq!(said(&world).await, Vec::<String>::new());
        hour(&world).await;
    }
    taken(&world, "5").await;
    for _ in 0..2 {
        hour(&world).await;
    }
    assert_eq!(said(&world).await, [FIVE]);
}

/// A network that takes what it is sent, and whose answer is lost.
struct Speechless(SimulatedBroadcaster);

#[async_trait]
impl Broadcaster for Speechless {
    fn network(&self) -> Network {
        self.0.network()
    }

    async fn is_own(&self, account: &Address) -> Result<bool, Unsent> {
        self.0.is_own(account).await
    }

    async fn sign(&self, payout: &Payout) -> Result<Signed, Unsent> {
        self.0.sign(payout).await
    }

    async fn broadcast(&self, signed: &Signed) -> Result<(), Unsent> {
        self.0.broadcast(signed).await?;
        Err(Unsent::later("the answer is lost"))
    }

    async fn known(&self, transaction_id: &str) -> Result<Known, Unsent> {
        self.0.known(transaction_id).await
    }

    async fn holdings(&self, deposits: Option<&str>) -> Result<Vec<Holding>, Unsent> {
        self.0.holdings(deposits).await
    }
}

/// The books do not have it yet.
#[tokio::test]
async fn nothing_is_said_of_a_payout_that_left_and_is_not_known_to_have() {
    let world = world().await;
    let withdrawal = json!({
        "withdrawCurrency": "XRP", "network": "XRP", "recipientAddress": XRP, "targetAmount": "20",
    });
    assert_eq!(world.withdraw(withdrawal).await.status, 201);
    let speechless = Speechless(SimulatedBroadcaster::new(Network::Xrp, world.database.clone()));
    let broadcasters = BTreeMap::from([(Network::Xrp, Arc::new(speechless) as Arc<dyn Broadcaster>)]);
    let world = world.with_app(|app| app.broadcasters = broadcasters);
    world.run().await;
    world.mine("XRP").await;
    assert_eq!(world.stored("state").await, [Some("SIGNED".to_owned())]);
    for _ in 0..3 {
        hour(&world).await;
        assert_eq!(said(&world).await, Vec::<String>::new());
    }
}
