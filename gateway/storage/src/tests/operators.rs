use checkout_domain::access::audit::AuditRecord;
use checkout_domain::access::operator::{DeskSession, Name, Operator, Role, Secrets};
use checkout_domain::access::token::TokenHash;
use checkout_domain::page::Page;
use checkout_domain::ports::operators::OperatorStore as _;
use uuid::Uuid;

use super::stage::{NOW, Stage};
use crate::query;

fn name(text: &str) -> Name {
    text.parse().unwrap()
}

fn new(text: &str, role: Role) -> Operator {
    let id = Uuid::now_v7();
    Operator { id, name: name(text), role, business: None, is_disabled: false, created_at: NOW }
}

fn secrets(word: &str) -> Secrets {
    Secrets { password: format!("$argon2id${word}"), totp: "MZXW6YTB".to_owned() }
}

async fn add(stage: &Stage, operator: &Operator) -> bool {
    let mut tx = stage.begin().await;
    let is_new = tx.add_operator(operator).await.unwrap();
    tx.commit().await.unwrap();
    is_new
}

pub(super) async fn added_and_changed(stage: &Stage) {
    let (bert, anna) = (new("bert", Role::Viewer), new("anna", Role::Support));
    assert!(add(stage, &bert).await && add(stage, &anna).await);
    assert!(!add(stage, &new("anna", Role::Manager)).await, "a name is one person");
    assert_eq!(stage.store.operators().await.unwrap(), [anna.clone(), bert.clone()]);
    assert!(stage.store.operator(&name("anna")).await.unwrap() == Some((anna.clone(), None)));
    assert!(stage.store.operator(&name("nobody")).await.unwrap().is_none());

    let changed = Operator {
        role: Role::Manager,
        business: Some(stage.business.id),
        is_disabled: true,
        ..anna.clone()
    };
    let mut tx = stage.begin().await;
    tx.change_operator(&changed).await.unwrap();
    tx.put_secrets(anna.id, &secrets("one")).await.unwrap();
    tx.commit().await.unwrap();
    let found = stage.store.operator(&name("anna")).await.unwrap();
    assert!(found == Some((changed, Some(secrets("one")))));
    assert_eq!(stage.store.operators().await.unwrap()[1], bert);
}

pub(super) async fn codes_are_used_once(stage: &Stage) {
    let anna = new("anna", Role::Support);
    add(stage, &anna).await;
    let use_code = async |step| {
        let mut tx = stage.begin().await;
        let is_new = tx.use_code(anna.id, step).await.unwrap();
        tx.commit().await.unwrap();
        is_new
    };
    for (step, expected) in [(10, true), (10, false), (9, false), (11, true), (11, false)] {
        assert_eq!(use_code(step).await, expected, "{step}");
    }
    let at_once = (0..20).map(|_| use_code(12));
    let mut used = 0;
    for is_new in futures::future::join_all(at_once).await {
        used += u32::from(is_new);
    }
    assert_eq!(used, 1, "one of twenty at the same time");
}

pub(super) async fn sessions(stage: &Stage) {
    let anna = new("anna", Role::Support);
    add(stage, &anna).await;
    let tokens = ["one", "two", "three"].map(TokenHash::of);
    for (token, now) in tokens.iter().zip([NOW, NOW + 50, NOW + 100]) {
        let mut tx = stage.begin().await;
        tx.put_desk_session(token, anna.id, now, NOW + 10).await.unwrap();
        tx.commit().await.unwrap();
    }
    let find = async |token: &TokenHash| stage.store.desk_session(token).await.unwrap();
    assert_eq!(find(&tokens[0]).await, None, "sessions that are over are removed");
    let session = DeskSession { created_at: NOW + 50, seen_at: NOW + 50 };
    assert_eq!(find(&tokens[1]).await, Some((anna.clone(), session)));
    for (now, seen_at) in [(NOW + 70, NOW + 70), (NOW + 60, NOW + 70)] {
        let mut tx = stage.begin().await;
        tx.note_desk_session(&tokens[1], now).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(find(&tokens[1]).await.unwrap().1, DeskSession { seen_at, ..session });
    }
    let mut tx = stage.begin().await;
    tx.end_desk_session(&tokens[1]).await.unwrap();
    tx.commit().await.unwrap();
    assert!(find(&tokens[1]).await.is_none() && find(&tokens[2]).await.is_some());
    let mut tx = stage.begin().await;
    tx.change_operator(&Operator { role: Role::Viewer, ..anna.clone() }).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(find(&tokens[2]).await, None, "who is changed signs in again");
}

/// Who reads the database or a backup cannot make codes.
pub(super) async fn codes_are_sealed(stage: &Stage) {
    let anna = new("anna", Role::Support);
    add(stage, &anna).await;
    let put = async |store: &crate::Database| {
        let mut tx = checkout_domain::ports::Store::begin(store).await.unwrap();
        tx.put_secrets(anna.id, &secrets("one")).await.unwrap();
        tx.commit().await.unwrap();
    };
    let stored = async || stage.store.texts("SELECT totp FROM operators").await.remove(0).remove(0).unwrap();
    put(&stage.store).await;
    assert_eq!(stored().await, secrets("one").totp);
    let sealing = stage.store.clone().with_keys(super::sealing::keys(&["1"])).await.unwrap();
    sealing.seal_secrets().await.unwrap();
    assert!(stored().await.starts_with("sealed:v1:"));
    put(&sealing).await;
    assert!(stored().await.starts_with("sealed:v1:"));
    assert!(sealing.operator(&anna.name).await.unwrap().unwrap().1 == Some(secrets("one")));
}

pub(super) async fn the_audit_log_is_append_only(stage: &Stage) {
    let entries: Vec<AuditRecord> = (0..5)
        .map(|place| AuditRecord {
            id: Uuid::now_v7(),
            at: NOW + place,
            operator: "anna".to_owned(),
            client: "127.0.0.1".to_owned(),
            action: "SIGN_IN".to_owned(),
            target: place.to_string(),
            detail: String::new(),
            outcome: "OK".to_owned(),
        })
        .collect();
    for entry in &entries {
        let mut tx = stage.begin().await;
        tx.append_audit(entry).await.unwrap();
        tx.commit().await.unwrap();
    }
    for change in [
        "UPDATE audit_log SET outcome = 'REFUSED'",
        "DELETE FROM audit_log WHERE target = '3'",
        "INSERT INTO audit_log SELECT * FROM audit_log WHERE target = '3'",
    ] {
        assert!(stage.store.apply(query(change)).await.is_err(), "{change}");
    }
    let page = Page { after: None, before: None, descending: true, limit: 3 };
    let read = async |page: Page| -> Vec<AuditRecord> { stage.store.audit(&page).await.unwrap() };
    let newest: Vec<AuditRecord> = entries.iter().rev().cloned().collect();
    assert_eq!(read(page).await, newest[..3]);
    assert_eq!(read(Page { after: Some(newest[2].id), ..page }).await, newest[3..]);
    assert_eq!(read(Page { before: Some(newest[2].id), ..page }).await, newest[..2]);
    assert_eq!(read(Page { descending: false, ..page }).await, entries[..3]);
}
