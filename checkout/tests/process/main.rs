//! The binary as a process: ready line, signals, kill -9, command line.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod backup;
mod brand;
mod callbacks;
mod connections;
mod contract;
mod cost;
mod credentials;
mod database_gone;
mod desk;
mod disk_full;
mod equal_requests;
mod ethereum;
mod event_choice;
mod failover;
mod flagged;
mod gateway;
mod health;
mod json;
mod jsonl;
mod kills;
mod kinds;
mod ledgers;
mod litecoin;
mod no_chains;
mod operations;
mod rates;
mod rehearse;
mod restore;
mod secrets;
mod several;
mod shared_address;
mod support;
mod unserved;
mod untagged;
mod withdrawal_limits;
mod wrong_config;
mod wrong_network;

use std::io::Write as _;

use serde_json::{Value, json};

use gateway::{Gateway, on_both, run};

/// Prints to the log of a passing run; `eprintln!` would be captured.
fn show(figures: &str) {
    std::io::stderr().write_all(format!("{figures}\n").as_bytes()).unwrap();
}

#[test]
fn the_ready_line() {
    let folder = tempfile::tempdir().unwrap();
    let sandbox = Gateway::start(&folder.path().join("a.db"), &["--sandbox", "--shop", "127.0.0.1:0"]);
    for field in ["baseUrl", "businessId", "businessToken", "shopUrl"] {
        assert!(sandbox.ready[field].is_string(), "{field}: {}", sandbox.ready);
    }
    assert_eq!(sandbox.ready["ready"], true);
    assert_ne!(sandbox.ready["baseUrl"], sandbox.ready["shopUrl"], "the shop has its own origin");
    let live = Gateway::start(&folder.path().join("b.db"), &[]);
    assert_eq!(live.ready.as_object().unwrap().len(), 2, "{}", live.ready);
}

#[test]
fn the_gateway_stops_gracefully() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("folder/that/is/made/checkout.db");
    for signal in ["-TERM", "-INT"] {
        assert_eq!(Gateway::start(&database, &["--sandbox"]).stop(signal), Some(0), "{signal}");
    }
}

