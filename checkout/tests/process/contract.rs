//! `checkout contract`: servers that are right keep every row, and a server with a fault breaks the row of that fault alone.

mod double;

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use checkout_test_nodes::serve_as_written;
use checkout_test_support::{Leashed, patience};
use serde_json::{Value, json};

use self::double::{Exchange, Fault, deposit, start};
use crate::gateway::{Gateway, run};

/// Plays these links. `pay` is called once when the program says what to pay. Returns the exit code and the report.
fn contract(arguments: &[&str], pay: impl FnOnce()) -> (Option<i32>, Value) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkout"));
    command.arg("contract").args(arguments).arg("--json");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Leashed::spawn(&mut command).unwrap();
    let said = BufReader::new(process.stderr.take().unwrap());
    let mut pay = Some(pay);
    for line in said.lines() {
        let line = line.unwrap();
        if line.starts_with("Pay now: ")
            && let Some(pay) = pay.take()
        {
            pay();
        }
    }
    let mut report = String::new();
    process.stdout.take().unwrap().read_to_string(&mut report).unwrap();
    (
        process.wait().unwrap().code(),
        serde_json::from_str(&report).unwrap_or_else(|error| panic!("{error}: {report}")),
    )
}

/// What is broken, and the notes.
fn faults(report: &Value) -> String {
    let broken = report["rows"].as_array().unwrap().iter().filter(|row| row["verdict"] == "broken");
    let broken: Vec<String> = broken.map(|row| format!("{}: {}", row["name"], row["reasons"])).collect();
    format!("{}\n{}", broken.join("\n"), report["notes"])
}

/// The rows with this verdict: table and name.
fn rows<'a>(report: &'a Value, verdict: &str) -> Vec<(&'a str, &'a str)> {
    let rows = report["rows"].as_array().unwrap().iter().filter(|row| row["verdict"] == verdict);
    rows.map(|row| (row["table"].as_str().unwrap(), row["name"].as_str().unwrap())).collect()
}

/// The rows of the contract.
const ALL: usize = 45;

#[test]
fn a_server_that_shows_everything_keeps_every_row() {
    let links = start(|_| {});
    let (code, report) = contract(&[&links[0], &links[1], "--watch", "60"], || {});
    assert_eq!((code, rows(&report, "kept").len()), (Some(0), ALL), "{}", faults(&report));
}

