//! Each action at the desk is noted before it is done, and the note never changes.

use axum::http::Method;
use checkout_domain::access::operator::Role;
use serde_json::{Value, json};

use super::{Desk, Session};

async fn whitelist(desk: &Desk, session: &Session, id: &str) -> u16 {
    let body = json!({"businessId": desk.world.business.id.to_string(), "clientAddressId": id, "currency": "ETH",
        "network": "ETH", "address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    let path = "/desk/gateway/whitelist-addresses";
    desk.call(Some(session), Method::POST, path, Some(&body)).await.status.as_u16()
}

#[tokio::test]
async fn every_act_is_noted() {
    let desk = Desk::new().await;
    let manager = desk.signed_in("maria", Role::Manager).await;
    let viewer = desk.signed_in("viktor", Role::Viewer).await;
    assert_eq!(whitelist(&desk, &manager, "a-1").await, 201);
    assert_eq!(whitelist(&desk, &viewer, "a-2").await, 403);
    desk.get(&viewer, "/desk/gateway/api/v1/currencies").await;
    desk.call(Some(&viewer), Method::DELETE, "/desk/session", None).await;
    desk.sign_in("viktor", "not the password", "000000").await;
    let expected = [
        ("command line", "ADD_OPERATOR", "OK"),
        ("maria", "SIGN_IN", "OK"),
        ("command line", "ADD_OPERATOR", "OK"),
        ("viktor", "SIGN_IN", "OK"),
        ("maria", "POST /whitelist-addresses", "STARTED"),
        ("maria", "POST /whitelist-addresses", "201"),
        ("viktor", "POST /whitelist-addresses", "STARTED"),
        ("viktor", "POST /whitelist-addresses", "403"),
        ("viktor", "SIGN_OUT", "OK"),
        ("viktor", "SIGN_IN", "REFUSED"),
    ];
    let mut noted = desk.audit().await;
    let mut expected =
        expected.map(|(who, what, how)| (who.to_owned(), what.to_owned(), how.to_owned())).to_vec();
    // Ids of a command are of another clock than the test's.
    noted.retain(|(who, ..)| who != "command line");
    expected.retain(|(who, ..)| who != "command line");
    assert_eq!(noted, expected);

    let listed = desk.get(&manager, "/desk/audit?descending=false").await;
    let entries = listed.json.as_array().unwrap();
    let started = entries.iter().find(|entry| entry["outcome"] == "STARTED").unwrap();
    assert!(started["detail"].as_str().unwrap().contains("\"clientAddressId\":\"a-1\""), "{started}");
    assert_eq!(started["client"], "203.0.113.7");
    let stored = listed.json.to_string();
    assert!(!stored.contains(super::PASSWORD) && !stored.contains("not the password"), "{stored}");
    assert_eq!(desk.get(&viewer, "/desk/audit").await.status, 401, "signed out");
    let support = desk.signed_in("susi", Role::Support).await;
    assert_eq!(desk.get(&support, "/desk/audit").await.json["code"], "role");
    let first = entries[0]["id"].as_str().unwrap();
    let page = desk.get(&manager, &format!("/desk/audit?descending=false&limit=1&after={first}")).await;
    assert_eq!(page.json, Value::from(vec![entries[1].clone()]));
}

/// A full disk, or a log that somebody took away.
#[tokio::test]
async fn what_cannot_be_noted_is_not_done() {
    let desk = Desk::new().await;
    let manager = desk.signed_in("maria", Role::Manager).await;
    let database = &desk.world.database;
    for (table, becomes, expected) in [("audit_log", "gone", 503), ("gone", "audit_log", 201)] {
        let rename = format!("ALTER TABLE {table} RENAME TO {becomes}");
        database.apply(checkout_storage::query(rename)).await.unwrap();
        assert_eq!(whitelist(&desk, &manager, "a-1").await, expected);
    }
}
