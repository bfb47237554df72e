//! What somebody with the payer's link tries, and the mistakes of a payer that would cost money. The link is in the merchant's mail,
//! in the history of a browser and on shared screenshots.

use std::sync::Arc;

use axum::http::StatusCode;
use checkout_core::{Currency, Decimal};
use checkout_domain::business::settings::Settings;
use checkout_domain::payment::deposit::Deposit;
use checkout_domain::ports::{NoRate, Rates, Store as _};
use checkout_domain::rates::asset::Asset;
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::{App, screen_deposits, update_business};
use serde_json::{Value, json};

use super::claims::{ETHER, Payer, from_contract, part, pay_from_contract, quoted, twice};
use super::faults::Stale;
use super::merchant_refund_stage::{BTC, SANCTIONED, check_refused, refunding_excess, world};
use super::{World, router};

const THIEF: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
const THIEF_ETHER: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const TOKEN_CONTRACT: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

async fn refunding() -> World {
    World::with(Settings { name: Some("Fair".to_owned()), ..refunding_excess() }).await
}

#[tokio::test]
async fn the_first_claim_wins_and_a_thief_with_the_link_is_refused() {
    let check = async |world: World, payer: Payer, own: &str, thief: &str| {
        let asked = world.ask(&payer, own).await;
        let theft = async |at: &str| {
            let answer = world.claim(&payer, &asked, json!({"address": thief})).await;
            assert_eq!(answer.status, StatusCode::CONFLICT, "{at}: {}", answer.json);
            check_refused(&answer, 409, "already_claimed");
        };
        theft("asked").await;
        world.approve(&asked).await;
        theft("approved").await;
        world.run().await;
        theft("sent").await;
        let network = asked["network"].as_str().unwrap();
        world.mine(network).await;
        world.run().await;
        theft("confirmed").await;
        let sent = world.sent().await;
        assert_eq!(sent.iter().map(|(to, ..)| to.as_str()).collect::<Vec<_>>(), [own]);
        let again = world.claim(&payer, &asked, json!({"address": own})).await;
        assert_eq!((again.status, &again.json["status"]), (StatusCode::OK, &json!("CONFIRMED")));
    };
    let stage = world().await;
    let payer = twice(&stage).await;
    check(stage, payer, BTC, THIEF).await;
    let stage = world().await;
    let payer = part(&stage).await;
    check(stage, payer, BTC, THIEF).await;
    let stage = refunding().await;
    let payer = from_contract(&stage).await;
    check(stage, payer, ETHER, THIEF_ETHER).await;
}

/// A thief who is first gets nothing before the merchant says so, and the payer sees the address.
#[tokio::test]
async fn a_thief_who_is_first_is_seen_and_refused() {
    let world = refunding().await;
    let payer = from_contract(&world).await;
    let asked = world.ask(&payer, THIEF_ETHER).await;
    assert_eq!(world.claimed(&payer).await["address"], THIEF_ETHER, "the payer sees whose address it is");
    world.decide_claim(&asked, "refuse", json!({})).await;
    // The link is in wrong hands: it names no other address.
    check_refused(&world.claim(&payer, &asked, json!({"address": ETHER})).await, 409, "already_claimed");
    let refund = json!({"refundId": asked["claimId"]});
    let given = world.decide_refund(&refund, "address", Some(json!({"address": ETHER}))).await;
    assert_eq!(given.status, StatusCode::OK, "the merchant names what the payer said: {}", given.json);
    world.run().await;
    assert_eq!(world.sent().await[0].0, ETHER);
}

/// A refusal holds: where the merchant sends it instead does not take it, and the link still names no other address.
#[tokio::test]
async fn a_refused_claim_stays_refused_when_the_merchants_address_is_blocked() {
    let world = refunding().await;
    let payer = from_contract(&world).await;
    let asked = world.ask(&payer, THIEF_ETHER).await;
    let refused = world.decide_claim(&asked, "refuse", json!({"reason": "Please write to us."})).await;
    assert_eq!(refused.status, StatusCode::OK, "{}", refused.json);
    let refund = json!({"refundId": asked["claimId"]});
    for _ in 0..2 {
        let given = world.decide_refund(&refund, "address", Some(json!({"address": SANCTIONED}))).await;
        assert_eq!(given.status, StatusCode::OK, "{}", given.json);
        world.run().await;
        let now = world.refund_now(&refund).await;
        assert_eq!([&now["waitingFor"], &now["waitingReason"]], ["ADDRESS", "BLOCKED"], "{now:#}");
        let shown = world.claimed(&payer).await;
        assert_eq!([&shown["status"], &shown["reason"]], ["REFUSED", "Please write to us."], "{shown:#}");
        for address in [THIEF_ETHER, ETHER] {
            let again = world.claim(&payer, &asked, json!({"address": address})).await;
            assert_ne!(again.status, StatusCode::CREATED, "{}", again.json);
        }
        check_refused(&world.decide_refund(&refund, "approve", None).await, 409, "refund_state");
    }
    let given = world.decide_refund(&refund, "address", Some(json!({"address": ETHER}))).await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.json);
    world.run().await;
    assert_eq!(world.sent().await[0].0, ETHER);
}

