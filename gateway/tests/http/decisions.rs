//! Decisions of an organisation over HTTP: withdrawals that wait for an approval, deposits that are held.

use axum::http::{Method, StatusCode};
use checkout_domain::withdrawal::rules::RuleChanges;
use checkout_gateway::service::payouts::pay_out;
use checkout_gateway::service::transfers::screen_deposits;
use serde_json::{Value, json};

use super::flagged::BITCOIN;
use super::{Answer, World};

impl World {
    async fn told(&self, path: &str, token: &str) -> Answer {
        if path.ends_with("/approve") {
            return self.approved(path, token).await;
        }
        self.call(Method::POST, path, Some(token), None).await
    }

    /// Approves what is shown now.
    pub(super) async fn approved(&self, path: &str, token: &str) -> Answer {
        self.call(Method::POST, path, Some(token), Some(&self.seen(path).await)).await
    }

    /// What is shown of a withdrawal or a refund, as its approval names it; words in the place of what is not shown.
    pub(super) async fn seen(&self, path: &str) -> Value {
        let shown = self.get(path.strip_suffix("/approve").unwrap_or(path), &self.token).await.json;
        let first = |names: &[&str], none: &str| {
            names.iter().find_map(|name| shown.get(name)).cloned().unwrap_or_else(|| json!(none))
        };
        json!({
            "address": first(&["claimedAddress", "address", "recipientAddress"], "nowhere"),
            "memoType": shown["memoType"],
            "amount": first(&["estimatedWithdrawAmount", "amount"], "1"),
        })
    }

    /// A withdrawal that waits for an approval. The business has the money for it.
    pub(super) async fn unapproved_withdrawal(&self, id: &str) -> String {
        let above =
            RuleChanges { approval_above: Some(Some("10".parse().unwrap())), ..RuleChanges::default() };
        crate::fixture::change_rules(self.app.store.as_ref(), self.business.id, above).await.unwrap();
        let made = self.withdraw(json!({"clientWithdrawalId": id})).await;
        let none = RuleChanges { approval_above: Some(None), ..RuleChanges::default() };
        crate::fixture::change_rules(self.app.store.as_ref(), self.business.id, none).await.unwrap();
        made.json["withdrawId"].as_str().unwrap().to_owned()
    }

    /// A deposit that is held because of its sender.
    pub(super) async fn held_deposit(&self, order: &str) -> String {
        self.flag("BTC", BITCOIN, true).await;
        let (id, _) = self.quoted(json!({"clientPaymentId": order}), "BTC", "BTC").await;
        self.pay_from(&id, "0.001", BITCOIN).await;
        self.mine("BTC").await;
        // Other payers send from there, too.
        self.flag("BTC", BITCOIN, false).await;
        self.payment(&id).await["deposits"][0]["id"].as_str().unwrap().to_owned()
    }
}

#[track_caller]
fn check(answer: &Answer, status: StatusCode, code: &str) {
    let have = (answer.status, answer.json["code"].as_str().unwrap_or_default());
    assert_eq!(have, (status, code), "{}", answer.json);
}

