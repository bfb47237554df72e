//! Flagged deposits: held, not reported, released or refused by an operator.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use axum::Router;
use axum::http::Method;
use checkout_core::Network;
use checkout_domain::business::settings::Settings;
use checkout_domain::chain::screening::AddressOwner;
use checkout_domain::chain::screening::{Decision, Screening as ScreeningState};
use checkout_domain::ids::BusinessId;
use checkout_domain::ports::screening::{HeldCounts, Screened, Screening, ScreeningError};
use checkout_gateway::service::transfers::screen_deposits::{self, Decided, decide};
use serde_json::{Value, json};
use uuid::Uuid;

use super::World;
use super::callbacks::{deliver, world as told};
use super::inbox::Inbox;

pub(super) const BITCOIN: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const OTHER: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
/// On the sanctions list of the US Treasury.
const SANCTIONED: &str = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";

impl World {
    pub(super) async fn flag(&self, network: &str, address: &str, flagged: bool) {
        let answer =
            self.sandbox("flags", json!({"network": network, "address": address, "flagged": flagged})).await;
        assert_eq!(answer, json!({"network": network, "address": address, "flagged": flagged}));
    }

    /// Pays from an address. Returns the transaction id.
    pub(super) async fn pay_from(&self, id: &str, amount: &str, from: &str) -> String {
        let payment = self.payment(id).await;
        let body = json!({
            "network": payment["expectedNetwork"], "currency": payment["depositCurrency"],
            "address": payment["walletAddress"], "amount": amount, "fromAddress": from,
        });
        self.sandbox("transfers", body).await["transactionId"].as_str().unwrap().to_owned()
    }

    pub(super) async fn decide(&self, deposit: Uuid, decision: Decision) -> Decided {
        let decided = decide(&self.database, deposit, decision).await.unwrap();
        screen_deposits::run(&self.app).await.unwrap();
        decided
    }

    async fn held(&self) -> HeldCounts {
        self.app.store.held_deposits().await.unwrap()
    }
}

/// Checks payment status, deposit statuses and the counted amount.
#[track_caller]
fn check(payment: &Value, status: &str, deposits: &[&str], actual: &str) {
    let list = payment["deposits"].as_array().unwrap();
    let have: Vec<&str> = list.iter().map(|deposit| deposit["status"].as_str().unwrap()).collect();
    let expected = (status, deposits.to_vec(), actual);
    let sum = payment["actualDepositAmount"].as_str().unwrap();
    assert_eq!((payment["status"].as_str().unwrap(), have, sum), expected, "{payment:#}");
}

pub(super) fn the_deposit(payment: &Value) -> Uuid {
    payment["deposits"][0]["id"].as_str().unwrap().parse().unwrap()
}

/// A flagged deposit is neither reported nor credited, with or without a block. Once released, it is like any other.
#[tokio::test]
async fn held_and_released() {
    let inbox = Inbox::open();
    let world = told(&inbox).await;
    world.flag("BTC", BITCOIN, true).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay_from(&id, "0.00166667", BITCOIN).await;
    check(&world.payment(&id).await, "AWAITING", &["UNCONFIRMED"], "0");
    World::check_balances(&world.balances().await, &[]);
    world.mine("BTC").await;
    check(&world.payment(&id).await, "AWAITING", &["UNCONFIRMED"], "0");
    let kept_apart = [("CHAIN BTC", "-0.00166667"), ("HELD BTC", "0.00166667")];
    World::check_balances(&world.balances().await, &kept_apart);
    world.advance(40 * 60).await;
    check(&world.payment(&id).await, "AWAITING", &["UNCONFIRMED"], "0");
    screen_deposits::run(&world.app).await.unwrap();
    deliver(&world).await;
    assert_eq!((inbox.received().len(), world.held().await), (0, HeldCounts { flagged: 1, unscreened: 0 }));
    let metrics = world.call(Method::GET, "/metrics", None, None).await;
    assert!(String::from_utf8(metrics.bytes).unwrap().contains("\ncheckout_deposits_flagged 1\n"));

    let deposit = the_deposit(&world.payment(&id).await);
    assert_eq!(world.decide(deposit, Decision::Release).await, Decided::Kept);
    check(&world.payment(&id).await, "DEPOSITED", &["CONFIRMED"], "0.00166667");
    let settled = [
        ("CHAIN BTC", "-0.00166667"),
        ("EXCHANGE BTC", "0.00166667"),
        ("EXCHANGE EUR", "-100.00"),
        ("FEES EUR", "0.50"),
        ("FIAT EUR", "99.50"),
    ];
    World::check_balances(&world.balances().await, &settled);
    deliver(&world).await;
    let received = inbox.received();
    assert_eq!((received.len(), world.held().await), (1, HeldCounts::default()));
    let body = received[0].json();
    assert_eq!((&body["depositId"], &body["rateType"]), (&json!(deposit.to_string()), &json!("FIXED")));
    for decision in [Decision::Release, Decision::Refuse] {
        assert_eq!(world.decide(deposit, decision).await, Decided::NotNow(ScreeningState::Released));
    }
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.mine("BTC").await;
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 1, "released once, reported once");
}