/// Twenty tabs, and twenty thieves.
#[tokio::test]
async fn claims_at_once_are_paid_once() {
    let world = Arc::new(world().await);
    let payer = Arc::new(twice(&world).await);
    let claim = world.claimed(&payer).await;
    let tasks = (0..20).map(|number| {
        let (world, payer, claim) = (Arc::clone(&world), Arc::clone(&payer), claim.clone());
        let address = if number % 2 == 0 { BTC } else { THIEF };
        tokio::spawn(async move { world.claim(&payer, &claim, json!({"address": address})).await })
    });
    let tasks: Vec<_> = tasks.collect();
    let mut made = 0;
    for task in tasks {
        let answer = task.await.unwrap();
        made += usize::from(answer.status == StatusCode::CREATED);
        assert!([200, 201, 409].contains(&answer.status.as_u16()), "{}", answer.json);
    }
    assert_eq!(made, 1);
    world.approve(&claim).await;
    world.run().await;
    assert_eq!(world.sent().await.len(), 1);
}

/// The merchant refunds by hand while the payer asks.
#[tokio::test]
async fn a_claim_and_a_refund_of_the_merchant_are_never_more_than_was_paid() {
    let world = world().await;
    let payer = part(&world).await;
    let claim = world.claimed(&payer).await;
    world.refunded(&payer.id, json!({"address": THIEF})).await;
    let late = world.claim(&payer, &claim, json!({"address": BTC})).await;
    assert_eq!(late.status, StatusCode::NOT_FOUND, "it went back already: {}", late.json);
    world.run().await;
    let sent: u64 = world.sent().await.iter().map(|(_, _, atoms)| atoms.parse::<u64>().unwrap()).sum();
    assert!(sent <= 100_000, "{sent}");

    let payer = part(&world).await;
    let asked = world.ask(&payer, BTC).await;
    let refund = world.refund(&payer.id, json!({"clientRefundId": "r-2", "address": THIEF})).await;
    check_refused(&refund, 409, "nothing_to_refund");
    world.approve(&asked).await;
    check_refused(&world.decide_claim(&asked, "refuse", json!({})).await, 409, "refund_state");
    world.run().await;
    assert_eq!(world.sent().await.len(), 2);
}

/// Of a payment that was paid twice the merchant gives one transfer back: neither the page nor a limit gives it back again.
#[tokio::test]
async fn a_second_transfer_that_the_merchant_gave_back_cannot_be_asked_for() {
    let check = async |refund: Value, left: &[&str]| {
        let world = world().await;
        let claim_limit = Some(Some("1000".parse().unwrap()));
        world.rules(RuleChanges { claim_limit, ..RuleChanges::default() }).await;
        let payer = twice(&world).await;
        let claim = world.claimed(&payer).await;
        world.refunded(&payer.id, refund.clone()).await;
        let claims = world.claims(&payer).await;
        let of_deposits = claims.iter().filter(|claim| claim.get("depositId").is_some());
        let amounts: Vec<_> = of_deposits.map(|claim| claim["amount"].as_str().unwrap()).collect();
        assert_eq!(amounts, left, "{refund}");
        let asked = world.claim(&payer, &claim, json!({"address": THIEF})).await;
        let expected = if left.is_empty() { (404, None) } else { (201, Some("ASKED")) };
        assert_eq!(
            (asked.status.as_u16(), asked.json["status"].as_str().filter(|_| !left.is_empty())),
            expected
        );
        world.run().await;
        assert!(world.sent().await.iter().all(|(to, ..)| to != THIEF), "{refund}");
    };
    check(json!({"amount": "0.00166667", "address": BTC}), &[]).await;
    // The payer names the address of the merchant's refund instead.
    check(json!({"amount": "0.00166667"}), &[]).await;
    check(json!({"amount": "0.00066667", "address": BTC}), &["0.00097"]).await;
    check(json!({"amount": "0.002", "address": BTC}), &[]).await;
}

