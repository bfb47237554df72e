//! An approval names what its operator saw: address, tag and amount. What changed since is not approved.

use axum::http::Method;
use checkout_domain::business::settings::Settings;
use checkout_domain::withdrawal::rules::RuleChanges;
use serde_json::{Value, json};

use super::claims::{ETHER, Payer, from_contract, pay_from_contract, quoted, twice};
use super::merchant_refund_stage::{BTC, EVM, SANCTIONED, check_refused, paid, refunding_excess, world};
use super::{Answer, World, over};

const XRP: &str = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
const OTHER_XRP: &str = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
const XLM: &str = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const OTHER_BTC: &str = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

impl World {
    async fn approve_seen(&self, path: &str, token: &str, seen: Option<&Value>) -> Answer {
        self.call(Method::POST, &format!("/api/v1/{path}/approve"), Some(token), seen).await
    }
}

/// Checks that this body approves nothing, because it is not what stands there, or because it does not say all of it.
async fn check_not_approved(world: &World, path: &str, token: &str, seen: Option<&Value>, is_complete: bool) {
    let answer = world.approve_seen(path, token, seen).await;
    if is_complete {
        assert_eq!(
            (answer.status.as_u16(), &answer.json["code"]),
            (409, &json!("address_changed")),
            "{seen:?} {}",
            answer.json
        );
    } else {
        assert!(
            [400, 415, 422].contains(&answer.status.as_u16()),
            "{seen:?}: {} {}",
            answer.status,
            answer.json
        );
    }
    let now = world.get(&format!("/api/v1/{path}"), token).await.json;
    assert_eq!(now["waitingFor"], "APPROVAL", "{seen:?}");
    world.run().await;
    assert!(world.sent().await.is_empty(), "{seen:?}");
}

/// The fields of a withdrawal; what is seen of it in other words; what is not seen.
type Row = (Value, Vec<Value>, Vec<Value>);

#[tokio::test]
async fn a_withdrawal_is_approved_as_it_was_seen() {
    let xrp =
        json!({"withdrawCurrency": "XRP", "network": "XRP", "recipientAddress": XRP, "targetAmount": "20.5"});
    let xlm = json!({"withdrawCurrency": "XLM", "network": "XLM", "recipientAddress": XLM, "targetAmount": "100",
        "destinationTag": "7", "memoType": "text"});
    let rows: Vec<Row> = vec![
        (
            json!({}),
            vec![
                json!({"address": EVM, "amount": "0.02"}),
                json!({"address": EVM, "amount": "0.020"}),
                json!({"address": EVM, "amount": 0.02}),
                json!({"address": EVM.to_ascii_lowercase(), "amount": "0.02"}),
            ],
            vec![
                json!({"address": ETHER, "amount": "0.02"}),
                json!({"address": EVM, "amount": "0.2"}),
                json!({"address": EVM, "amount": "0.020000000000000001"}),
                json!({"address": EVM, "amount": 0.019}),
            ],
        ),
        (
            over(xrp.clone(), json!({"destinationTag": "77"})),
            vec![
                json!({"address": XRP, "destinationTag": "77", "amount": "20.50"}),
                json!({"address": XRP, "destinationTag": 77, "amount": 20.5}),
                json!({"address": format!("{XRP}?dt=77"), "amount": "20.5"}),
            ],
            vec![
                json!({"address": XRP, "amount": "20.5"}),
                json!({"address": XRP, "destinationTag": "0", "amount": "20.5"}),
                json!({"address": XRP, "destinationTag": 78, "amount": "20.5"}),
                json!({"address": format!("{XRP}?dt=78"), "amount": "20.5"}),
                json!({"address": OTHER_XRP, "destinationTag": 77, "amount": "20.5"}),
                json!({"address": XRP, "destinationTag": 77, "amount": "20"}),
            ],
        ),
        (
            xrp,
            vec![json!({"address": XRP, "amount": "20.5"})],
            vec![json!({"address": XRP, "destinationTag": "77", "amount": "20.5"})],
        ),
        (
            xlm,
            vec![json!({"address": XLM, "destinationTag": "7", "memoType": "text", "amount": "100"})],
            vec![
                json!({"address": XLM, "destinationTag": "7", "amount": "100"}),
                json!({"address": XLM, "destinationTag": "7", "memoType": "id", "amount": "100"}),
                json!({"address": XLM, "destinationTag": "8", "memoType": "text", "amount": "100"}),
            ],
        ),
    ];
    for (fields, rightly, wrongly) in rows {
        for right in rightly {
            let world = World::rich().await;
            let key = world.organisation_key().await;
            let above =
                RuleChanges { approval_above: Some(Some("1".parse().unwrap())), ..RuleChanges::default() };
            world.rules(above).await;
            let made = world.withdraw(fields.clone()).await.json;
            let path = format!("withdrawals/{}", made["withdrawId"].as_str().unwrap());
            for wrong in &wrongly {
                check_not_approved(&world, &path, &key, Some(wrong), true).await;
            }
            let mut parts = vec![json!({}), over(right.clone(), json!({"address": null}))];
            for amount in [json!(null), json!("0"), json!(0.00), json!("-1"), json!("all")] {
                parts.push(over(right.clone(), json!({"amount": amount})));
            }
            for part in &parts {
                check_not_approved(&world, &path, &key, Some(part), false).await;
            }
            check_not_approved(&world, &path, &key, None, false).await;
            for _ in 0..2 {
                let approved = world.approve_seen(&path, &key, Some(&right)).await;
                assert_eq!(
                    (approved.status.as_u16(), approved.json.get("waitingFor")),
                    (200, None),
                    "{right}: {}",
                    approved.json
                );
            }
            world.run().await;
            assert_eq!(world.sent().await.len(), 1, "{right}");
        }
    }
}

