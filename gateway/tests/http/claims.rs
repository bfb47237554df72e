//! A payer asks for money back on the page: what can be asked for, what is sent, and what the page says of it.

use axum::http::{Method, StatusCode};
use checkout_core::Currency;
use checkout_domain::business::settings::Settings;
use checkout_domain::withdrawal::rules::RuleChanges;
use serde_json::{Value, json};
use uuid::Uuid;

use super::merchant_refund_stage::{BTC, check_refused, refunding_excess, world};
use super::{Answer, World, over};

pub(super) const ETHER: &str = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";

/// A payment and its session.
pub(super) struct Payer {
    pub(super) id: String,
    pub(super) session: String,
}

impl World {
    pub(super) async fn claims(&self, payer: &Payer) -> Vec<Value> {
        let view = self.get(&format!("/api/v1/checkout/{}", payer.id), &payer.session).await;
        assert_eq!(view.status, StatusCode::OK, "{}", view.json);
        view.json.get("claims").and_then(Value::as_array).cloned().unwrap_or_default()
    }

    /// The only claim of a payment.
    pub(super) async fn claimed(&self, payer: &Payer) -> Value {
        let claims = self.claims(payer).await;
        assert_eq!(claims.len(), 1, "{claims:?}");
        claims[0].clone()
    }

    pub(super) async fn claim(&self, payer: &Payer, claim: &Value, fields: Value) -> Answer {
        let body = over(json!({"claimId": claim["claimId"]}), fields);
        self.post(&format!("/api/v1/checkout/{}/claims", payer.id), &payer.session, &body).await
    }

    /// A refund of the merchant that waits for the payer's address, and the session of its payment.
    pub(super) async fn open_claim(&self, payment: &str, client: &str) -> (Payer, Value) {
        let refund = self.refunded(payment, json!({"clientRefundId": client, "amount": "0.001"})).await;
        let link = refund["claimUrl"].as_str().unwrap();
        let token = link.split(['?', '&']).find_map(|part| part.strip_prefix("sessionToken=")).unwrap();
        let payer = Payer { id: payment.to_owned(), session: token.to_owned() };
        (payer, json!({"claimId": refund["refundId"]}))
    }

    /// One that the payer asked for.
    pub(super) async fn asked_refund(&self, payment: &str) -> String {
        let (payer, claim) = self.open_claim(payment, "asked").await;
        let asked = self.claim(&payer, &claim, json!({"address": BTC})).await;
        assert_eq!(asked.status, StatusCode::CREATED, "{}", asked.json);
        claim["claimId"].as_str().unwrap().to_owned()
    }

    /// Asks for the only claim of a payment.
    pub(super) async fn ask(&self, payer: &Payer, address: &str) -> Value {
        let claim = self.claimed(payer).await;
        let answer = self.claim(payer, &claim, json!({"address": address})).await;
        assert_eq!(
            (answer.status, &answer.json["status"]),
            (StatusCode::CREATED, &json!("ASKED")),
            "{}",
            answer.json
        );
        answer.json
    }

    pub(super) async fn decide_claim(&self, claim: &Value, decision: &str, body: Value) -> Answer {
        let listed = self.get("/api/v1/refunds", &self.token).await;
        let all = listed.json.as_array().unwrap();
        let of = |refund: &&Value| [&refund["refundId"], &refund["depositId"]].contains(&&claim["claimId"]);
        let refund = all.iter().find(of).unwrap_or(claim);
        let id = refund.get("refundId").unwrap_or(&claim["claimId"]).as_str().unwrap();
        let path = format!("/api/v1/refunds/{id}/{decision}");
        if decision == "approve" {
            return self.approved(&path, &self.token).await;
        }
        let body = (decision == "refuse").then_some(&body);
        self.call(Method::POST, &path, Some(&self.token), body).await
    }

    pub(super) async fn approve(&self, claim: &Value) -> Value {
        let answer = self.decide_claim(claim, "approve", Value::Null).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
        answer.json
    }
}

