//! One person alone neither takes money out above a limit nor lifts the limit.

use axum::http::Method;
use checkout_domain::access::actor::Actor;
use checkout_domain::access::operator::Role;
use serde_json::{Value, json};

use super::{Desk, PASSWORD, Session, session};
use crate::{Answer, over};

const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const BTC: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
const DAY: u64 = 86_400;

/// Everybody who asks and approves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Who {
    Token,
    Key,
    OtherKey,
    Anna,
    /// In another browser.
    AnnaAgain,
    Ben,
}

struct People {
    desk: Desk,
    keys: [String; 2],
    sessions: [Session; 3],
}

impl People {
    /// A business with 4,975 EUR.
    async fn new() -> Self {
        let desk = Desk::new().await;
        desk.world.deposit("rich", "5000.00").await;
        let keys = [desk.world.organisation_key().await, desk.world.organisation_key().await];
        let ben = desk.signed_in("ben", Role::Manager).await;
        let secret = desk.add("anna", Role::Manager, None).await;
        let anna = session(&desk.sign_in("anna", PASSWORD, &desk.code(&secret)).await);
        desk.world.advance(60).await; // A code is taken once.
        let again = session(&desk.sign_in("anna", PASSWORD, &desk.code(&secret)).await);
        Self { desk, keys, sessions: [anna, again, ben] }
    }

    async fn call(&self, who: Who, method: Method, path: &str, body: &Value) -> Answer {
        let world = &self.desk.world;
        let at_desk = match who {
            Who::Token => return world.call(method, path, Some(&world.token), Some(body)).await,
            Who::Key => return world.call(method, path, Some(&self.keys[0]), Some(body)).await,
            Who::OtherKey => return world.call(method, path, Some(&self.keys[1]), Some(body)).await,
            Who::Anna => &self.sessions[0],
            Who::AnnaAgain => &self.sessions[1],
            Who::Ben => &self.sessions[2],
        };
        self.desk.call(Some(at_desk), method, &format!("/desk/gateway{path}"), Some(body)).await
    }

    /// Withdraws 60 EUR.
    async fn withdraw(&self, who: Who, id: &str) -> Answer {
        let body = json!({"businessId": self.desk.world.business.id.to_string(), "clientWithdrawalId": id,
            "recipientAddress": EVM, "withdrawCurrency": "ETH", "displayCurrency": "EUR",
            "targetAmountPolicy": "CRYPTO", "targetAmount": "0.02", "withdrawalAccount": "FIAT"});
        self.call(who, Method::POST, "/api/v1/withdrawals", &body).await
    }

    async fn set(&self, who: Who, settings: &Value) {
        let path = format!("/api/v1/businesses/{}", self.desk.world.business.id);
        let answer = self.call(who, Method::PATCH, &path, settings).await;
        assert_eq!(answer.status, 200, "{who:?} {settings}: {}", answer.json);
    }

    /// How the setting stands when 60 EUR are withdrawn: the code of a refusal, `APPROVAL`, or nothing that stops it.
    async fn stopped(&self, id: &str) -> String {
        let answer = self.withdraw(Who::Token, id).await;
        if answer.status != 201 {
            return answer.errors()[0].1.clone();
        }
        let path = format!("/api/v1/withdrawals/{}", answer.json["withdrawId"].as_str().unwrap());
        let read = self.desk.world.get(&path, &self.desk.world.token).await.json;
        read["waitingFor"].as_str().unwrap_or("nothing").to_owned()
    }
}

#[track_caller]
fn check_same(answer: &Answer, case: &str) {
    let have = (answer.status.as_u16(), answer.json["code"].as_str().unwrap_or_default());
    assert_eq!(have, (403, "same_initiator"), "{case}: {}", answer.json);
}

/// Rows: who asks, who is the same person, and who approves.
#[tokio::test]
async fn who_asks_for_a_withdrawal_does_not_approve_it() {
    let rows: [(Who, &[Who], Who); 6] = [
        (Who::Token, &[], Who::Key),
        (Who::Key, &[Who::Key], Who::OtherKey),
        (Who::Key, &[Who::Key], Who::Anna),
        (Who::Anna, &[Who::Anna, Who::AnnaAgain], Who::Ben),
        (Who::AnnaAgain, &[Who::Anna, Who::AnnaAgain], Who::Key),
        (Who::Ben, &[Who::Ben], Who::Anna),
    ];
    let people = People::new().await;
    let world = &people.desk.world;
    people.set(Who::Key, &json!({"withdrawalApprovalAbove": "10"})).await;
    let seen = json!({"address": EVM, "amount": "0.02"});
    for (number, (asks, same, approves)) in rows.into_iter().enumerate() {
        let made = people.withdraw(asks, &number.to_string()).await;
        assert_eq!(made.status, 201, "{asks:?}: {}", made.json);
        let path = format!("/api/v1/withdrawals/{}", made.json["withdrawId"].as_str().unwrap());
        for who in same {
            let answer = people.call(*who, Method::POST, &format!("{path}/approve"), &seen).await;
            check_same(&answer, &format!("{asks:?} asks, {who:?} approves"));
            world.run().await;
            assert_eq!(world.sent().await.len(), number, "{asks:?} {who:?}");
        }
        let answer = people.call(approves, Method::POST, &format!("{path}/approve"), &seen).await;
        assert_eq!(answer.status, 200, "{asks:?} asks, {approves:?} approves: {}", answer.json);
        world.run().await;
        assert_eq!(world.sent().await.len(), number + 1, "{asks:?} {approves:?}");
    }
}