#[tokio::test]
async fn a_rejection_names_nothing() {
    let world = World::rich().await;
    let key = world.organisation_key().await;
    let id = world.unapproved_withdrawal("a").await;
    check_not_approved(&world, &format!("withdrawals/{id}"), &key, None, false).await;
    let rejected =
        world.call(Method::POST, &format!("/api/v1/withdrawals/{id}/reject"), Some(&key), None).await;
    assert_eq!(rejected.status, 200, "{}", rejected.json);
}

#[tokio::test]
async fn a_claim_is_approved_as_it_was_seen() {
    let world = world().await;
    let payer = twice(&world).await;
    world.ask(&payer, BTC).await;
    let path = waiting(&world).await;
    let token = world.token.clone();
    for wrong in [
        json!({"address": OTHER_BTC, "amount": "0.00163667"}),
        json!({"address": BTC, "amount": "0.00166667"}),
        json!({"address": BTC, "amount": "0.00163666"}),
    ] {
        check_not_approved(&world, &path, &token, Some(&wrong), true).await;
    }
    for part in [json!({}), json!({"address": BTC}), json!({"amount": "0.00163667"})] {
        check_not_approved(&world, &path, &token, Some(&part), false).await;
    }
    let seen = json!({"address": BTC.to_ascii_uppercase(), "amount": "0.001636670"});
    for _ in 0..2 {
        let approved = world.approve_seen(&path, &token, Some(&seen)).await;
        assert_eq!(approved.status, 200, "{}", approved.json);
    }
    world.run().await;
    assert_eq!(world.sent().await, [(BTC.to_owned(), None, "163667".to_owned())]);
}

/// The only refund that waits for an approval.
async fn waiting(world: &World) -> String {
    let listed = world.get("/api/v1/refunds?waitingFor=APPROVAL", &world.token).await.json;
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed:#}");
    format!("refunds/{}", listed[0]["refundId"].as_str().unwrap())
}

/// One address was blocked, and the payer named another: whoever saw the first does not approve the second.
#[tokio::test]
async fn an_approval_of_the_first_address_is_none_of_the_second() {
    let world = World::with(Settings { name: Some("Fair".to_owned()), ..refunding_excess() }).await;
    let payer = from_contract(&world).await;
    world.ask(&payer, SANCTIONED).await;
    let (path, token) = (waiting(&world).await, world.token.clone());
    let amount = world.get(&format!("/api/v1/{path}"), &token).await.json["amount"].clone();
    let [first, second] = [SANCTIONED, ETHER].map(|address| json!({"address": address, "amount": amount}));
    check_not_approved(&world, &path, &token, Some(&second), true).await;
    let approved = world.approve_seen(&path, &token, Some(&first)).await;
    assert_eq!(approved.status, 200, "{}", approved.json);
    world.run().await;
    world.ask(&payer, ETHER).await;
    check_not_approved(&world, &path, &token, Some(&first), true).await;
    let approved = world.approve_seen(&path, &token, Some(&second)).await;
    assert_eq!(approved.status, 200, "{}", approved.json);
    world.run().await;
    assert_eq!(world.sent().await.iter().map(|sent| sent.0.as_str()).collect::<Vec<_>>(), [ETHER]);
}