pub(super) async fn quoted(world: &World, currency: &str, network: &str) -> Payer {
    let (id, session) =
        world.quoted(json!({"clientPaymentId": Uuid::new_v4().to_string()}), currency, network).await;
    Payer { id, session }
}

/// Half of the price, and the window is over.
pub(super) async fn part(world: &World) -> Payer {
    let payer = quoted(world, "BTC", "BTC").await;
    world.pay(&payer.id, "0.001").await;
    world.mine("BTC").await;
    world.advance(7200).await;
    payer
}

/// Paid, and then as much again.
pub(super) async fn twice(world: &World) -> Payer {
    let payer = quoted(world, "BTC", "BTC").await;
    for _ in 0..2 {
        world.pay(&payer.id, "0.00166667").await;
        world.mine("BTC").await;
    }
    payer
}

/// Too much from a contract, so that the automatic refund waits for an address.
pub(super) async fn from_contract(world: &World) -> Payer {
    let payer = quoted(world, "ETH", "ETH").await;
    pay_from_contract(world, &payer).await;
    payer
}

pub(super) async fn pay_from_contract(world: &World, payer: &Payer) {
    let payment = world.payment(&payer.id).await;
    let body = json!({
        "network": "ETH", "currency": "ETH", "address": payment["walletAddress"], "amount": "0.2",
        "fromAddress": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "sender": "CONTRACT",
    });
    world.sandbox("transfers", body).await;
    world.mine("ETH").await;
    world.run().await;
}

fn facts(claim: &Value) -> [&str; 5] {
    ["status", "currency", "network", "amount", "fee"].map(|name| claim[name].as_str().unwrap_or("-"))
}

#[tokio::test]
async fn a_part_is_given_back_once_the_window_is_over() {
    let world = world().await;
    let payer = quoted(&world, "BTC", "BTC").await;
    world.pay(&payer.id, "0.001").await;
    world.mine("BTC").await;
    assert_eq!(world.claims(&payer).await, [Value::Null; 0], "the price can still be paid");
    world.advance(7200).await;
    let open = world.claimed(&payer).await;
    assert_eq!(facts(&open), ["OPEN", "BTC", "BTC", "0.00097", "0.00003"]);
    let asked = world.ask(&payer, BTC).await;
    assert_eq!(asked["address"], BTC);
    world.run().await;
    assert!(world.sent().await.is_empty(), "the merchant decides");
    let refund = world.approve(&asked).await;
    let have =
        ["reason", "feePaidBy", "amount", "fee", "address", "claimedAddress"].map(|name| &refund[name]);
    assert_eq!(have, ["CLAIM", "PAYER", "0.00097", "0.00003", BTC, BTC].map(Value::from).each_ref());
    world.run().await;
    assert_eq!(world.sent().await, [(BTC.to_owned(), None, "97000".to_owned())]);
    assert_eq!(world.claimed(&payer).await["status"], "SENT");
    world.mine("BTC").await;
    world.run().await;
    let done = world.claimed(&payer).await;
    assert_eq!((&done["status"], done["transactionId"].is_string()), (&json!("CONFIRMED"), true));
    check_refused(&world.refund(&payer.id, json!({"clientRefundId": "r-2"})).await, 409, "nothing_to_refund");
}

/// Worth more than its fee of 0.00003 BTC, however far below the minimum of withdrawals.
#[tokio::test]
async fn a_small_part_is_given_back() {
    let world = world().await;
    for (paid, expected) in
        [("0.0004", Some("0.00037")), ("0.00006001", Some("0.00003001")), ("0.00006", None)]
    {
        let order = json!({"clientPaymentId": paid});
        let (id, session) = world.quoted(order, "BTC", "BTC").await;
        world.pay(&id, paid).await;
        world.mine("BTC").await;
        world.advance(7200).await;
        let payer = Payer { id, session };
        let claims = world.claims(&payer).await;
        assert_eq!(claims.first().map(|claim| claim["amount"].as_str().unwrap()), expected, "{paid}");
        if expected.is_some() {
            world.ask(&payer, BTC).await;
        }
    }
}

