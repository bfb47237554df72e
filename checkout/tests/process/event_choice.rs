//! The endpoint for typed events on the command line.

use serde_json::{Value, json};

use crate::gateway::{on_both, run};

#[test]
fn a_business_chooses_its_events() {
    on_both(choice_of);
}

fn choice_of(database: &str) {
    let (url, other) = ("https://shop.example/events", "https://shop.example/other");
    let create = ["business", "create", "--database", database, "--json", "--name", "Kettle & Co"];
    let made = run(&[&create[..], &["--event-url", url]].concat());
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    let id = made["id"].as_str().unwrap();
    let shown = || {
        let output = run(&["business", "show", id, "--database", database]);
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
        (shown["eventUrl"].clone(), shown["events"].clone())
    };
    assert_eq!(shown(), (json!(url), json!(["*"])), "all at first");
    let update = |more: &[&str]| run(&[&["business", "update", id, "--database", database], more].concat());
    assert!(update(&["--event", "payment.status", "--event", "deposit.*"]).status.success());
    assert_eq!(shown(), (json!(url), json!(["payment.status", "deposit.*"])));
    assert!(update(&["--event-url", other]).status.success());
    let chosen = shown();
    assert_eq!(chosen, (json!(other), json!(["payment.status", "deposit.*"])), "omitted settings stay");
    for (wrong, code, said) in [
        (["--event", "payment.paid"], 2, "withdrawal.reverted"),
        (["--event", ""], 2, "deposit.*"),
        (["--event-url", "shop"], 2, "--event-url"),
        (["--event-url", "https://localhost./"], 1, "no callback would be sent there"),
    ] {
        let output = update(&wrong);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{wrong:?}: {error}");
        assert!(error.contains(said), "{wrong:?}: {error}");
        assert_eq!(shown(), chosen, "{wrong:?}");
    }
    assert!(update(&["--event-url", ""]).status.success());
    assert_eq!(shown(), (Value::Null, Value::Null));
}