#[rustfmt::skip]
const FAULTS: [(&str, &str, Fault); ALL] = [
    ("requests", "GET", |it| if it.has_payment() && it.is_get() { it.status = 401 }),
    ("requests", "GET and PATCH with another token", |it| if it.status == 401 { it.status = 200 }),
    ("requests", "GET of another id", |it| if it.status == 404 && it.payment.is_null() { it.status = 200; it.payment = json!({}) }),
    ("requests", "PATCH of a pair", |it| if it.is_choice_of("XRP") && it.has_payment() { it.status = 422 }),
    ("requests", "the same PATCH again", |it| if it.is_choice_of("BTC") && it.has_payment() && it.chosen == 2 {
        it.payment["walletAddress"] = json!("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq");
    }),
    ("requests", "PATCH of what is no pair", |it| if it.status == 422 { it.status = 200 }),
    ("requests", "GET after a PATCH", |it| if it.is_get() && it.says("PENDING") && it.refused == 0 {
        it.payment["expectedDepositAmount"] = json!("0.00041668");
    }),
    ("requests", "PATCH after a deposit", |it| if it.status == 409 { it.status = 422 }),
    ("requests", "If-None-Match, if you send an ETag", |it| if it.is_get() && it.is_conditional && it.says("PENDING") { it.status = 304 }),
    ("requests", "Date", |it| { it.headers.insert("date", "Thu, 01 Jan 2026 00:00:00 GMT".to_owned()); }),
    ("requests", "PATCH without a rate", |it| if it.is_choice_of("XRP") && it.has_payment() { it.status = 503 }),
    ("requests", "any request, too often", |it| if it.status == 429 {
        it.headers.insert("retry-after", "Thu, 01 Jan 2026 00:00:00 GMT".to_owned());
    }),
    ("requests", "any request", |it| if it.status == 404 { it.status = 500 }),
    ("payment", "paymentId", |it| it.payment["paymentId"] = json!("another")),
    ("payment", "clientPaymentId", |it| it.payment["clientPaymentId"] = json!(null)),
    ("payment", "status", |it| it.payment["status"] = json!("")),
    ("payment", "type", |it| it.payment["type"] = json!(true)),
    ("payment", "rateType", |it| it.payment["rateType"] = json!(null)),
    ("payment", "displayCurrency", |it| it.payment["displayCurrency"] = json!({"code": "EUR"})),
    ("payment", "expirationMinutes", |it| it.payment["expirationMinutes"] = json!("half an hour")),
    ("payment", "paymentInitiatedAt", |it| it.payment["paymentInitiatedAt"] = json!(it.payment["paymentInitiatedAt"].as_u64().unwrap_or(0) * 1_000)),
    ("payment", "expectedDisplayAmount", |it| it.payment["expectedDisplayAmount"] = json!("25,00")),
    ("payment", "depositCurrency, expectedNetwork", |it| if it.says("AWAITING") { it.payment["expectedNetwork"] = json!("TRX") }),
    ("payment", "walletAddress", |it| if it.payment["depositCurrency"] == "BTC" {
        it.payment["walletAddress"] = json!("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5");
    }),
    ("payment", "expectedDepositAmount", |it| if it.payment["depositCurrency"] == "BTC" { it.payment["expectedDepositAmount"] = json!("0.000416671") }),
    ("payment", "destinationTag", |it| it.payment["destinationTag"] = json!(null)),
    ("payment", "paymentRequestedAt", |it| if it.says("PENDING") { it.payment["paymentRequestedAt"] = json!(1_767_225_600) }),
    ("payment", "deposits", |it| it.payment["deposits"] = json!({})),
    ("payment", "actualDepositAmount, actualDisplayAmount", |it| it.payment["actualDepositAmount"] = json!(1e-9)),
    ("payment", "locale", |it| it.payment["locale"] = json!(["en-US"])),
    ("payment", "redirectUrl", |it| it.payment["redirectUrl"] = json!("javascript:alert(1)")),
    ("payment", "overpaymentPolicy, refundFollowUpDepositsForOneTimePayments", |it| {
        it.payment["refundFollowUpDepositsForOneTimePayments"] = json!("true");
    }),
    ("status", "NEW", |it| if it.says("NEW") { it.payment["deposits"] = json!([deposit()]) }),
    ("status", "PENDING", |it| if it.says("PENDING") { it.payment["status"] = json!("NEW") }),
    ("status", "AWAITING", |it| if it.says("AWAITING") { it.payment["deposits"] = json!([]) }),
    ("status", "DEPOSITED, OVERPAID", |it| if it.says("OVERPAID") { it.payment["deposits"] = json!(null) }),
    ("status", "EXPIRED", |it| if it.says("AWAITING") { it.payment["status"] = json!("EXPIRED") }),
    ("deposit", "id, depositAmount, depositCurrency, depositReceivedAt, displayAmount, displayCurrency, toAddress, transactionId", |it| if it.says("OVERPAID") {
        it.payment["deposits"][0]["depositAmount"] = json!("0.000520001");
    }),
    ("deposit", "status", |it| if it.says("AWAITING") { it.payment["deposits"][0]["status"] = json!("SEEN") }),
    ("deposit", "fromAddress, onChainFee", |it| if it.says("OVERPAID") { it.payment["deposits"][0]["onChainFee"] = json!("little") }),
    ("deposit", "refund", |it| if it.says("OVERPAID") { it.payment["deposits"][0]["refund"]["displayAmount"] = json!("-6.00") }),
    ("origin", "Access-Control-Allow-Origin", |it| if it.status == 401 { it.headers.remove("access-control-allow-origin"); }),
    ("origin", "Access-Control-Allow-Methods", |it| { it.headers.insert("access-control-allow-methods", "GET, POST".to_owned()); }),
    ("origin", "Access-Control-Allow-Headers", |it| { it.headers.insert("access-control-allow-headers", "*".to_owned()); }),
    ("extensions", "X-Server-Time", |it| { it.headers.insert("x-server-time", "1767225600".to_owned()); }),
];