#[tokio::test]
async fn what_came_after_a_paid_order_was_paid_is_given_back() {
    let world = world().await;
    let payer = twice(&world).await;
    let open = world.claimed(&payer).await;
    assert_eq!(facts(&open), ["OPEN", "BTC", "BTC", "0.00163667", "0.00003"]);
    let deposits = world.payment(&payer.id).await["deposits"].clone();
    assert_eq!(open["depositId"], deposits[1]["id"], "the second one");
    let asked = world.ask(&payer, BTC).await;
    world.approve(&asked).await;
    world.run().await;
    assert_eq!(world.sent().await, [(BTC.to_owned(), None, "163667".to_owned())]);
    assert_eq!(world.payment(&payer.id).await["status"], "DEPOSITED", "the order stays paid");
}

#[tokio::test]
async fn an_excess_that_the_merchant_keeps_can_be_asked_for() {
    let world = world().await;
    let payer = quoted(&world, "BTC", "BTC").await;
    world.pay(&payer.id, "0.00266667").await;
    world.mine("BTC").await;
    assert_eq!(facts(&world.claimed(&payer).await), ["OPEN", "BTC", "BTC", "0.00097", "0.00003"]);
    let asked = world.ask(&payer, BTC).await;
    world.approve(&asked).await;
    world.run().await;
    assert_eq!(world.sent().await.len(), 1);
}