/// A refused deposit is not part of its payment. Its money is booked to HELD and leaves the ledger when the
/// transaction leaves its chain.
#[tokio::test]
async fn refused() {
    let inbox = Inbox::open();
    let world = told(&inbox).await;
    let (id, session) = world.quoted(json!({}), "ETH", "ETH").await;
    let transaction = world.pay_from(&id, "0.05", SANCTIONED).await;
    world.mine("ETH").await;
    let payment = world.payment(&id).await;
    check(&payment, "AWAITING", &["UNCONFIRMED"], "0");
    let other = json!({"depositCurrency": "BTC"});
    let path = format!("/api/v1/payments/{id}");
    assert_eq!(world.patch(&path, &session, &other).await.status, 409, "a deposit is pending");
    let deposit = the_deposit(&payment);
    assert_eq!(world.decide(deposit, Decision::Refuse).await, Decided::Kept);
    check(&world.payment(&id).await, "PENDING", &[], "0");
    let kept_apart = [("CHAIN ETH", "-0.05"), ("HELD ETH", "0.05")];
    World::check_balances(&world.balances().await, &kept_apart);
    assert_eq!(world.held().await, HeldCounts::default(), "nothing is held");
    let all = world.app.store.flagged_deposits(Some(world.business.id), None, 10).await.unwrap();
    let owner = AddressOwner { name: "Lazarus Group".to_owned(), category: "SANCTIONS".to_owned() };
    assert_eq!(all.len(), 1);
    assert_eq!(
        (all[0].deposit, &all[0].transaction, all[0].screening),
        (deposit, &transaction, ScreeningState::Refused)
    );
    assert_eq!((&all[0].owner, all[0].from.as_str()), (&Some(owner), SANCTIONED));
    assert!(
        world.app.store.flagged_deposits(Some(BusinessId(Uuid::nil())), None, 10).await.unwrap().is_empty()
    );
    let flagged = Some(ScreeningState::Flagged);
    assert!(world.app.store.flagged_deposits(None, flagged, 10).await.unwrap().is_empty());

    // The payer pays again, and then the operator releases the deposit: now it is excess.
    world.pay_from(&id, "0.03333334", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed").await;
    world.mine("ETH").await;
    check(&world.payment(&id).await, "DEPOSITED", &["CONFIRMED"], "0.03333334");
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 1);
    assert_eq!(world.decide(deposit, Decision::Release).await, Decided::Kept);
    check(&world.payment(&id).await, "OVERPAID", &["CONFIRMED", "CONFIRMED"], "0.08333334");
    deliver(&world).await;
    assert_eq!(inbox.received().len(), 2);
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    check(&world.payment(&id).await, "DEPOSITED", &["CONFIRMED"], "0.03333334");
}

/// A held deposit is neither excess nor refunded; other deposits are counted without it.
#[tokio::test]
async fn a_held_deposit_is_not_refunded() {
    let fair = Settings { refund_excess: Some(true), refund_follow_ups: Some(true), ..Settings::default() };
    let world = World::with(fair).await;
    world.flag("BTC", OTHER, true).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    let held = world.pay_from(&id, "0.005", OTHER).await;
    world.pay(&id, "0.001").await;
    world.mine("BTC").await;
    check(&world.payment(&id).await, "AWAITING", &["UNCONFIRMED", "CONFIRMED"], "0.001");
    world.pay(&id, "0.00066667").await;
    world.mine("BTC").await;
    let payment = world.payment(&id).await;
    check(&payment, "DEPOSITED", &["UNCONFIRMED", "CONFIRMED", "CONFIRMED"], "0.00166667");
    assert!(payment["deposits"].as_array().unwrap().iter().all(|one| one.get("refund").is_none()));
    assert_eq!(world.balances().await["HELD BTC"], "0.005");
    world.sandbox("drops", json!({"transactionId": held})).await;
    assert!(!world.balances().await.contains_key("HELD BTC"), "it left the ledger with the chain");
    assert_eq!(world.held().await, HeldCounts::default());
}