/// The merchant approves and refuses in twenty windows at once.
#[tokio::test]
async fn decisions_at_once_decide_once() {
    let check = async |world: World, payer: Payer, address: &str| {
        let asked = world.ask(&payer, address).await;
        let world = Arc::new(world);
        let tasks = (0..20).map(|number| {
            let (world, asked) = (Arc::clone(&world), asked.clone());
            let decision = if number % 2 == 0 { "approve" } else { "refuse" };
            tokio::spawn(async move { (decision, world.decide_claim(&asked, decision, json!({})).await) })
        });
        let tasks: Vec<_> = tasks.collect();
        let mut taken = std::collections::BTreeSet::new();
        for task in tasks {
            let (decision, answer) = task.await.unwrap();
            assert!([200, 409].contains(&answer.status.as_u16()), "{}", answer.json);
            taken.extend(Some(decision).filter(|_| answer.status == StatusCode::OK));
        }
        assert_eq!(taken.len(), 1, "{taken:?}");
        let is_approved = taken.contains("approve");
        world.run().await;
        assert_eq!(world.sent().await.len(), usize::from(is_approved));
        let after = if is_approved { "refuse" } else { "approve" };
        check_refused(&world.decide_claim(&asked, after, json!({})).await, 409, "refund_state");
    };
    let stage = world().await;
    let payer = twice(&stage).await;
    check(stage, payer, BTC).await;
    let stage = refunding().await;
    let payer = from_contract(&stage).await;
    check(stage, payer, ETHER).await;
}

/// The deposit was double-spent after the payer asked for it, and the merchant approves.
#[tokio::test]
async fn a_deposit_that_left_the_chain_is_not_given_back() {
    let world = world().await;
    let payer = quoted(&world, "BTC", "BTC").await;
    let transaction = world.pay(&payer.id, "0.001").await;
    world.mine("BTC").await;
    world.advance(7200).await;
    let asked = world.ask(&payer, BTC).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": transaction})).await;
    world.mine("BTC").await;
    world.approve(&asked).await;
    world.run().await;
    assert!(world.sent().await.is_empty());
    let refund = world.get("/api/v1/refunds", &world.token).await.json[0].clone();
    assert_eq!(world.decide_refund(&refund, "cancel", None).await.status, StatusCode::OK);
    world.run().await;
    assert!(world.sent().await.is_empty());
}

/// Another network drops what paid the price: less is too much, and the address stays.
#[tokio::test]
async fn a_refund_whose_amount_changes_keeps_the_first_address() {
    let world = refunding().await;
    let payer = quoted(&world, "BTC", "BTC").await;
    let bitcoin = world.payment(&payer.id).await["walletAddress"].clone();
    let choice = json!({"depositCurrency": "ETH", "network": "ETH"});
    let path = format!("/api/v1/payments/{}", payer.id);
    let chosen = world.call(axum::http::Method::PATCH, &path, Some(&payer.session), Some(&choice)).await;
    assert_eq!(chosen.status, StatusCode::OK, "{}", chosen.json);
    let mut transfers = Vec::new();
    for _ in 0..2 {
        let body = json!({"network": "BTC", "currency": "BTC", "address": bitcoin, "amount": "0.0005"});
        transfers.push(world.sandbox("transfers", body).await);
        world.mine("BTC").await;
    }
    pay_from_contract(&world, &payer).await;
    let first = world.ask(&payer, ETHER).await;
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": transfers[1]["transactionId"]})).await;
    world.mine("BTC").await;
    world.run().await;
    let now = world.claimed(&payer).await;
    assert_ne!(now["amount"], first["amount"]);
    assert_eq!((&now["status"], &now["address"]), (&json!("ASKED"), &json!(ETHER)));
    check_refused(&world.claim(&payer, &now, json!({"address": THIEF_ETHER})).await, 409, "already_claimed");
    world.approve(&now).await;
    world.run().await;
    let sent = world.sent().await;
    assert_eq!(sent.iter().map(|(to, ..)| to.as_str()).collect::<Vec<_>>(), [ETHER]);
}

/// What was asked for back does not pay together with the rest.
#[tokio::test]
async fn a_part_that_is_asked_for_does_not_pay_with_the_rest() {
    let world = world().await;
    let payer = part(&world).await;
    let asked = world.ask(&payer, BTC).await;
    world.pay(&payer.id, "0.00066667").await;
    world.mine("BTC").await;
    assert_eq!(world.payment(&payer.id).await["status"], "EXPIRED");
    let refused = world.decide_claim(&asked, "refuse", json!({})).await;
    assert_eq!(refused.status, StatusCode::OK, "{}", refused.json);
    world.run().await;
    world.mine("BTC").await;
    assert_eq!(
        world.payment(&payer.id).await["status"],
        "DEPOSITED",
        "it is paid, because nothing goes back"
    );
}