#[test]
fn a_server_breaks_the_row_of_its_fault_alone() {
    let check = |table: &str, name: &str, fault: fn(&mut Exchange)| {
        let links = start(fault);
        let (code, report) = contract(&[&links[0], "--watch", "15"], || {});
        let broken = rows(&report, "broken");
        assert_eq!((broken, code), (vec![(table, name)], Some(1)), "{}", faults(&report));
    };
    let links = start(|_| {});
    let (_, report) = contract(&[&links[0]], || {});
    let all: BTreeSet<_> =
        ["kept", "broken", "notShown"].iter().flat_map(|verdict| rows(&report, verdict)).collect();
    let faults: BTreeSet<_> = FAULTS.iter().map(|(table, name, _)| (*table, *name)).collect();
    assert_eq!(faults, all, "each row has a fault");
    std::thread::scope(|scope| {
        for (table, name, fault) in FAULTS {
            scope.spawn(move || check(table, name, fault));
        }
    });
}

#[test]
fn a_server_that_takes_one_choice_is_graded_with_a_payment_for_each_pair() {
    let links = || {
        start(|it| {
            if it.is_choice_of("XRP") && it.has_payment() {
                it.status = 409;
            }
        })
    };
    let tag = ("payment", "destinationTag");
    let check = |arguments: &[&str], has_tag: bool| {
        let (code, report) = contract(arguments, || {});
        assert_eq!((code, rows(&report, "broken")), (Some(0), vec![]), "{}", faults(&report));
        assert_eq!(rows(&report, "kept").contains(&tag), has_tag, "{}", faults(&report));
        let is_left = report["notes"].to_string().contains("not chosen: XRP.XRP");
        assert_eq!(is_left, !has_tag, "{}", faults(&report));
    };
    let both = links();
    check(&[&both[0], &both[1]], true);
    check(&[&links()[0]], false);
}

/// The rows that a right server keeps, whatever else it has.
const REQUIRED: [&str; 18] = [
    "GET",
    "GET and PATCH with another token",
    "GET of another id",
    "PATCH of a pair",
    "the same PATCH again",
    "PATCH of what is no pair",
    "GET after a PATCH",
    "paymentId",
    "clientPaymentId",
    "status",
    "type",
    "rateType",
    "displayCurrency",
    "expirationMinutes",
    "paymentInitiatedAt",
    "depositCurrency, expectedNetwork",
    "walletAddress",
    "expectedDepositAmount",
];

/// What a transfer shows.
const PAID: [&str; 4] = [
    "PATCH after a deposit",
    "DEPOSITED, OVERPAID",
    "id, depositAmount, depositCurrency, depositReceivedAt, displayAmount, displayCurrency, toAddress, transactionId",
    "fromAddress, onChainFee",
];

/// What a page of another origin needs.
const ELSEWHERE: [&str; 3] =
    ["Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers"];

#[track_caller]
fn is_right(report: &Value, code: Option<i32>, more: &[&str]) {
    assert_eq!(code, Some(0), "{}", faults(report));
    assert_eq!(rows(report, "broken"), [], "{}", faults(report));
    let kept: BTreeSet<&str> = rows(report, "kept").into_iter().map(|(_, name)| name).collect();
    for name in REQUIRED.iter().chain(&PAID).chain(more) {
        assert!(kept.contains(name), "{name}: {}", faults(report));
    }
}

/// A server of the kit's journeys, whose page is nowhere. Its operator says what has come.
fn other_server_is_right(api: &str, pairs: &[&str]) {
    let http = ureq::Agent::config_builder().timeout_global(Some(patience())).build();
    let http = ureq::Agent::from(http);
    let order = json!({"clientPaymentId": "order-1", "displayCurrency": "EUR", "displayAmount": "25.00"});
    let mut created = http.post(format!("{api}/api/v1/payments")).send_json(&order).unwrap();
    let created: Value = created.body_mut().read_json().unwrap();
    let (id, link) =
        (created["paymentInfo"]["paymentId"].as_str().unwrap(), created["paymentUrl"].as_str().unwrap());
    let pairs: Vec<&str> = pairs.iter().flat_map(|pair| ["--pair", pair]).collect();
    let (code, report) = contract(&[&[link, "--api", api, "--watch", "60"], &pairs[..]].concat(), || {
        let put = |facts: Value| {
            http.put(format!("{api}/payments/{id}")).send_json(&facts).unwrap();
        };
        put(json!({"status": "AWAITING", "deposits": [deposit()]}));
        std::thread::sleep(std::time::Duration::from_secs(3));
        let mut confirmed = deposit();
        confirmed["status"] = json!("CONFIRMED");
        put(json!({"status": "DEPOSITED", "deposits": [confirmed]}));
    });
    is_right(&report, code, &[&ELSEWHERE[..], &["destinationTag"]].concat());
}

