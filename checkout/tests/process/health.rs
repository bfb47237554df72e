//! Health for a supervisor: beside a crowd, a database that comes late, one that is gone or damaged.

use std::net::TcpStream;
use std::os::unix::fs::{FileExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use checkout_test_postgres::database;
use serde_json::{Value, json};

use crate::gateway::Gateway;
use crate::operations::{free, get};
use crate::support::eventually;

fn order(gateway: &Gateway, name: &str) -> (u16, Value) {
    let body =
        json!({"clientPaymentId": name, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    gateway.call("POST", "/api/v1/payments", &body)
}

fn code(answer: &(u16, Value)) -> (u16, &str) {
    (answer.0, answer.1["code"].as_str().unwrap_or_default())
}

const STORE_UNAVAILABLE: (u16, &str) = (503, "store_unavailable");

/// Every connection of the main listener is taken, and those that are kept for health checks, too.
#[test]
fn a_crowd_does_not_make_the_gateway_look_dead() {
    let folder = tempfile::tempdir().unwrap();
    let (metrics, config) = (free(), folder.path().join("gateway.toml"));
    std::fs::write(&config, "[limits]\nconnections = 4\nconnections_per_client = 4\n").unwrap();
    let more = ["--sandbox", "--metrics", &metrics, "--config", config.to_str().unwrap()];
    let gateway = Gateway::start(&folder.path().join("a.db"), &more);
    for _ in 0..3 {
        let crowd: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(gateway.base()).unwrap()).collect();
        for path in ["/healthz", "/readyz"] {
            let answer = get(&metrics, path);
            assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        }
        drop(crowd);
    }
    assert!(get(&metrics, "/checkout").starts_with("HTTP/1.1 404"), "it serves nothing else");
}

/// After a reboot PostgreSQL may be minutes later than the gateway. Its socket appears while the gateway waits.
#[test]
fn the_start_waits_for_postgresql() {
    let url = database();
    let (before, query) = url.split_once('?').expect("the server is on a socket");
    let (folder, rest) = query.strip_prefix("host=").map_or_else(
        || panic!("the server is on a socket: {query}"),
        |host| host.split_once('&').unwrap_or((host, "")),
    );
    let later = tempfile::tempdir().unwrap();
    let socket = later.path().join("socket");
    let late = format!("{before}?host={}&{rest}", socket.display());
    let mut process = Command::new(env!("CARGO_BIN_EXE_checkout"))
        .args(["serve", "--sandbox", "--listen", "127.0.0.1:0", "--database", late.trim_end_matches('&')])
        .env_clear()
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert!(process.try_wait().unwrap().is_none(), "it gave up");
    symlink(folder.replace("%2F", "/").replace("%2f", "/"), &socket).unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(process.stdout.take().unwrap()), &mut line)
        .unwrap();
    process.kill().unwrap();
    let output = process.wait_with_output().unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(line.contains("\"ready\":true"), "{line} {log}");
    assert!(log.contains("the database does not answer"), "{log}");
}

/// A wrong name is no outage: it is reported at once.
#[test]
fn a_missing_database_is_reported_at_once() {
    let url = database().replace("checkout_test", "checkout_missing");
    let output = crate::gateway::run(&["serve", "--sandbox", "--listen", "127.0.0.1:0", "--database", &url]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A gateway whose tables are in the file, and not only in its log.
fn settled(path: &Path) -> Gateway {
    let gateway = Gateway::start(path, &["--sandbox"]);
    for number in 0..20 {
        assert_eq!(order(&gateway, &format!("before-{number}")).0, 201);
    }
    assert_eq!(gateway.stop("-TERM"), Some(0));
    Gateway::start(path, &["--sandbox"])
}

/// An accident of the file of a running gateway.
fn harm(name: &str, act: impl Fn(&PathBuf)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkout.db");
    let gateway = settled(&path);
    assert_eq!(gateway.call("GET", "/readyz", &Value::Null).0, 200);
    act(&path);
    let mut number = 0;
    eventually(name, || {
        number += 1;
        code(&order(&gateway, &format!("after-{number}"))) == STORE_UNAVAILABLE
    });
    eventually(name, || code(&gateway.call("GET", "/readyz", &Value::Null)) == STORE_UNAVAILABLE);
    for number in 0..20 {
        let answer = order(&gateway, &format!("later-{number}"));
        assert_eq!(code(&answer), STORE_UNAVAILABLE, "{name}: {}", answer.1);
    }
    assert_eq!(gateway.call("GET", "/healthz", &Value::Null).0, 200, "{name}");
    gateway.stop("-KILL");
}

#[test]
fn nothing_is_acknowledged_into_a_file_that_is_gone() {
    harm("removed", |path| std::fs::remove_file(path).unwrap());
    harm("replaced", |path| {
        let copy = path.with_extension("copy");
        std::fs::copy(path, &copy).unwrap();
        std::fs::rename(copy, path).unwrap();
    });
    harm("emptied", |path| drop(std::fs::File::create(path).unwrap()));
}

#[test]
fn nothing_is_written_to_a_damaged_file() {
    let spoil = |path: &PathBuf, from: u64| {
        let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
        let length = file.metadata().unwrap().len();
        file.write_all_at(&vec![0xa5; usize::try_from(length - from).unwrap()], from).unwrap();
    };
    harm("the header", |path| spoil(path, 0));
    harm("everything behind the header", |path| spoil(path, 4_096));
}

#[test]
fn a_crash_leaves_no_image_of_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = Gateway::start(&folder.path().join("a.db"), &[]);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", gateway.id())).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    let words: Vec<&str> = core.split_whitespace().collect();
    assert_eq!(words[4..6], ["0", "0"], "{core}");
    let unit = include_str!("../../../packaging/checkout.service");
    assert!(unit.lines().any(|line| line == "LimitCORE=0"), "the unit forbids it before the program starts");
}
