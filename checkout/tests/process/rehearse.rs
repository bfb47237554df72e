//! `checkout rehearse`: the back ends of `examples/` get full marks, receivers with a fault fail where it shows.

mod receiver;

use std::net::TcpListener;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use self::receiver::{Fault, Receiver};
use crate::gateway::{run, run_with};

const STORIES: usize = 31;

fn rehearse(arguments: &[&str]) -> Output {
    run_with(&[&["rehearse", "--listen", "127.0.0.1:0"], arguments].concat(), |command| {
        for name in ["HOME", "PATH", "TMPDIR"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
    })
}

fn report(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}

/// The names of the stories with this verdict.
fn names<'a>(report: &'a Value, verdict: &str) -> Vec<&'a str> {
    let stories = report["stories"].as_array().unwrap().iter();
    stories.filter(|story| story["verdict"] == verdict).map(|story| story["name"].as_str().unwrap()).collect()
}

#[test]
fn the_python_example_gets_full_marks() {
    example("python3", "merchant.py");
}

#[test]
fn the_node_example_gets_full_marks() {
    example("node", "merchant.mjs");
}

/// The rehearsal starts the back end, which creates its payments at the gateway of the rehearsal.
#[track_caller]
fn example(program: &str, name: &str) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name);
    let shop = format!("http://127.0.0.1:{port}");
    let output = rehearse(&[
        &format!("{shop}/webhooks"),
        "--order-url",
        &format!("{shop}/orders"),
        "--status-url",
        &format!("{shop}/orders/{{clientPaymentId}}"),
        "--json",
        "--",
        program,
        file.to_str().unwrap(),
        &port,
    ]);
    let report = report(&output);
    assert_eq!(names(&report, "passed").len(), STORIES, "{report:#}");
    assert_eq!(output.status.code(), Some(0));
}

/// The sum of a receiver that adds up the callbacks instead of asking the gateway.
const BELIEVES: &[&str] = &["instant", "double-spend", "double-spend-first", "reorganised-first"];

#[test]
fn a_receiver_fails_exactly_where_its_fault_shows() {
    let check = |faults: &[Fault], more: &[&str]| {
        let receiver = Receiver::start(faults);
        let output = rehearse(&[
            &receiver.url("/webhooks"),
            "--status-url",
            &receiver.url("/orders/{clientPaymentId}"),
            "--secret",
            receiver::SECRET,
            "--patience",
            "1",
            "--json",
        ]);
        let report = report(&output);
        let mut expected = [BELIEVES, more].concat();
        let mut failed = names(&report, "failed");
        expected.sort_unstable();
        failed.sort_unstable();
        assert_eq!(failed, expected, "{faults:?}: {report:#}");
        assert_eq!(names(&report, "notGraded"), [""; 0], "{faults:?}");
        assert_eq!(output.status.code(), Some(1), "{faults:?}");
    };
    let forged = ["unsigned", "wrong-signature", "changed-body", "old-timestamp", "ten-megabytes"];
    let in_parts = ["parts", "two-coins", "rest-late", "out-of-order", "small-after-whole"];
    // Without anything that a shop needs: an amount that comes five times is no larger if the last one decides.
    let naive = [&forged[..], &in_parts].concat();
    let rows: [(&[Fault], &[&str]); 10] = [
        (&[], &[]),
        (&[Fault::NoSignature], &forged),
        (&[Fault::NoTime], &["old-timestamp"]),
        (&[Fault::NoDedupe], &["part-five-times", "five-at-once"]),
        (&[Fault::LastWins], &in_parts),
        (&[Fault::OneSignature], &["rotated-secret"]),
        (&[Fault::KnownOrders], &["foreign-order"]),
        (&[Fault::KnownFields], &["new-field"]),
        (&[Fault::KnownEvents], &["unknown-event"]),
        (&[Fault::NoSignature, Fault::NoDedupe, Fault::LastWins], &naive),
    ];
    std::thread::scope(|scope| {
        for (faults, more) in rows {
            scope.spawn(move || check(faults, more));
        }
    });
}

#[test]
fn a_receiver_that_serves_one_request_at_a_time_waits_for_the_slow_one() {
    let receiver = Receiver::start(&[Fault::OneAtATime]);
    let output =
        rehearse(&[&receiver.url("/webhooks"), "--secret", receiver::SECRET, "--story", "slow", "--json"]);
    let report = report(&output);
    assert_eq!(names(&report, "failed"), ["slow"], "{report:#}");
    let reasons = report["stories"][0]["reasons"].to_string();
    assert!(reasons.contains("no answer in 20 seconds"), "{reasons}");
}

#[test]
fn without_a_status_url_what_the_shop_believes_is_not_graded() {
    let receiver = Receiver::start(&[Fault::NoSignature]);
    let output = rehearse(&[&receiver.url("/webhooks"), "--secret", receiver::SECRET, "--json"]);
    let report = report(&output);
    let failed = ["unsigned", "wrong-signature", "changed-body", "old-timestamp", "ten-megabytes"];
    assert_eq!(names(&report, "failed"), failed, "{report:#}");
    let passed = ["lost", "foreign-order", "new-field", "unknown-event", "slow", "rotated-secret"];
    assert_eq!(names(&report, "passed"), passed, "{report:#}");
    assert_eq!(names(&report, "notGraded").len(), STORIES - failed.len() - passed.len());
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_report_says_what_was_wrong_and_where_the_guide_tells_it() {
    let receiver = Receiver::start(&[Fault::NoSignature]);
    let output =
        rehearse(&[&receiver.url("/webhooks"), "--secret", receiver::SECRET, "--story", "wrong-signature"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for expected in [
        "FAILED      wrong-signature",
        "a request signed with another secret was answered with 204; refuse it with 401",
        "See docs/guides/webhooks.md#verify",
        "0 of 1 passed, 1 failed.",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("CHECKOUT_SECRET={}", receiver::SECRET)), "{said}");
}

#[test]
fn wrong_use_is_refused_before_anything_is_sent() {
    for (arguments, code) in [
        (&["rehearse"][..], 2),
        (&["rehearse", "nowhere"], 2),
        (&["rehearse", "http://127.0.0.1:1/", "--status-url", "http://127.0.0.1:1/orders"], 2),
        (&["rehearse", "http://127.0.0.1:1/", "--secret", "secret"], 2),
        (&["rehearse", "http://127.0.0.1:1/", "--order-body", "{"], 2),
        (&["rehearse", "http://127.0.0.1:1/", "--story", "unheard-of"], 2),
        (&["rehearse", "http://127.0.0.1:1/", "--listen", "127.0.0.1:0", "--wait", "0"], 1),
        (&["rehearse", "http://127.0.0.1:1/", "--listen", "127.0.0.1:0", "--", "/nonexistent"], 1),
    ] {
        let output = run(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{arguments:?}");
    }
}

#[test]
fn each_story_names_its_place_in_the_guide() {
    let receiver = Receiver::start(&[]);
    let output =
        rehearse(&[&receiver.url("/webhooks"), "--secret", receiver::SECRET, "--story", "paid", "--json"]);
    let story = &report(&output)["stories"][0];
    assert_eq!(story["guide"], json!("docs/guides/webhooks.md#read"));
}