const PAGE: &str = "http://127.0.0.1:9/pay/";

/// The pairs of the three servers, of which Bitcoin is paid.
const PAIRS: [&str; 5] = ["BTC.BTC", "LTC.LTC", "USDT.ETH", "USDT.TRX", "XRP.XRP"];

#[test]
fn the_example_in_node_keeps_the_contract() {
    example("node", "server.mjs");
}

#[test]
fn the_example_in_python_keeps_the_contract() {
    example("python3", "server.py");
}

fn example(program: &str, name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/kit").join(name);
    let mut command = Command::new(program);
    command.arg(file).args(["0", PAGE]).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut process = Leashed::spawn(&mut command).unwrap();
    let mut api = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut api).unwrap();
    other_server_is_right(api.trim_end(), &PAIRS);
}

#[test]
fn a_server_with_every_spelling_of_the_interface_keeps_the_contract() {
    other_server_is_right(&serve_as_written(PAGE), &PAIRS);
}

#[test]
fn our_own_gateway_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = Gateway::start(&folder.path().join("checkout.db"), &["--sandbox"]);
    let order = json!({"clientPaymentId": "order-1", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "25"});
    let created = gateway.post("/api/v1/payments", &order);
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap();
    let link = created["paymentUrl"].as_str().unwrap();
    let (code, report) = contract(&[link, "--pair", "BTC.BTC", "--pair", "XRP.XRP", "--watch", "60"], || {
        let payment = gateway.payment(id);
        let transfer = json!({
            "network": "BTC", "currency": "BTC", "address": payment["walletAddress"], "amount": payment["expectedDepositAmount"],
        });
        gateway.post("/sandbox/transfers", &transfer);
        gateway.post("/sandbox/blocks", &json!({"network": "BTC", "count": 1}));
    });
    is_right(
        &report,
        code,
        &["destinationTag", "X-Server-Time", "If-None-Match, if you send an ETag", "Date"],
    );
}

#[test]
fn the_report_says_what_is_broken_and_what_the_page_does_with_it() {
    let links = start(|it| it.payment["expectedDisplayAmount"] = json!("25,00"));
    let output = run(&["contract", &links[0]]);
    let text = String::from_utf8(output.stdout).unwrap();
    for expected in [
        "BROKEN      expectedDisplayAmount  the price\n            - GET: expectedDisplayAmount is \"25,00\", and no amount",
        "kept        walletAddress  checked by the core for this network; a refused one is never shown",
        "not shown   AWAITING  the transfer was seen",
        " of 45 kept, 1 broken, ",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(double::NEW) && !(said + &text).contains("sessionToken"), "the token stays secret");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn wrong_use_of_a_contract_is_refused_before_anything_is_asked() {
    let link = "http://127.0.0.1:1/?paymentId=1&sessionToken=a";
    for (arguments, code) in [
        (&["contract"][..], 2),
        (&["contract", "http://127.0.0.1:1/"], 2),
        (&["contract", "http://127.0.0.1:1/?paymentId=1"], 2),
        (&["contract", link, "--pair", "BTC.ETH"], 2),
        (&["contract", link, "--origin", "shop"], 2),
        (&["contract", link, "--watch", "0"], 2),
        (&["contract", link, "--api", "nowhere"], 2),
    ] {
        let output = run(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{arguments:?}");
    }
    let output = run(&["contract", link, "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows(&report, "broken"), [("requests", "any request")]);
    assert_eq!((output.status.code(), rows(&report, "kept").len()), (Some(1), 0), "nobody answers");
}
