//! Tokens created and revoked on the command line, while a gateway runs.

use serde_json::{Value, json};

use crate::gateway::{Gateway, on_both, run};

#[test]
fn a_token_is_created_listed_rotated_and_revoked() {
    on_both(tokens);
}

fn tokens(database: &str) {
    let mut gateway = Gateway::sandbox(database, &[]);
    let ask = |arguments: &[&str]| {
        let output = run(&[arguments, &["--database", database]].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap().trim_end().to_owned())
    };
    let business = gateway.ready["businessId"].as_str().unwrap().to_owned();
    let body =
        json!({"clientPaymentId": "a", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "1"});
    let payment = gateway.post("/api/v1/payments", &body)["paymentInfo"]["paymentId"].clone();
    let payment = payment.as_str().unwrap();
    let paths = [format!("/api/v1/businesses/{business}"), format!("/api/v1/payments/{payment}")];
    let mut status = |token: &str, path: usize| {
        gateway.ready["businessToken"] = token.into();
        // Repeats requests, so that a token cache would be used.
        let mut asked = (0..5).map(|_| gateway.call("GET", &paths[path], &Value::Null).0);
        let first = asked.next().unwrap();
        assert!(asked.all(|again| again == first));
        first
    };
    let kinds = [
        (vec!["--organisation"], vec![], 0, 3),
        (vec!["--business", &business], vec!["--business", &business], 0, 2),
        (vec!["--payment", payment], vec!["--payment", payment], 1, 2),
    ];
    for (whose, which, path, count) in kinds {
        let (code, token) = ask(&[&["credential", "create"], whose.as_slice()].concat());
        assert_eq!((code, status(&token, path)), (Some(0), 200), "{whose:?}");
        let listed = ask(&[&["credential", "list", "--json"], which.as_slice()].concat()).1;
        let mut listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
        if which.is_empty() {
            listed.retain(|one| one["kind"] == "organisation");
            assert_eq!(listed.len(), 1, "{listed:?}");
        } else {
            assert_eq!(listed.len(), count, "{listed:?}");
        }
        let (mut works, mut ended) = (200, 0);
        for one in &listed {
            if works == 200 {
                assert_eq!(ask(&["credential", "revoke", one["handle"].as_str().unwrap()]).0, Some(0));
                works = status(&token, path);
                ended += 1;
            }
        }
        assert!(works == 401 && ended >= 1, "{whose:?}: {listed:?}");
    }
    let (_, token) = ask(&["business", "rotate-token", &business]);
    let (_, second) = ask(&["business", "rotate-token", &business, "--overlap-hours", "1"]);
    assert_eq!((status(&token, 0), status(&second, 0)), (200, 200));
    let (_, third) = ask(&["business", "rotate-token", &business]);
    assert_eq!((status(&token, 0), status(&second, 0), status(&third, 0)), (401, 401, 200));
    assert!(ask(&["business", "rotate-secret", &business]).1.starts_with("whsec_"));

    let (_, shop) =
        ask(&["credential", "create", "--business", &business, "--scope", "payments", "--scope", "read"]);
    let (_, desk) = ask(&["business", "rotate-token", &business, "--scope", "withdrawals"]);
    let mut withdraws = |token: &str| {
        gateway.ready["businessToken"] = token.into();
        gateway.call("POST", "/api/v1/withdrawals", &json!({})).0
    };
    assert_eq!((withdraws(&shop), withdraws(&desk), withdraws(&third)), (403, 422, 422));
    let listed = ask(&["credential", "list", "--json", "--business", &business]).1;
    let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
    for scopes in [json!(["payments", "read"]), json!(["withdrawals"]), Value::Null] {
        assert!(
            listed.iter().any(|one| one["scopes"] == scopes && one["endsAt"].is_null()),
            "{scopes}: {listed:?}"
        );
    }

    let nobody = "00000000-0000-0000-0000-000000000000";
    for (arguments, code) in [
        (&["credential", "revoke", "ffffffffffffffff"][..], 1),
        (&["credential", "create", "--business", nobody], 1),
        (&["business", "rotate-token", nobody], 1),
        (&["business", "rotate-secret", nobody], 1),
        (&["credential", "create"], 2),
        (&["credential", "create", "--business", &business, "--scope", "everything"], 2),
        (&["credential", "create", "--payment", payment, "--scope", "read"], 2),
        (&["credential", "create", "--organisation", "--business", nobody], 2),
    ] {
        assert_eq!(ask(arguments).0, Some(code), "{arguments:?}");
    }
}