/// What goes back automatically is not asked for.
#[tokio::test]
async fn an_automatic_refund_needs_no_claim() {
    let world = World::settling("1", Currency::Btc, refunding_excess()).await;
    let payer = quoted(&world, "BTC", "BTC").await;
    world.pay(&payer.id, "0.00266667").await;
    world.mine("BTC").await;
    assert_eq!(world.claims(&payer).await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_paid_order_has_nothing_to_ask_for() {
    let world = world().await;
    let payer = quoted(&world, "BTC", "BTC").await;
    world.pay(&payer.id, "0.00166667").await;
    world.mine("BTC").await;
    assert_eq!(world.claims(&payer).await, [Value::Null; 0]);
    let deposit = json!({"claimId": world.payment(&payer.id).await["deposits"][0]["id"]});
    let answer = world.claim(&payer, &deposit, json!({"address": BTC})).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "the price itself is never given back by a claim");
}

/// The account of an exchange sends from a contract or without a tag: its refund is not lost any more.
#[tokio::test]
async fn a_refund_that_waits_for_an_address_goes_where_the_payer_says() {
    let settings = Settings { name: Some("Fair".to_owned()), ..refunding_excess() };
    let world = World::with(settings).await;
    let payer = from_contract(&world).await;
    let open = world.claimed(&payer).await;
    assert_eq!((&open["status"], &open["network"]), (&json!("OPEN"), &json!("ETH")));
    let asked = world.ask(&payer, ETHER).await;
    let listed = world.get("/api/v1/refunds?waitingFor=APPROVAL", &world.token).await.json;
    let have = ["waitingReason", "claimedAddress"].map(|name| &listed[0][name]);
    assert_eq!(have, [&json!("CLAIM"), &json!(ETHER)], "{listed:#}");
    world.run().await;
    assert!(world.sent().await.is_empty());
    world.approve(&asked).await;
    world.run().await;
    world.mine("ETH").await;
    world.run().await;
    assert_eq!(world.sent().await[0].0, ETHER);
    let done = world.claimed(&payer).await;
    assert_eq!((&done["status"], &done["address"]), (&json!("CONFIRMED"), &json!(ETHER)));
}

#[tokio::test]
async fn a_refund_of_the_merchant_without_an_address_has_a_link_for_the_payer() {
    let world = world().await;
    let payer = quoted(&world, "BTC", "BTC").await;
    world.pay(&payer.id, "0.00166667").await;
    world.mine("BTC").await;
    let refund = world.refunded(&payer.id, json!({})).await;
    let link = refund["claimUrl"].as_str().unwrap();
    assert!(link.contains(&format!("/checkout/{}?sessionToken={}", payer.id, payer.session)), "{link}");
    assert!(world.refund_now(&refund).await.get("claimUrl").is_none(), "a token that reads gets no link");
    // Weeks later the token of the page would have ended.
    world.advance(29 * 86_400).await;
    let open = world.claimed(&payer).await;
    assert_eq!(facts(&open), ["OPEN", "BTC", "BTC", "0.00166667", "0"], "the merchant pays the fee");
    let asked = world.ask(&payer, BTC).await;
    world.run().await;
    assert!(world.sent().await.is_empty(), "the address needs an approval");
    world.approve(&asked).await;
    world.run().await;
    assert_eq!(world.sent().await, [(BTC.to_owned(), None, "166667".to_owned())]);
    let again = world.refund(&payer.id, json!({})).await;
    assert_eq!((again.status, again.json.get("claimUrl")), (StatusCode::OK, None), "it waits no more");
}

#[tokio::test]
async fn a_refused_claim_says_why_and_pays_nothing() {
    let check = async |world: World, payer: Payer, address: &str| {
        let before = world.balances().await;
        let asked = world.ask(&payer, address).await;
        let reason = "Please write to us first.";
        for _ in 0..2 {
            let refused = world.decide_claim(&asked, "refuse", json!({"reason": reason})).await;
            assert_eq!(refused.status, StatusCode::OK, "{}", refused.json);
            world.run().await;
        }
        let shown = world.claimed(&payer).await;
        assert_eq!((&shown["status"], &shown["reason"]), (&json!("REFUSED"), &json!(reason)));
        assert!(world.sent().await.is_empty());
        assert_eq!(world.balances().await, before, "as if nothing had been asked for");
        let again = world.claim(&payer, &asked, json!({"address": address})).await;
        assert_eq!(
            (again.status, &again.json["status"]),
            (StatusCode::OK, &json!("REFUSED")),
            "it is decided"
        );
    };
    let stage = world().await;
    let payer = twice(&stage).await;
    check(stage, payer, BTC).await;
    let stage = World::with(Settings { name: Some("Fair".to_owned()), ..refunding_excess() }).await;
    let payer = from_contract(&stage).await;
    check(stage, payer, ETHER).await;
}

/// The default is that nothing is approved by itself.
#[tokio::test]
async fn a_limit_of_the_business_approves_small_claims() {
    let check = async |limit: &str, expected: &str| {
        let world = world().await;
        let claim_limit = Some(Some(limit.parse().unwrap()));
        world.rules(RuleChanges { claim_limit, ..RuleChanges::default() }).await;
        let payer = twice(&world).await;
        let claim = world.claimed(&payer).await;
        let answer = world.claim(&payer, &claim, json!({"address": BTC})).await;
        assert_eq!(answer.json["status"], expected, "{limit}: {}", answer.json);
        world.run().await;
        assert_eq!(world.sent().await.len(), usize::from(expected == "APPROVED"));
    };
    check("98.20", "APPROVED").await;
    check("98.19", "ASKED").await;
}

#[tokio::test]
async fn a_tag_is_asked_for_and_kept() {
    let world = World::with(Settings { name: Some("Fair".to_owned()), ..refunding_excess() }).await;
    let payer = quoted(&world, "XRP", "XRP").await;
    let payment = world.payment(&payer.id).await;
    let exchange = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
    let body = json!({
        "network": "XRP", "currency": "XRP", "address": payment["walletAddress"], "destinationTag": payment["destinationTag"],
        "amount": "500", "fromAddress": exchange, "sender": "TAG_REQUIRED",
    });
    world.sandbox("transfers", body).await;
    world.mine("XRP").await;
    world.run().await;
    let claim = world.claimed(&payer).await;
    let asked = world.claim(&payer, &claim, json!({"address": exchange, "destinationTag": "7"})).await;
    assert_eq!(asked.json["address"], format!("{exchange}?dt=7"), "{}", asked.json);
    world.approve(&claim).await;
    world.run().await;
    assert_eq!(world.sent().await[0].1.as_deref(), Some("7"));
}
