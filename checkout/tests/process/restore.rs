//! `checkout backup` and `checkout restore`: what is no complete backup is refused, and whatever interrupts a restore,
//! no gateway serves a database that is not prepared.

mod killed;
mod refused;
mod replaced;
mod unprepared;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::gateway::{Gateway, run};
use crate::kills::books::read;

/// A folder with a database, its backup, and addresses that were given out before and after the backup.
struct Loss {
    folder: tempfile::TempDir,
    given: BTreeSet<String>,
}

impl Loss {
    fn new() -> Self {
        Self::of(3)
    }

    /// The backup has this many payments.
    fn of(payments: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut loss = Self { folder, given: BTreeSet::new() };
        let database = loss.url("old.db");
        let gateway = Gateway::sandbox(&database, &[]);
        loss.given.extend((0..payments).map(|number| address(&gateway, &format!("early-{number}"))));
        waiting_payout(&loss.path("old.db"));
        let backup = loss.path("backup.db").display().to_string();
        said(&["backup", &backup, "--database", &database], 0);
        loss.given.extend((0..5).map(|number| address(&gateway, &format!("late-{number}"))));
        assert_eq!(gateway.stop("-TERM"), Some(0));
        loss
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn url(&self, name: &str) -> String {
        format!("sqlite:{}", self.text(name))
    }

    /// Names of the files and folders, in order.
    fn names(&self) -> Vec<String> {
        names(self.folder.path())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let found =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    found.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Quotes bitcoin for a new payment. Returns its address.
fn address(gateway: &Gateway, order: &str) -> String {
    let body = json!({"clientPaymentId": order, "locale": "en-US", "displayCurrency": "EUR", "displayAmount": "100"});
    let created = gateway.post("/api/v1/payments", &body);
    let path = format!("/api/v1/payments/{}", created["paymentInfo"]["paymentId"].as_str().unwrap());
    let (status, quoted) = gateway.call("PATCH", &path, &json!({"depositCurrency": "BTC"}));
    assert_eq!(status, 200, "{quoted}");
    quoted["paymentInfo"]["walletAddress"].as_str().unwrap().to_owned()
}

/// A payout on a network whose payouts are all held after a restore.
fn waiting_payout(database: &Path) {
    let payout = "INSERT INTO payouts (id, business, kind, currency, network, amount, to_address, state, created_at)
        SELECT '01890000-0000-7000-8000-00000000000a', id, 'REFUND', 'USDT', 'TRX', '1', 'x', 'WAITING', 1 FROM businesses";
    change(database, payout);
}

fn change(database: &Path, sql: &'static str) {
    read(&format!("sqlite:{}?mode=rwc", database.display()), sql);
}

/// Runs a command. Returns everything that it printed.
#[track_caller]
fn said(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    text
}

#[track_caller]
fn check(arguments: &[&str], code: i32, expected: &str) {
    let text = said(arguments, code);
    assert!(text.contains(expected), "{arguments:?}: {text}");
}

/// The reason why a gateway does not start, or `None` if it gets ready.
fn refusal(database: &str) -> Option<String> {
    if let Some(gateway) = Gateway::try_start(database, &["--sandbox"], |command| {
        command.stderr(std::process::Stdio::null());
    }) {
        assert_eq!(gateway.stop("-KILL"), None);
        return None;
    }
    let arguments = ["serve", "--sandbox", "--listen", "127.0.0.1:0", "--database", database];
    Some(String::from_utf8(run(&arguments).stderr).unwrap())
}

fn held(database: &str) -> Vec<Value> {
    serde_json::from_slice(&run(&["payouts", "held", "--json", "--database", database]).stdout).unwrap()
}