#[tokio::test]
async fn addresses_where_the_money_would_be_lost_are_refused() {
    let world = refunding().await;
    let other = quoted(&world, "BTC", "BTC").await;
    let elsewhere = quoted(&world, "USDT", "BSC").await;
    let payer = from_contract(&world).await;
    let claim = world.claimed(&payer).await;
    let address_of =
        async |payer: &Payer| world.payment(&payer.id).await["walletAddress"].as_str().unwrap().to_owned();
    let (own, bsc, btc) = (address_of(&payer).await, address_of(&elsewhere).await, address_of(&other).await);
    let truncated = &ETHER[..41];
    let mistyped = ETHER.replace("dbF0", "dBF0");
    for (address, what) in [
        (own.as_str(), "the address of the payment"),
        (bsc.as_str(), "a deposit address of this gateway, on a network with the same accounts"),
        (btc.as_str(), "an address of another network"),
        (TOKEN_CONTRACT, "the contract of a token"),
        (truncated, "a digit is missing"),
        (mistyped.as_str(), "the checksum does not fit"),
        ("", "nothing"),
    ] {
        let answer = world.claim(&payer, &claim, json!({"address": address})).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{what}: {}", answer.json);
        assert_eq!(answer.json["errors"][0]["pointer"], "/address", "{what}: {}", answer.json);
    }
    assert_eq!(world.claimed(&payer).await["status"], "OPEN", "nothing was changed");
}

/// A sanctioned address is approved by nobody's mistake.
#[tokio::test]
async fn a_blocked_address_gets_nothing_and_another_one_can_be_named() {
    let world = refunding().await;
    let payer = from_contract(&world).await;
    let asked = world.ask(&payer, SANCTIONED).await;
    world.approve(&asked).await;
    world.run().await;
    assert!(world.sent().await.is_empty());
    assert_eq!(world.claimed(&payer).await["status"], "OPEN");
    let asked = world.ask(&payer, ETHER).await;
    world.approve(&asked).await;
    world.run().await;
    assert_eq!(world.sent().await[0].0, ETHER);
}

#[tokio::test]
async fn only_the_session_of_the_payment_asks() {
    let world = world().await;
    let payer = twice(&world).await;
    let other = twice(&world).await;
    let claim = world.claimed(&payer).await;
    let body = json!({"claimId": claim["claimId"], "address": BTC});
    let check = async |payment: &str, token: &str, expected: u16| {
        let answer = world.post(&format!("/api/v1/checkout/{payment}/claims"), token, &body).await;
        assert_eq!(answer.status.as_u16(), expected, "{}", answer.json);
    };
    check(&payer.id, &other.session, 404).await;
    check(&other.id, &other.session, 404).await;
    check(&payer.id, &world.token, 404).await;
    check(&payer.id, "no-such-token", 401).await;
    let guessed = json!({"claimId": "01a3185c-50fa-7000-8000-000000000099"});
    let answer = world.claim(&payer, &guessed, json!({"address": BTC})).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    check(&payer.id, &payer.session, 201).await;
}

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

/// As an earlier version stored those that came while no rate was there.
async fn without_values(world: &World, payment: &str) {
    assert_eq!(screen_deposits::run(&world.app).await.unwrap(), 3);
    let mut tx = world.database.begin().await.unwrap();
    let record = tx.payment(payment.parse().unwrap()).await.unwrap().unwrap();
    for deposit in record.deposits.into_iter().filter(|deposit| deposit.currency == Currency::Btc) {
        let zero = Decimal::ZERO;
        let deposit =
            Deposit { rate: zero, uniform_rate: zero, display_amount: zero, uniform_amount: zero, ..deposit };
        tx.update_deposit(&deposit).await.unwrap();
    }
    tx.commit().await.unwrap();
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
    without_values(&world, &payer.id).await;
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

#[tokio::test]
async fn a_disabled_business_pays_no_claim() {
    let world = refunding().await;
    let payer = from_contract(&world).await;
    let asked = world.ask(&payer, ETHER).await;
    let disabled = Settings { disabled: Some(true), ..Settings::default() };
    let store = world.app.store.as_ref();
    update_business::update(store, world.business.id, disabled, RuleChanges::default()).await.unwrap();
    check_refused(&world.decide_claim(&asked, "approve", json!({})).await, 403, "business_disabled");
}