/// Another network drops what paid the price, so that less goes back than the operator saw.
#[tokio::test]
async fn an_approval_of_one_amount_is_none_of_another() {
    let world = World::with(Settings { name: Some("Fair".to_owned()), ..refunding_excess() }).await;
    let payer = quoted(&world, "BTC", "BTC").await;
    let bitcoin = world.payment(&payer.id).await["walletAddress"].clone();
    let choice = json!({"depositCurrency": "ETH", "network": "ETH"});
    let chosen = world.patch(&format!("/api/v1/payments/{}", payer.id), &payer.session, &choice).await;
    assert_eq!(chosen.status, 200, "{}", chosen.json);
    let body = json!({"network": "BTC", "currency": "BTC", "address": bitcoin, "amount": "0.0005"});
    let transfer = world.sandbox("transfers", body).await;
    world.mine("BTC").await;
    pay_from_contract(&world, &payer).await;
    let asked = world.ask(&payer, ETHER).await;
    let (path, token) = (waiting(&world).await, world.token.clone());
    let seen = json!({"address": ETHER, "amount": asked["amount"]});
    world.sandbox("reorgs", json!({"network": "BTC", "depth": 1})).await;
    world.sandbox("drops", json!({"transactionId": transfer["transactionId"]})).await;
    world.mine("BTC").await;
    let now = world.claimed(&payer).await;
    assert_ne!(now["amount"], asked["amount"]);
    check_not_approved(&world, &path, &token, Some(&seen), true).await;
    let approved =
        world.approve_seen(&path, &token, Some(&over(seen, json!({"amount": now["amount"]})))).await;
    assert_eq!(approved.status, 200, "{}", approved.json);
}

/// A refund of the merchant above the limit of the business, which the payer gave an address.
#[tokio::test]
async fn a_refund_of_the_merchant_is_approved_as_it_was_seen() {
    let world = world().await;
    let key = world.organisation_key().await;
    world
        .rules(RuleChanges { approval_above: Some(Some("1".parse().unwrap())), ..RuleChanges::default() })
        .await;
    let id = paid(&world).await;
    let refund = world.refunded(&id, json!({"amount": "0.0010", "address": BTC})).await;
    let path = format!("refunds/{}", refund["refundId"].as_str().unwrap());
    for wrong in
        [json!({"address": OTHER_BTC, "amount": "0.001"}), json!({"address": BTC, "amount": "0.00103"})]
    {
        check_not_approved(&world, &path, &key, Some(&wrong), true).await;
    }
    let approved = world.approve_seen(&path, &key, Some(&json!({"address": BTC, "amount": 0.001}))).await;
    assert_eq!(approved.status, 200, "{}", approved.json);
    world.run().await;
    assert_eq!(world.sent().await, [(BTC.to_owned(), None, "100000".to_owned())]);
}

/// The sixth refund of a day goes to its sender, and nowhere else.
#[tokio::test]
async fn a_refund_to_its_sender_is_approved_as_it_was_seen() {
    let settings = Settings { refund_follow_ups: Some(true), ..refunding_excess() };
    let world = World::with(Settings { name: Some("Fair".to_owned()), ..settings }).await;
    let payer: Payer = quoted(&world, "LTC", "LTC").await;
    for amount in ["1.33333334", "0.5", "0.5", "0.5", "0.5", "0.5", "0.5"] {
        world.pay(&payer.id, amount).await;
        world.mine("LTC").await;
        world.run().await;
    }
    let (path, token) = (waiting(&world).await, world.token.clone());
    let before = world.sent().await;
    let last = world.payment(&payer.id).await["deposits"][6].clone();
    let shown = world.get(&format!("/api/v1/{path}"), &token).await.json;
    assert_eq!(shown["address"], last["fromAddress"], "who approves sees where it goes: {shown:#}");
    let seen = json!({"address": shown["address"], "amount": shown["amount"]});
    for wrong in [json!({"amount": "0.5"}), json!({"address": "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9"})] {
        let answer = world.approve_seen(&path, &token, Some(&over(seen.clone(), wrong))).await;
        check_refused(&answer, 409, "address_changed");
    }
    world.run().await;
    assert_eq!(world.sent().await, before);
    let approved = world.approve_seen(&path, &token, Some(&seen)).await;
    assert_eq!(approved.status, 200, "{}", approved.json);
    world.run().await;
    assert_eq!(world.sent().await.len(), before.len() + 1);
}