/// Flags and their removal, by sender and network.
#[tokio::test]
async fn who_is_flagged() {
    let world = World::new().await;
    world.flag("BTC", BITCOIN, true).await;
    world.flag("BTC", OTHER, true).await;
    world.flag("BTC", OTHER, false).await;
    let evm = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    world.flag("ETH", evm, true).await;
    for (network, currency, from, flagged) in [
        ("BTC", "BTC", BITCOIN, true),
        ("BTC", "BTC", OTHER, false),
        ("ETH", "ETH", evm, true),
        ("ETH", "USDT", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", true),
        ("BSC", "ETH", evm, false),
        ("BSC", "USDC", SANCTIONED, true),
        ("TRX", "USDT", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", false),
    ] {
        let (id, _) = world
            .quoted(json!({"clientPaymentId": format!("{network} {currency} {from}")}), currency, network)
            .await;
        let amount = world.payment(&id).await["expectedDepositAmount"].as_str().unwrap().to_owned();
        world.pay_from(&id, &amount, from).await;
        world.mine(network).await;
        let status = if flagged { "AWAITING" } else { "DEPOSITED" };
        assert_eq!(world.payment(&id).await["status"], status, "{network} {currency} {from}");
    }
}

/// A screening that answers only when enabled.
struct Silent {
    speaks: AtomicBool,
    flags: bool,
}

#[async_trait]
impl Screening for Silent {
    async fn screen(&self, _: Network, _: &str) -> Result<Screened, ScreeningError> {
        if !self.speaks.load(Ordering::SeqCst) {
            return Err(ScreeningError("no answer".into()));
        }
        let owner = AddressOwner { name: "Somebody".to_owned(), category: "MIXER".to_owned() };
        Ok(Screened { owner, blocked: self.flags })
    }
}

fn screened(mut world: World, flags: bool) -> (World, Arc<Silent>) {
    let silent = Arc::new(Silent { speaks: AtomicBool::new(false), flags });
    world.router = Router::new(); // Drops the other reference to the application.
    Arc::get_mut(&mut world.app).unwrap().screening = silent.clone();
    world.router = crate::router(&world.app, &world.simulated);
    (world, silent)
}

/// A decision is applied even while the screening does not answer.
#[tokio::test]
async fn decisions_do_not_wait_for_the_screening() {
    let (world, silent) = screened(World::new().await, true);
    let (waits, _) = world.quoted(json!({"clientPaymentId": "waits"}), "BTC", "BTC").await;
    let (taken, _) = world.quoted(json!({"clientPaymentId": "taken"}), "BTC", "BTC").await;
    world.pay(&waits, "0.00166667").await;
    world.advance(1).await;
    silent.speaks.store(true, Ordering::SeqCst);
    world.pay(&taken, "0.00166667").await;
    silent.speaks.store(false, Ordering::SeqCst);
    world.mine("BTC").await;
    assert_eq!(world.held().await, HeldCounts { flagged: 1, unscreened: 1 });
    let deposit = the_deposit(&world.payment(&taken).await);
    assert_eq!(world.decide(deposit, Decision::Release).await, Decided::Kept);
    check(&world.payment(&taken).await, "DEPOSITED", &["CONFIRMED"], "0.00166667");
    check(&world.payment(&waits).await, "AWAITING", &["UNCONFIRMED"], "0");
}

/// Without an answer, the deposit is neither reported nor booked. A later answer completes it, also after a restart.
#[tokio::test]
async fn a_deposit_waits_for_the_screening() {
    for flags in [false, true] {
        let inbox = Inbox::open();
        let (world, silent) = screened(told(&inbox).await, flags);
        let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
        world.pay(&id, "0.00166667").await;
        world.mine("BTC").await;
        check(&world.payment(&id).await, "AWAITING", &["UNCONFIRMED"], "0");
        World::check_balances(&world.balances().await, &[]);
        assert_eq!(screen_deposits::run(&world.app).await.unwrap(), 0);
        assert_eq!(world.held().await, HeldCounts { flagged: 0, unscreened: 1 });
        let deposit = the_deposit(&world.payment(&id).await);
        assert_eq!(world.decide(deposit, Decision::Release).await, Decided::NotNow(ScreeningState::Pending));
        assert_eq!(world.decide(Uuid::nil(), Decision::Release).await, Decided::NoDeposit);
        silent.speaks.store(true, Ordering::SeqCst);
        assert_eq!(screen_deposits::run(&world.app).await.unwrap(), 1);
        assert_eq!(screen_deposits::run(&world.app).await.unwrap(), 0);
        deliver(&world).await;
        if flags {
            check(&world.payment(&id).await, "AWAITING", &["UNCONFIRMED"], "0");
            assert_eq!((inbox.received().len(), world.held().await.flagged), (0, 1));
            assert_eq!(world.balances().await["HELD BTC"], "0.00166667");
        } else {
            check(&world.payment(&id).await, "DEPOSITED", &["CONFIRMED"], "0.00166667");
            assert_eq!((inbox.received().len(), world.held().await), (1, HeldCounts::default()));
            assert_eq!(world.balances().await["FIAT EUR"], "99.50");
        }
    }
}
