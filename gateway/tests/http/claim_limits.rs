//! The limits of a business hold for what payers ask back.

use std::sync::Arc;

use axum::http::StatusCode;
use checkout_core::{Currency, Decimal};
use checkout_domain::business::settings::Settings;
use checkout_domain::ports::{NoRate, Rates};
use checkout_domain::rates::asset::Asset;
use checkout_domain::rates::fiat::Fiat;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::App;
use serde_json::{Value, json};

use super::claims::{quoted, twice};
use super::faults::Stale;
use super::merchant_refund_stage::{BTC, EVM, check_refused, refunding_excess, world, world_with};
use super::{World, over, router};

const THIEF: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/// The limit up to which a business approves by itself holds for a payment as a whole, and the limits of withdrawals hold, too.
#[tokio::test]
async fn a_stolen_link_gets_no_more_than_the_limits() {
    let check = async |changes: RuleChanges, what: &str| {
        let world = world().await;
        let eur = |text: &str| Some(Some(text.parse().unwrap()));
        world.rules(RuleChanges { claim_limit: eur("150"), ..changes }).await;
        let payer = twice(&world).await;
        world.pay(&payer.id, "0.00166667").await;
        world.mine("BTC").await;
        for claim in world.claims(&payer).await {
            let answer = world.claim(&payer, &claim, json!({"address": THIEF})).await;
            assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.json);
        }
        world.run().await;
        world.sent().await.len().checked_sub(usize::from(what == "none")).unwrap_or_else(|| panic!("{what}"))
    };
    assert_eq!(check(RuleChanges::default(), "none").await, 0, "one of two: together they are above it");
    let limit = |text: &str| Some(Some(text.parse().unwrap()));
    let daily = RuleChanges { daily_limit: limit("50"), ..RuleChanges::default() };
    assert_eq!(check(daily, "the daily limit").await, 0);
    let whitelist = RuleChanges { whitelist_only: Some(true), ..RuleChanges::default() };
    assert_eq!(check(whitelist, "the whitelist").await, 0);
    let approval = RuleChanges { approval_above: limit("50"), ..RuleChanges::default() };
    assert_eq!(check(approval, "the limit above which an operator approves").await, 0);
}

/// Claims that waited for more than a day leave in the minute of their approval: each counts in that minute.
#[tokio::test]
async fn old_claims_count_for_the_daily_limit_when_they_are_approved() {
    let world = world().await;
    let daily_limit = Some(Some("150".parse().unwrap()));
    world.rules(RuleChanges { daily_limit, ..RuleChanges::default() }).await;
    let payers = [twice(&world).await, twice(&world).await];
    let asked = [world.ask(&payers[0], THIEF).await, world.ask(&payers[1], THIEF).await];
    let refund = world.refunded(&world.deposit("order", "100.00").await, json!({"amount": "0.001"})).await;
    world.advance(86_401).await;
    world.approve(&asked[0]).await;
    check_refused(&world.decide_claim(&asked[1], "approve", json!({})).await, 409, "above_limit");
    let given = world.decide_refund(&refund, "address", Some(json!({"address": THIEF}))).await;
    check_refused(&given, 409, "above_limit");
    world.advance(86_401).await;
    world.approve(&asked[1]).await;
    world.run().await;
    assert_eq!(world.sent().await.len(), 2);
}

/// An amount that was shown at another rate is worth what the market pays, and so is its excess.
#[tokio::test]
async fn a_limit_counts_what_the_market_pays() {
    let eur = |text: &str| Some(Some(text.parse().unwrap()));
    for (times, status) in [(1, "APPROVED"), (3, "ASKED")] {
        let world = world_with(refunding_excess()).await;
        world.rules(RuleChanges { claim_limit: eur("150"), ..RuleChanges::default() }).await;
        let payer = quoted(&world, "ETH", "ETH").await;
        let payment = world.payment(&payer.id).await;
        let coin = json!({"from": "ETH", "to": "EUR"});
        let now = world.app.rates.rate(Asset::Crypto(Currency::Eth), Asset::Fiat(Fiat::EUR)).unwrap();
        world.sandbox("rates", over(coin, json!({"rate": (now * Decimal::from(times)).to_string()}))).await;
        let asked: Decimal = payment["expectedDepositAmount"].as_str().unwrap().parse().unwrap();
        let twice = json!({
            "network": "ETH", "currency": "ETH", "address": payment["walletAddress"], "amount": (asked + asked).to_string(),
            "fromAddress": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "sender": "CONTRACT",
        });
        world.sandbox("transfers", twice).await;
        world.mine("ETH").await;
        world.run().await;
        let claims = world.claims(&payer).await;
        let claimed = world.claim(&payer, &claims[0], json!({"address": EVM})).await;
        assert_eq!(claimed.json["status"], status, "{times}: {}", claimed.json);
    }
}