/// Killed between the transfer and the block, and between the block and the next poll.
#[test]
fn kill_9_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("checkout.db");
    let gateway = Gateway::start(&database, &["--sandbox"]);
    let body = json!({"clientPaymentId": "order-1", "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    let created = gateway.post("/api/v1/payments", &body);
    let id = created["paymentInfo"]["paymentId"].as_str().unwrap().to_owned();
    let (_, patched) =
        gateway.call("PATCH", &format!("/api/v1/payments/{id}"), &json!({"depositCurrency": "BTC"}));
    let info = &patched["paymentInfo"];
    let transfer = json!({
        "network": "BTC", "currency": "BTC", "address": info["walletAddress"], "amount": info["expectedDepositAmount"]
    });
    gateway.post("/sandbox/transfers", &transfer);
    let seen = gateway.payment(&id);
    assert_eq!(seen["status"], "AWAITING");
    let token = gateway.ready["businessToken"].clone();
    gateway.stop("-KILL");

    let gateway = Gateway::start(&database, &["--sandbox"]);
    assert_eq!(gateway.ready["businessToken"], token, "the merchant's token stays valid");
    assert_eq!(gateway.payment(&id), seen);
    gateway.post("/sandbox/blocks", &json!({"network": "BTC", "count": 1}));
    gateway.stop("-KILL");

    let gateway = Gateway::start(&database, &["--sandbox"]);
    assert_eq!(gateway.payment(&id)["status"], "DEPOSITED");
    let (status, again) = gateway.call("POST", "/api/v1/payments", &body);
    assert_eq!((status, &again["paymentInfo"]), (200, &created["paymentInfo"]));
}

#[test]
fn a_port_in_use_is_reported_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = Gateway::start(&folder.path().join("a.db"), &[]);
    let database = format!("sqlite:{}", folder.path().join("b.db").display());
    let output = run(&["serve", "--listen", gateway.base(), "--database", &database]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert!(sentence.contains("is in use") && sentence.lines().count() == 1, "{sentence}");
}

#[test]
fn businesses() {
    on_both(businesses_of);
}

fn businesses_of(database: &str) {
    let create = |more: &[&str]| {
        run(&[&["business", "create", "--database", database, "--json", "--name", "Kettle & Co"], more]
            .concat())
    };
    let made: Value =
        serde_json::from_slice(&create(&["--origin", "https://shop.example", "--theme", "DARK"]).stdout)
            .unwrap();
    assert!(made["token"].as_str().unwrap().starts_with("biz_"));
    assert!(made["callbackSecret"].as_str().unwrap().starts_with("whsec_"));
    let id = made["id"].as_str().unwrap();
    let shown = run(&["business", "show", id, "--database", database]);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!((&shown["name"], &shown["theme"]), (&json!("Kettle & Co"), &json!("DARK")));
    assert_eq!(shown["allowedOrigins"], json!(["https://shop.example"]));
    let settled = [&shown["settlementCryptoCurrency"], &shown["settlementCryptoRatio"]];
    assert_eq!(settled, [&json!("OWN"), &json!("1")], "each deposit in its own coin");
    let list = run(&["business", "list", "--database", database]);
    assert_eq!(String::from_utf8(list.stdout).unwrap(), format!("{id}  Kettle & Co\n"));

    let update = |more: &[&str]| run(&[&["business", "update", id, "--database", database], more].concat());
    let origins = ["--origin", "http://localhost:3000", "--origin", "https://shop.example"];
    let changed = update(
        &[&origins[..], &["--name", "Kettle", "--deposit-callback", "https://shop.example/hook"]].concat(),
    );
    let changed: Value = serde_json::from_slice(&changed.stdout).unwrap();
    assert_eq!((&changed["name"], &changed["theme"]), (&json!("Kettle"), &json!("DARK")));
    assert_eq!(changed["allowedOrigins"], json!(["http://localhost:3000", "https://shop.example"]));
    assert_eq!(changed["depositReceivedCallbackUrl"], "https://shop.example/hook");
    let removed: Value =
        serde_json::from_slice(&update(&["--deposit-callback", "", "--deposit-currencies", "BTC"]).stdout)
            .unwrap();
    assert_eq!(removed.get("depositReceivedCallbackUrl"), None);
    assert_eq!(removed["supportedDepositCurrencies"], json!(["BTC"]));
    let helped = update(&[
        "--support-url",
        "mailto:help@kettle.example?subject={reference}",
        "--instant-deposit-limit",
        "250.5",
    ]);
    let helped: Value = serde_json::from_slice(&helped.stdout).unwrap();
    assert_eq!(helped["supportUrl"], "mailto:help@kettle.example?subject={reference}");
    assert_eq!(helped["instantDepositLimit"], "250.5");
    let none: Value =
        serde_json::from_slice(&update(&["--support-url", "", "--instant-deposit-limit", ""]).stdout)
            .unwrap();
    assert_eq!((&none["supportUrl"], &none["instantDepositLimit"]), (&Value::Null, &Value::Null));
    for disabled in [true, false] {
        let shown = update(&["--disabled", &disabled.to_string()]);
        let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
        assert_eq!(shown["disabled"], disabled);
    }
    for (wrong, code) in [
        (&["--support-url", "help"][..], 2),
        (&["--instant-deposit-limit", "-1"], 2),
        (&["--instant-deposit-limit", "1.001"], 2),
        (&["--origin", "*"], 2),
        (&["--name", "\u{200b}"], 1),
        (&["--deposit-callback", "https://localhost./"], 1),
    ] {
        assert_eq!(update(wrong).status.code(), Some(code), "{wrong:?}");
    }

    let mut gateway = Gateway::try_start(database, &[], |_| {}).expect("the gateway gets ready");
    gateway.ready["businessToken"] = made["token"].clone();
    let (status, business) = gateway.call("GET", &format!("/api/v1/businesses/{id}"), &Value::Null);
    assert_eq!((status, &business["theme"]), (200, &json!("DARK")));

    for wrong in [
        &["--origin", "https://shop.example/path"][..],
        &["--origin", "*"],
        &["--theme", "PINK"],
        &["--deposit-currencies", "BTC,SHIB"],
        &["--display-currencies", "XXX"],
        &["--settlement-ratio", "1.1"],
        &["--overpayment", "KEEP"],
        &["--deposit-callback", "nowhere"],
    ] {
        let output = create(wrong);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{wrong:?}");
    }
    for private in
        ["https://127.0.0.1/hooks", "https://localhost/hooks", "https://localhost./", "https://10.0.0.1/"]
    {
        let output = create(&["--withdrawal-callback", private]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "{private}");
        assert!(said.contains("--withdrawal-callback is not on the public internet"), "{said}");
        assert!(create(&["--sandbox", "--withdrawal-callback", private]).status.success(), "{private}");
    }
    let unknown = run(&["business", "show", "00000000-0000-0000-0000-000000000000", "--database", database]);
    assert_eq!(unknown.status.code(), Some(1));
    if let Some(file) = database.strip_prefix("sqlite:") {
        let rights = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(file).unwrap().permissions());
        assert_eq!(rights & 0o077, 0, "others cannot read the database");
    }
}

