//! `--json`: one JSON value on one or more lines, and nothing else.

use serde_json::{Value, json};

use crate::gateway::{Gateway, run};

#[test]
fn every_command_prints_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkout.db");
    let gateway = Gateway::start(&file, &["--sandbox"]);
    let body =
        json!({"clientPaymentId": "a", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "1"});
    let payment = gateway.post("/api/v1/payments", &body)["paymentInfo"]["paymentId"].clone();
    let payment = payment.as_str().unwrap().to_owned();
    let database = format!("sqlite:{}", file.display());
    let ask = |arguments: &str| {
        let mut words: Vec<&str> = arguments.split(' ').collect();
        words.push("--json");
        if !matches!(words[0], "validate" | "currencies") {
            words.extend(["--database", &database]);
        }
        let output = run(&words);
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{arguments}: {error}: {}", String::from_utf8_lossy(&output.stdout))
        });
        value
    };
    let check = |arguments: &str, pointer: &str| {
        let value = ask(arguments);
        assert!(value.pointer(pointer).is_some(), "{arguments}: {value} has no {pointer}");
        value
    };
    let business = check("business create --name Kettle", "/token")["id"].as_str().unwrap().to_owned();
    check("business list", "/0/id");
    check(&format!("business show {business}"), "/name");
    check(&format!("business update {business} --name Pot"), "/name");
    check(&format!("business rotate-token {business}"), "/token");
    check(&format!("business rotate-secret {business}"), "/callbackSecret");
    let link = check(&format!("link create --business {business} --title Tea --price 5 --once"), "/url");
    assert_eq!(link["status"], "OPEN", "{link}");
    check(&format!("link list --business {business}"), "/0/linkId");
    let counter = check(&format!("counter create --business {business} --title Stall --max 500"), "/url");
    let url = counter["url"].as_str().unwrap();
    assert!(url.starts_with("http://127.0.0.1:8080/counter#ctr_"), "{counter}");
    let listed = check(&format!("counter list --business {business}"), "/0/counterId");
    assert!(!listed.to_string().contains("ctr_"), "{listed}");
    check(&format!("counter withdraw {}", counter["counterId"].as_str().unwrap()), "/withdrawnAt");
    let withdrawn = check(&format!("link withdraw {}", link["linkId"].as_str().unwrap()), "/withdrawnAt");
    assert_eq!(withdrawn["status"], "WITHDRAWN");
    check("organisation-key", "/token");
    check(&format!("credential create --business {business}"), "/token");
    let listed = check(&format!("credential list --business {business}"), "/0/handle");
    check(&format!("credential revoke {}", listed[0]["handle"].as_str().unwrap()), "/revoked");
    check(&format!("payments show {payment}"), "/paymentInfo/paymentId");
    for empty in [
        "callbacks list",
        "flagged list",
        "untagged list",
        "payouts held",
        "payouts pending",
        "chains pending",
    ] {
        assert_eq!(ask(empty), json!([]), "{empty}");
    }
    check("validate BTC BTC 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "/valid");
    check("currencies", "/0");
    assert_eq!(gateway.stop("-TERM"), Some(0));
    check(&format!("backup {}", folder.path().join("copy.db").display()), "");
    check("restore --check", "");
}