/// A manager makes a token, asks with it, and is the same person at the desk.
#[tokio::test]
async fn who_makes_a_token_does_not_approve_what_is_asked_for_with_it() {
    let people = People::new().await;
    let (world, business) = (&people.desk.world, people.desk.world.business.id);
    people.set(Who::Key, &json!({"withdrawalApprovalAbove": "10"})).await;
    let paid = world.deposit("order", "100.00").await;
    let rotate = format!("/api/v1/businesses/{business}/rotate-token");
    let made = people.call(Who::Anna, Method::POST, &rotate, &json!({"overlapHours": 1})).await;
    let token = made.json["token"].as_str().unwrap().to_owned();
    let withdrawal = json!({"clientWithdrawalId": "w", "recipientAddress": EVM, "withdrawCurrency": "ETH", "displayCurrency": "EUR",
        "targetAmountPolicy": "CRYPTO", "targetAmount": "0.02", "withdrawalAccount": "FIAT"});
    let refund = json!({"clientRefundId": "r", "amount": "0.001", "address": BTC});
    for (path, body, list, id, seen) in [
        (
            "/api/v1/withdrawals".to_owned(),
            withdrawal,
            "withdrawals",
            "withdrawId",
            json!({"address": EVM, "amount": "0.02"}),
        ),
        (
            format!("/api/v1/payments/{paid}/refunds"),
            refund,
            "refunds",
            "refundId",
            json!({"address": BTC, "amount": "0.001"}),
        ),
    ] {
        let asked = world.post(&path, &token, &body).await;
        assert_eq!(asked.status, 201, "{path}: {}", asked.json);
        let approve = format!("/api/v1/{list}/{}/approve", asked.json[id].as_str().unwrap());
        for who in [Who::Anna, Who::AnnaAgain] {
            check_same(&people.call(who, Method::POST, &approve, &seen).await, &format!("{who:?} {path}"));
        }
        let answer = people.call(Who::Ben, Method::POST, &approve, &seen).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.json);
    }
}

/// The token of a business that is made at the desk is of who made it there, too.
#[tokio::test]
async fn the_token_of_a_new_business_is_of_the_manager_who_made_it() {
    let people = People::new().await;
    for (who, expected) in [(Who::Anna, true), (Who::Key, false)] {
        let made = people.call(who, Method::POST, "/api/v1/businesses", &json!({"name": "Outlet"})).await;
        assert_eq!(made.status, 201, "{who:?}: {}", made.json);
        let token = Actor::of_token(made.json["token"].as_str().unwrap());
        let maker = people.desk.world.app.store.begin().await.unwrap().maker(&token).await.unwrap();
        assert_eq!(matches!(maker, Some(Actor::Operator(_))), expected, "{who:?}: {maker:?}");
    }
}

/// To stop it takes one.
#[tokio::test]
async fn who_asks_for_a_withdrawal_may_take_it_back() {
    let people = People::new().await;
    people.set(Who::Key, &json!({"withdrawalApprovalAbove": "10"})).await;
    for (who, act) in
        [(Who::Key, "reject"), (Who::Key, "cancel"), (Who::Anna, "reject"), (Who::Anna, "cancel")]
    {
        let made = people.withdraw(who, &format!("{who:?} {act}")).await;
        let path = format!("/api/v1/withdrawals/{}", made.json["withdrawId"].as_str().unwrap());
        let seen = json!({"address": EVM, "amount": "0.02"});
        check_same(&people.call(who, Method::POST, &format!("{path}/approve"), &seen).await, act);
        let answer = people.call(who, Method::POST, &format!("{path}/{act}"), &json!({})).await;
        assert_eq!(answer.status, 200, "{who:?} {act}: {}", answer.json);
    }
}