#[tokio::test]
async fn an_organisation_approves_or_rejects_a_large_withdrawal() {
    let world = World::rich().await;
    let key = world.organisation_key().await;
    let ids = [world.unapproved_withdrawal("a").await, world.unapproved_withdrawal("b").await];
    let free = world.withdraw(json!({"clientWithdrawalId": "c"})).await.json;
    let path = |id: &str, act: &str| format!("/api/v1/withdrawals/{id}/{act}");
    let waiting = async || {
        let found = world.get("/api/v1/withdrawals?waitingFor=APPROVAL", &world.token).await.json;
        found.as_array().unwrap().iter().map(|one| one["withdrawId"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(waiting().await, [json!(ids[1]), json!(ids[0])]);
    let shown = world.get(&format!("/api/v1/withdrawals/{}", ids[0]), &world.token).await.json;
    assert_eq!(shown["waitingFor"], "APPROVAL");

    // A stolen token of the business does not approve what it withdraws.
    for act in ["approve", "reject", "cancel"] {
        let answer = world.told(&path(&ids[0], act), &world.token).await;
        check(&answer, StatusCode::NOT_FOUND, "not_found");
    }
    for _ in 0..2 {
        let approved = world.told(&path(&ids[0], "approve"), &key).await;
        assert_eq!(
            (approved.status, approved.json.get("waitingFor")),
            (StatusCode::OK, None),
            "{}",
            approved.json
        );
        let rejected = world.told(&path(&ids[1], "reject"), &key).await;
        assert_eq!(
            (rejected.status, rejected.json.get("waitingFor")),
            (StatusCode::OK, None),
            "{}",
            rejected.json
        );
    }
    check(&world.told(&path(&ids[0], "reject"), &key).await, StatusCode::CONFLICT, "withdrawal_state");
    check(&world.told(&path(&ids[1], "approve"), &key).await, StatusCode::CONFLICT, "withdrawal_state");
    let free = free["withdrawId"].as_str().unwrap();
    check(&world.told(&path(free, "approve"), &key).await, StatusCode::CONFLICT, "withdrawal_state");
    assert_eq!(waiting().await, [] as [Value; 0]);
    for _ in 0..2 {
        pay_out::run(&world.app).await.unwrap();
    }
    let status =
        async |id: &str| world.get(&format!("/api/v1/withdrawals/{id}"), &key).await.json["status"].clone();
    assert_eq!((status(&ids[0]).await, status(&ids[1]).await), (json!("COMPLETED"), json!("BLOCKED")));
}

/// Its token may be stolen.
#[tokio::test]
async fn nothing_is_approved_for_a_disabled_business() {
    let world = World::rich().await;
    let key = world.organisation_key().await;
    let id = world.unapproved_withdrawal("a").await;
    let path = format!("/api/v1/withdrawals/{id}");
    let business = format!("/api/v1/businesses/{}", world.business.id);
    let answer = world.call(Method::PATCH, &business, Some(&key), Some(&json!({"disabled": true}))).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
    check(&world.told(&format!("{path}/approve"), &key).await, StatusCode::FORBIDDEN, "business_disabled");
    assert_eq!(world.told(&format!("{path}/reject"), &key).await.status, StatusCode::OK);
}

/// A refund is no withdrawal: it has decisions of its own.
#[tokio::test]
async fn a_refund_is_not_approved_as_a_withdrawal() {
    let world = World::new().await;
    let key = world.organisation_key().await;
    let paid = world.deposit("paid", "1000.00").await;
    let refund = world.refunded(&paid, json!({"clientRefundId": "r", "amount": "0.001"})).await;
    let id = refund["refundId"].as_str().unwrap();
    for act in ["approve", "reject", "cancel"] {
        let answer = world.told(&format!("/api/v1/withdrawals/{id}/{act}"), &key).await;
        check(&answer, StatusCode::NOT_FOUND, "not_found");
    }
}

#[tokio::test]
async fn an_organisation_releases_or_refuses_a_held_deposit() {
    let world = World::new().await;
    let key = world.organisation_key().await;
    let [released, refused] = [world.held_deposit("a").await, world.held_deposit("b").await];
    let path = |id: &str, act: &str| format!("/api/v1/deposits/{id}/{act}");
    // The shop does not clear its own payers.
    assert_eq!(world.told(&path(&released, "release"), &world.token).await.status, StatusCode::NOT_FOUND);
    for _ in 0..2 {
        for (id, act, decision) in [(&released, "release", "RELEASE"), (&refused, "refuse", "REFUSE")] {
            let answer = world.told(&path(id, act), &key).await;
            assert_eq!(
                (answer.status, &answer.json["decision"]),
                (StatusCode::OK, &json!(decision)),
                "{}",
                answer.json
            );
        }
    }
    screen_deposits::run(&world.app).await.unwrap();
    let listed = world.get("/api/v1/deposits?held=true", &world.token).await.json;
    assert_eq!(
        (listed[0]["id"].as_str(), &listed[0]["refused"]),
        (Some(&*refused), &json!(true)),
        "{listed}"
    );
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!(listed[0].get("decision"), None, "it is carried out");
    // Again: nothing to do. The other way: too late for one, possible for the other.
    assert_eq!(world.told(&path(&released, "release"), &key).await.status, StatusCode::OK);
    assert_eq!(world.told(&path(&refused, "refuse"), &key).await.status, StatusCode::OK);
    check(&world.told(&path(&released, "refuse"), &key).await, StatusCode::CONFLICT, "deposit_state");
    assert_eq!(world.told(&path(&refused, "release"), &key).await.status, StatusCode::OK);
    let clean = world.payment(&world.deposit("paid", "10.00").await).await["deposits"][0]["id"].clone();
    check(
        &world.told(&path(clean.as_str().unwrap(), "refuse"), &key).await,
        StatusCode::CONFLICT,
        "deposit_state",
    );
    check(
        &world.told(&path(&world.business.id.to_string(), "release"), &key).await,
        StatusCode::NOT_FOUND,
        "not_found",
    );
    check(&world.told(&path("7", "release"), &key).await, StatusCode::NOT_FOUND, "not_found");
}
