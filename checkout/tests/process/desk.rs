//! The desk on a listener of its own, with operators from the command line.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;

use checkout_gateway::service::access::passwords::code_at;
use serde_json::{Value, json};

use crate::gateway::{Gateway, on_both, run};

fn ask(database: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(&[&["operator"], arguments, &["--database", database]].concat());
    let said = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.code(), String::from_utf8(said).unwrap().trim_end().to_owned())
}

/// Status, cookie and body of a request to the desk.
fn call(url: &str, method: &str, path: &str, headers: &str, body: &Value) -> (u16, Option<String>, Value) {
    let host = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let body = body.to_string();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         {headers}Content-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = cookie.and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, cookie, serde_json::from_str(body).unwrap_or(Value::Null))
}

#[expect(clippy::disallowed_methods, reason = "as the operator's phone")]
fn code(otpauth: &str, ahead: u64) -> String {
    let key = otpauth.split("secret=").nth(1).unwrap().split('&').next().unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    code_at(key, now.as_secs() + ahead).unwrap()
}

#[test]
fn operators_are_added_sign_in_and_are_locked_out() {
    on_both(operators);
}

fn operators(database: &str) {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("checkout.toml");
    std::fs::write(&config, "[desk]\nlisten = \"127.0.0.1:0\"\n").unwrap();
    let gateway = Gateway::sandbox(database, &["--config", config.to_str().unwrap()]);
    let url = gateway.ready["deskUrl"].as_str().unwrap();
    assert_ne!(url, gateway.ready["baseUrl"].as_str().unwrap());

    let (_, made) = ask(database, &["add", "Anna", "--role", "support", "--json"]);
    let made: Value = serde_json::from_str(&made).unwrap();
    assert_eq!(made["name"], "anna");
    let (password, otpauth) = (made["password"].as_str().unwrap(), made["otpauth"].as_str().unwrap());
    assert!(otpauth.starts_with("otpauth://totp/Crypto%20Checkout:anna?secret="), "{otpauth}");
    assert_eq!(
        ask(database, &["add", "anna", "--role", "viewer"]),
        (Some(1), "checkout: The name anna is taken.".to_owned())
    );
    assert_eq!(ask(database, &["add", "two words", "--role", "viewer"]).0, Some(2));
    assert_eq!(ask(database, &["add", "bert", "--role", "root"]).0, Some(2));

    let body = json!({"name": "anna", "password": password, "code": code(otpauth, 0)});
    let (status, cookie, view) = call(url, "POST", "/desk/session", "", &body);
    assert_eq!((status, view["operator"]["role"].as_str()), (200, Some("support")), "{view}");
    let cookie = format!("Cookie: {}\r\n", cookie.unwrap());
    let payments =
        format!("/desk/gateway/api/v1/payments?businessId={}", gateway.ready["businessId"].as_str().unwrap());
    let status = || call(url, "GET", &payments, &cookie, &Value::Null).0;
    assert_eq!(status(), 200);
    assert_eq!(ask(database, &["disable", "anna"]), (Some(0), "Changed.".to_owned()));
    assert_eq!(status(), 401, "at once");
    assert_eq!(ask(database, &["enable", "anna"]).0, Some(0));
    let (_, made) = ask(database, &["reset-password", "anna", "--json"]);
    let made: Value = serde_json::from_str(&made).unwrap();
    let otpauth = made["otpauth"].as_str().unwrap();
    let old = json!({"name": "anna", "password": password, "code": code(otpauth, 0)});
    assert_eq!(call(url, "POST", "/desk/session", "", &old).0, 401);
    let new = json!({"name": "anna", "password": made["password"], "code": code(otpauth, 0)});
    assert_eq!(call(url, "POST", "/desk/session", "", &new).0, 200);
    assert_eq!(ask(database, &["disable", "nobody"]).0, Some(1));

    let (_, listed) = ask(database, &["list", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!((listed[0]["name"].as_str(), listed[0]["disabled"].as_bool()), (Some("anna"), Some(false)));
    let (_, audit) = ask(database, &["audit", "--json"]);
    let audit: Vec<Value> = audit.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut actions: Vec<&str> = audit.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    actions.sort_unstable();
    let expected = [
        "ADD_OPERATOR",
        "CHANGE_OPERATOR",
        "CHANGE_OPERATOR",
        "RESET_PASSWORD",
        "SIGN_IN",
        "SIGN_IN",
        "SIGN_IN",
    ];
    assert_eq!(actions, expected);
}

#[test]
fn a_chosen_password_is_read_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("checkout.db").display());
    drop(Gateway::sandbox(&database, &[]));
    for (line, expected) in [("short\n", 1), ("correct horse battery\n", 0)] {
        let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_checkout"))
            .args([
                "operator",
                "add",
                "anna",
                "--role",
                "viewer",
                "--password-stdin",
                "--database",
                &database,
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        process.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
        let output = process.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(expected), "{line:?}");
        assert!(!String::from_utf8(output.stdout).unwrap().contains(line.trim()), "it is not shown");
    }
}

#[test]
fn without_a_setting_there_is_no_desk() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = Gateway::start(&folder.path().join("a.db"), &[]);
    assert!(gateway.ready.get("deskUrl").is_none(), "{}", gateway.ready);
    assert!(gateway.text("/desk/session").contains("not_found"));
}