/// A refund above the limit is money that leaves as a withdrawal does.
#[tokio::test]
async fn who_asks_for_a_refund_above_the_limit_does_not_approve_it() {
    for (asks, same, approves) in [
        (Who::Key, Who::Key, Who::OtherKey),
        (Who::Anna, Who::AnnaAgain, Who::Ben),
        (Who::Anna, Who::Anna, Who::Key),
    ] {
        let people = People::new().await;
        let world = &people.desk.world;
        let paid = world.deposit("order", "100.00").await;
        people.set(Who::Key, &json!({"withdrawalApprovalAbove": "10"})).await;
        let body = json!({"clientRefundId": "r", "amount": "0.001", "address": BTC});
        let made = people.call(asks, Method::POST, &format!("/api/v1/payments/{paid}/refunds"), &body).await;
        assert_eq!(made.status, 201, "{asks:?}: {}", made.json);
        let path = format!("/api/v1/refunds/{}/approve", made.json["refundId"].as_str().unwrap());
        let seen = json!({"address": BTC, "amount": "0.001"});
        check_same(&people.call(same, Method::POST, &path, &seen).await, &format!("{asks:?} {same:?}"));
        world.run().await;
        assert!(world.sent().await.is_empty());
        let answer = people.call(approves, Method::POST, &path, &seen).await;
        assert_eq!(answer.status, 200, "{approves:?}: {}", answer.json);
    }
}

/// A tight setting, what it does to a withdrawal of 60 EUR, and looser ones.
fn limits() -> [(Value, &'static str, Vec<Value>); 3] {
    [
        (
            json!({"dailyWithdrawalLimit": "50"}),
            "above_daily_limit",
            vec![json!({"dailyWithdrawalLimit": "5000"}), json!({"dailyWithdrawalLimit": ""})],
        ),
        (
            json!({"withdrawalApprovalAbove": "10"}),
            "APPROVAL",
            vec![json!({"withdrawalApprovalAbove": "100"}), json!({"withdrawalApprovalAbove": ""})],
        ),
        (json!({"whitelistOnly": true}), "not_whitelisted", vec![json!({"whitelistOnly": false})]),
    ]
}

#[tokio::test]
async fn a_looser_limit_holds_after_a_day_and_a_tighter_one_at_once() {
    for (tight, stops, looser) in limits() {
        for loose in looser {
            let people = People::new().await;
            people.set(Who::Key, &tight).await;
            assert_eq!(people.stopped("tight").await, stops, "{tight} at once");
            for attempt in ["once", "twice"] {
                people.set(Who::Key, &loose).await;
                assert_eq!(people.stopped(attempt).await, stops, "{loose}, {attempt} by one person");
            }
            let path = format!("/api/v1/businesses/{}", people.desk.world.business.id);
            let shown = people.desk.world.get(&path, &people.keys[0]).await.json;
            for (name, value) in tight.as_object().unwrap() {
                assert_eq!(shown[name], *value, "what holds is shown");
            }
            people.desk.world.advance(DAY - 1).await;
            assert_eq!(people.stopped("a day less a second").await, stops, "{loose}");
            people.desk.world.advance(2).await;
            assert_eq!(people.stopped("a day").await, "nothing", "{loose}");
        }
    }
}

/// The second one sets the same.
#[tokio::test]
async fn a_looser_limit_holds_at_once_when_a_second_person_agrees() {
    for (first, same, second) in [
        (Who::Key, Who::Key, Who::OtherKey),
        (Who::Anna, Who::AnnaAgain, Who::Ben),
        (Who::Anna, Who::Anna, Who::Key),
        (Who::OtherKey, Who::OtherKey, Who::Anna),
    ] {
        for (tight, stops, looser) in limits() {
            let people = People::new().await;
            people.set(first, &tight).await;
            people.set(first, &looser[0]).await;
            people.set(same, &looser[0]).await;
            assert_eq!(people.stopped("one").await, stops, "{same:?} {}", looser[0]);
            people.set(second, &looser[0]).await;
            assert_eq!(people.stopped("two").await, "nothing", "{second:?} {}", looser[0]);
        }
    }
}

/// Somebody who sees a limit being lifted sets it again.
#[tokio::test]
async fn a_looser_limit_is_taken_back_before_it_holds() {
    for (tight, stops, looser) in limits() {
        for loose in looser {
            let people = People::new().await;
            people.set(Who::Key, &tight).await;
            people.set(Who::Key, &loose).await;
            assert_eq!(people.stopped("lifted").await, stops, "{loose}");
            people.set(Who::OtherKey, &tight).await;
            people.desk.world.advance(DAY + 1).await;
            assert_eq!(people.stopped("later").await, stops, "{loose}");
        }
    }
}

/// A change of something else beside a looser limit is made, and the limit waits.
#[tokio::test]
async fn other_settings_do_not_wait_for_a_limit() {
    let people = People::new().await;
    let (tight, stops, looser) = limits()[0].clone();
    people.set(Who::Key, &tight).await;
    people.set(Who::Key, &over(looser[0].clone(), json!({"name": "Outlet"}))).await;
    let path = format!("/api/v1/businesses/{}", people.desk.world.business.id);
    let shown = people.desk.world.get(&path, &people.keys[0]).await.json;
    assert_eq!((&shown["name"], &shown["dailyWithdrawalLimit"]), (&json!("Outlet"), &json!("50")));
    assert_eq!(people.stopped("w").await, stops);
}
