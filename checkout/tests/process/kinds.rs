//! A sandbox and a production gateway never share a database.

use serde_json::{Value, json};

use crate::gateway::{Gateway, on_both, run};

fn refused(database: &str, more: &[&str]) -> String {
    let arguments = [&["serve", "--listen", "127.0.0.1:0", "--database", database], more].concat();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(1), "{more:?}");
    assert!(output.stdout.is_empty(), "it must not become ready");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_sandbox_on_a_production_database_is_refused() {
    on_both(|database| {
        Gateway::try_start(database, &[], |_| {}).expect("the gateway gets ready").stop("-TERM");
        assert!(refused(database, &["--sandbox"]).contains("production"));
        Gateway::try_start(database, &[], |_| {}).expect("it is still a production gateway").stop("-TERM");
    });
}

#[test]
fn production_on_a_sandbox_database_is_refused() {
    on_both(|database| {
        Gateway::sandbox(database, &[]).stop("-TERM");
        assert!(refused(database, &[]).contains("--sandbox"));
        Gateway::sandbox(database, &[]).stop("-TERM");
    });
}

#[test]
fn a_token_of_the_sandbox_never_works_in_production() {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = Gateway::start(&folder.path().join("sandbox.db"), &["--sandbox"]);
    let body = json!({"clientPaymentId": "order-1", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "1"});
    let created = sandbox.post("/api/v1/payments", &body);
    let session = created["paymentUrl"].as_str().unwrap().split("sessionToken=").nth(1).unwrap();
    let session = session.split('&').next().unwrap();
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap();
    let mut production = Gateway::start(&folder.path().join("production.db"), &[]);
    for token in [sandbox.ready["businessToken"].as_str().unwrap(), session] {
        production.ready["businessToken"] = json!(token);
        let (status, problem) = production.call("GET", &format!("/api/v1/payments/{id}"), &Value::Null);
        assert_eq!((status, &problem["code"]), (401, &json!("bad_token")));
    }
}