/// Transfers that came late and while no rate was there: they have no value in EUR, and are no small sum because of that.
#[tokio::test]
async fn a_deposit_without_a_rate_is_within_no_limit() {
    let name = Some("Fair".to_owned());
    let settings = Settings { name, refund_follow_ups: Some(true), ..refunding_excess() };
    let mut world = World::with(settings).await;
    world.deposit("float", "1000.00").await;
    let eur = |text: &str| Some(Some(text.parse().unwrap()));
    world.rules(RuleChanges { claim_limit: eur("20"), ..RuleChanges::default() }).await;
    let payer = quoted(&world, "BTC", "BTC").await;
    let bitcoin = world.payment(&payer.id).await["walletAddress"].clone();
    let choice = json!({"depositCurrency": "ETH", "network": "ETH"});
    let path = format!("/api/v1/payments/{}", payer.id);
    assert_eq!(world.patch(&path, &payer.session, &choice).await.status, StatusCode::OK);
    let amount = world.payment(&payer.id).await["expectedDepositAmount"].clone();
    world.pay(&payer.id, amount.as_str().unwrap()).await;
    world.mine("ETH").await;
    world.advance(7200).await;
    let fresh = Arc::clone(&world.app);
    world.app = Arc::new(App { rates: Arc::new(Stale), ..(*fresh).clone() });
    world.router = router(&world.app, &world.simulated);
    for _ in 0..3 {
        let late = json!({"network": "BTC", "currency": "BTC", "address": bitcoin, "amount": "0.001", "sender": "UNKNOWN"});
        world.sandbox("transfers", late).await;
        world.mine("BTC").await;
    }
    (world.router, world.app) = (router(&fresh, &world.simulated), fresh);
    let claims = world.claims(&payer).await;
    assert_eq!(claims.len(), 3, "{claims:?}");
    let asked = world.claim(&payer, &claims[0], json!({"address": THIEF})).await;
    assert_eq!(asked.json["status"], "ASKED", "{}", asked.json);

    let address = async |world: &World, claim: &Value| {
        let refund = json!({"refundId": claim["claimId"]});
        world.decide_refund(&refund, "address", Some(json!({"address": THIEF}))).await
    };
    world.rules(RuleChanges { daily_limit: eur("100"), ..RuleChanges::default() }).await;
    let first = address(&world, &claims[1]).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.json);
    check_refused(&address(&world, &claims[2]).await, 409, "above_limit");
    let withdrawal = world.withdraw(json!({})).await;
    check_refused(&withdrawal, 422, "above_daily_limit");

    // Its rate is missing again: only what has none is stopped.
    let rates = Arc::new(Without(Currency::Btc, Arc::clone(&world.app.rates)));
    world.app = Arc::new(App { rates, ..(*world.app).clone() });
    world.router = router(&world.app, &world.simulated);
    check_refused(&address(&world, &claims[2]).await, 503, "no_rate");
    let withdrawal = world.withdraw(json!({})).await;
    assert_eq!(withdrawal.status, StatusCode::CREATED, "{}", withdrawal.json);
}

/// Rates of all coins but one.
struct Without(Currency, Arc<dyn Rates>);

impl Rates for Without {
    fn rate(&self, from: Asset, to: Asset) -> Result<Decimal, NoRate> {
        if [from, to].contains(&Asset::Crypto(self.0)) { Err(NoRate) } else { self.1.rate(from, to) }
    }
}

/// A stolen token of the business approves no more than it could withdraw.
#[tokio::test]
async fn a_stolen_token_approves_within_the_limits_alone() {
    let check = async |changes: RuleChanges, status: u16, code: &str| {
        let world = world().await;
        world.rules(changes).await;
        let payer = twice(&world).await;
        let asked = world.ask(&payer, THIEF).await;
        check_refused(&world.decide_claim(&asked, "approve", json!({})).await, status, code);
        world.run().await;
        assert!(world.sent().await.is_empty());
    };
    let limit = |text: &str| Some(Some(text.parse().unwrap()));
    check(RuleChanges { daily_limit: limit("50"), ..RuleChanges::default() }, 409, "above_limit").await;
    check(RuleChanges { approval_above: limit("50"), ..RuleChanges::default() }, 403, "organisation_only")
        .await;
    check(RuleChanges { whitelist_only: Some(true), ..RuleChanges::default() }, 409, "not_whitelisted").await;
}

/// What nobody approved takes nothing of the merchant's daily limit.
#[tokio::test]
async fn claims_do_not_use_up_the_limit_of_the_merchant() {
    let world = world().await;
    let daily_limit = Some(Some("150".parse().unwrap()));
    world.rules(RuleChanges { daily_limit, ..RuleChanges::default() }).await;
    for _ in 0..2 {
        let payer = twice(&world).await;
        world.ask(&payer, BTC).await;
    }
    let order = world.deposit("order-3", "100.00").await;
    let refund = world.refund(&order, json!({"address": BTC, "displayAmount": "100.00"})).await;
    assert_eq!(refund.status, StatusCode::CREATED, "{}", refund.json);
}
