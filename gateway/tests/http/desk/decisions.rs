//! Decisions at the desk: payouts, held deposits, businesses. Each is an act of the public API, by its role, and noted.

use axum::http::{Method, StatusCode};
use checkout_domain::access::operator::Role;
use checkout_domain::withdrawal::rules::RuleChanges;
use serde_json::{Value, json};

use super::{Desk, PASSWORD, Session, session};
use crate::Answer;
use crate::flagged::BITCOIN;

impl Desk {
    async fn act(&self, session: &Session, path: &str, body: Option<Value>) -> Answer {
        self.call(Some(session), Method::POST, &format!("/desk/gateway{path}"), body.as_ref()).await
    }

    /// Every word of the audit log.
    async fn audit_text(&self) -> String {
        let page = checkout_domain::page::Page { after: None, before: None, descending: false, limit: 100 };
        format!("{:?}", self.world.app.store.audit(&page).await.unwrap())
    }
}

/// The answer to each role, lowest first: `support` and `viewer` are refused by the table.
#[track_caller]
fn check_refused(answer: &Answer) {
    let code = answer.json["code"].as_str();
    assert_eq!((answer.status, code), (StatusCode::FORBIDDEN, Some("role")), "{}", answer.json);
}

#[tokio::test]
async fn a_manager_decides_payouts_that_wait() {
    let desk = Desk::new().await;
    let world = &desk.world;
    world.deposit("rich", "1000.00").await;
    let above = RuleChanges { approval_above: Some(Some("10".parse().unwrap())), ..RuleChanges::default() };
    crate::fixture::change_rules(world.app.store.as_ref(), world.business.id, above).await.unwrap();
    let made = world.withdraw(json!({"clientWithdrawalId": "w-1"})).await.json;
    let path = format!("/api/v1/withdrawals/{}", made["withdrawId"].as_str().unwrap());
    for (name, role) in [("viktor", Role::Viewer), ("susi", Role::Support)] {
        let session = desk.signed_in(name, role).await;
        for act in ["approve", "reject", "cancel"] {
            check_refused(&desk.act(&session, &format!("{path}/{act}"), None).await);
            // The same route in another spelling.
            let spelled = path.replacen("withdrawals", "%77ithdrawals", 1);
            let answer = desk.act(&session, &format!("{spelled}/{act}"), None).await;
            assert!(answer.status.is_client_error(), "{}", answer.json);
        }
    }
    // An operator of one business decides no more than its token.
    let key = desk.add("own", Role::Manager, Some(world.business.id)).await;
    let own = session(&desk.sign_in("own", PASSWORD, &desk.code(&key)).await);
    let seen = world.seen(&path).await;
    let answer = desk.act(&own, &format!("{path}/approve"), Some(seen.clone())).await;
    assert_eq!(answer.json["code"], "not_found", "{}", answer.json);

    let manager = desk.signed_in("maria", Role::Manager).await;
    let answer = desk.act(&manager, &format!("{path}/approve"), Some(seen)).await;
    assert_eq!((answer.status, answer.json.get("waitingFor")), (StatusCode::OK, None), "{}", answer.json);
    let noted = desk.audit().await;
    let action = format!("POST {path}/approve");
    for outcome in ["STARTED", "404", "200"] {
        let expected =
            (if outcome == "404" { "own" } else { "maria" }.to_owned(), action.clone(), outcome.to_owned());
        assert!(noted.contains(&expected), "{outcome}: {noted:?}");
    }
}

#[tokio::test]
async fn a_manager_decides_held_deposits() {
    let desk = Desk::new().await;
    let world = &desk.world;
    world.flag("BTC", BITCOIN, true).await;
    let (id, _) = world.quoted(json!({}), "BTC", "BTC").await;
    world.pay_from(&id, "0.001", BITCOIN).await;
    let deposit = world.payment(&id).await["deposits"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/deposits/{deposit}/release");
    let support = desk.signed_in("susi", Role::Support).await;
    check_refused(&desk.act(&support, &path, None).await);
    let key = desk.add("own", Role::Manager, Some(world.business.id)).await;
    let own = session(&desk.sign_in("own", PASSWORD, &desk.code(&key)).await);
    let answer = desk.act(&own, &path, None).await;
    assert_eq!(
        answer.status,
        StatusCode::NOT_FOUND,
        "the shop does not clear its own payers: {}",
        answer.json
    );
    let manager = desk.signed_in("maria", Role::Manager).await;
    let answer = desk.act(&manager, &path, None).await;
    assert_eq!(
        (answer.status, answer.json["decision"].as_str()),
        (StatusCode::OK, Some("RELEASE")),
        "{}",
        answer.json
    );
}

/// Created, changed, tested, rotated and disabled without a shell; the credentials are shown once, and noted nowhere.
#[tokio::test]
async fn a_manager_looks_after_businesses() {
    let desk = Desk::new().await;
    let viewer = desk.signed_in("viktor", Role::Viewer).await;
    let support = desk.signed_in("susi", Role::Support).await;
    let manager = desk.signed_in("maria", Role::Manager).await;
    let new = json!({"name": "Outlet", "depositReceivedCallbackUrl": "http://127.0.0.1:1/hooks"});
    for session in [&viewer, &support] {
        check_refused(&desk.act(session, "/api/v1/businesses", Some(new.clone())).await);
    }
    let made = desk.act(&manager, "/api/v1/businesses", Some(new)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.json);
    assert_eq!(made.header("cache-control"), Some("no-store"));
    let id = made.json["business"]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/businesses/{id}");
    let listed = desk.get(&viewer, "/desk/gateway/api/v1/businesses").await;
    assert_eq!(listed.json.as_array().map(Vec::len), Some(2), "{}", listed.json);
    let mut secrets = vec![made.json["token"].clone(), made.json["callbackSecret"].clone()];
    for (act, name) in [("rotate-token", "token"), ("rotate-secret", "callbackSecret")] {
        for session in [&viewer, &support] {
            check_refused(&desk.act(session, &format!("{path}/{act}"), Some(json!({}))).await);
        }
        let answer = desk.act(&manager, &format!("{path}/{act}"), Some(json!({}))).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.json);
        secrets.push(answer.json[name].clone());
    }
    let off = json!({"disabled": true});
    let url = format!("/desk/gateway{path}");
    check_refused(&desk.call(Some(&support), Method::PATCH, &url, Some(&off)).await);
    let changed = desk.call(Some(&manager), Method::PATCH, &url, Some(&off)).await;
    assert_eq!(changed.json["disabled"], true, "{}", changed.json);
    let audit = desk.audit_text().await;
    assert!(audit.contains(&format!("POST {path}/rotate-token")), "{audit}");
    for secret in secrets {
        assert!(!audit.contains(secret.as_str().unwrap()), "a credential is in the audit log");
    }

    // An operator of one business sees its settings, and no other business.
    let key = desk.add("own", Role::Manager, Some(desk.world.business.id)).await;
    let own = session(&desk.sign_in("own", PASSWORD, &desk.code(&key)).await);
    assert_eq!(desk.get(&own, "/desk/gateway/api/v1/businesses").await.status, StatusCode::NOT_FOUND);
    assert_eq!(desk.get(&own, &url).await.status, StatusCode::NOT_FOUND);
    let answer = desk.act(&own, &format!("{path}/rotate-token"), Some(json!({}))).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "{}", answer.json);
}