#[test]
fn a_read_only_command_does_not_create_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("missing.db");
    let database = format!("sqlite:{}", file.display());
    let id = "00000000-0000-0000-0000-000000000000";
    for command in [
        &["business", "list"][..],
        &["business", "show", id],
        &["business", "update", id, "--name", "x"],
        &["business", "rotate-token", id],
        &["business", "rotate-secret", id],
        &["callbacks", "list"],
        &["callbacks", "show", id],
        &["callbacks", "resend", id],
        &["flagged", "list"],
        &["flagged", "release", id],
        &["flagged", "refuse", id],
        &["untagged", "list"],
        &["untagged", "credit", id, id],
        &["untagged", "refuse", id],
        &["credential", "list"],
        &["credential", "revoke", "0123456789"],
        &["credential", "create", "--business", id],
        &["credential", "create", "--payment", id],
        &["backup", "/nowhere/backup.db"],
        &["restore", "--check"],
        &["restore"],
    ] {
        let output = run(&[command, &["--database", &database]].concat());
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("There is no database"), "{command:?}");
        assert!(!file.exists(), "{command:?}");
    }
}

/// Nodes are checked before the first start.
#[test]
fn a_check_of_the_nodes_makes_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let (file, config) = (folder.path().join("missing.db"), folder.path().join("gateway.toml"));
    std::fs::write(
        &config,
        "[deposit_keys]\nLTC = \"zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs\"\n\
         [chains.LTC]\nurl = \"http://127.0.0.1:9\"\nuser = \"a\"\npassword = \"b\"\nnetwork = \"mainnet\"\n",
    )
    .unwrap();
    let (database, config) = (format!("sqlite:{}", file.display()), config.display().to_string());
    let chains = |more: &[&str]| {
        run(&[&["chains"], more, &["--config", &config, "--database", &database, "--json"]].concat())
    };
    let checked = chains(&["check"]);
    assert_eq!(checked.status.code(), Some(1), "the node does not answer");
    let checks: Value = serde_json::from_slice(&checked.stdout).unwrap();
    let first = (&checks[0]["network"], &checks[0]["level"], &checks[0]["subject"]);
    assert_eq!(first, (&json!("LTC"), &json!("wrong"), &json!("connection")), "{checks}");
    let rescanned = chains(&["rescan", "LTC"]);
    assert!(String::from_utf8_lossy(&rescanned.stderr).contains("There is no database"));
    assert!(!file.exists());
}

#[test]
fn lower_case_codes_are_explained() {
    let output = run(&["validate", "btc", "btc", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("not supported") && said.contains("upper case: BTC on BTC"), "{said}");
}

#[test]
fn a_suggestion_is_shown_with_its_tag() {
    let account = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
    let output = run(&["validate", "XLM", "XLM", &format!("stellar:{account}?memo=hello")]);
    let expected =
        format!("not valid\n  reason: uri_like\n  suggestion: {account}\n  tag: hello\n  memo type: text\n");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn exit_codes() {
    for (arguments, code) in [
        (&["validate", "BTC", "BTC", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"][..], 0),
        (&["validate", "BTC", "BTC", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3"], 1),
        (&["validate", "BTC", "ETH", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"], 1),
        (&["validate", "XRP", "XRP", "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", "--tag", "12345"], 0),
        (&["validate", "XRP", "XRP", "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY", "--tag", "+5"], 1),
        (&["validate", "BTC", "BTC"], 2),
        (&["validate"], 2),
        (&["validate", "--jsonl"], 0),
        (&["currencies"], 0),
        (&["nonsense"], 2),
        (&[], 2),
        (&["serve", "--shop", "127.0.0.1:0"], 2),
        (&["business", "list", "--database", "postgres://localhost/x"], 1),
        (&["business", "list", "--database", "nonsense"], 1),
    ] {
        assert_eq!(run(arguments).status.code(), Some(code), "{arguments:?}");
    }
}
