//! An operator who decides every flagged deposit and approves refunds by command line. Each decision is a separate process, with
//! or without a running gateway, and some are killed at their commit.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use checkout_test_support::patience;
use serde_json::Value;

use super::KILLED;
use crate::gateway::{run, run_with};

/// A refund that waits for an approval, as it was shown.
pub(super) struct Seen {
    pub(super) id: String,
    pub(super) address: String,
    pub(super) amount: String,
}

pub(super) struct Operator {
    database: String,
    /// For each deposit, whether it was released.
    pub(super) decisions: BTreeMap<String, bool>,
    pub(super) killed: u64,
    approved: u64,
}

impl Operator {
    pub(super) fn new(database: &str) -> Self {
        Self { database: database.to_owned(), decisions: BTreeMap::new(), killed: 0, approved: 0 }
    }

    /// Releases every other deposit.
    pub(super) fn decide_all(&mut self) {
        for deposit in self.list("FLAGGED") {
            let number = self.decisions.len();
            let decision = if number.is_multiple_of(2) { "release" } else { "refuse" };
            let arguments = ["flagged", decision, &deposit, "--database", &self.database];
            if number % 4 < 2 {
                // The decision may or may not have been stored, so it is repeated.
                let point = if number % 8 < 4 { "commit.before/1" } else { "commit.after/1" };
                let ended = run_with(&arguments, |command| {
                    command.env("CHECKOUT_KILL_AT", point);
                });
                assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ended.status), KILLED);
                self.killed += 1;
                let again = run(&arguments).status.code();
                assert!(again == Some(0) || (point == "commit.after/1" && again == Some(1)), "{again:?}");
            } else {
                let done = run(&arguments);
                assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
            }
            self.decisions.insert(deposit, decision == "release");
        }
    }

    /// Lets refunds go. Every other process is killed at its commit.
    pub(super) fn approve(&mut self, refunds: &mut Vec<Seen>) {
        for Seen { id, address, amount } in refunds.drain(..) {
            let seen = ["--to", &address, "--amount", &amount, "--database", &self.database];
            let arguments = [["payouts", "approve", &id].as_slice(), &seen].concat();
            self.approved += 1;
            if self.approved.is_multiple_of(2) {
                let point = if self.approved % 4 < 2 { "commit.before/1" } else { "commit.after/1" };
                let ended = run_with(&arguments, |command| {
                    command.env("CHECKOUT_KILL_AT", point);
                });
                assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ended.status), KILLED);
                self.killed += 1;
                if point == "commit.after/1" {
                    continue;
                }
            }
            let done = run(&arguments);
            assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        }
    }

    /// Decides the remaining deposits and waits until the gateway has applied all decisions.
    pub(super) fn finish(&mut self) {
        let started = Instant::now();
        loop {
            self.decide_all();
            if self.list("RELEASING").is_empty() && self.list("REFUSING").is_empty() {
                return;
            }
            assert!(started.elapsed() < patience(), "decisions were not applied in time");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn list(&self, state: &str) -> Vec<String> {
        let listed = run(&[
            "flagged",
            "list",
            "--json",
            "--limit",
            "100",
            "--state",
            state,
            "--database",
            &self.database,
        ]);
        let rows: Vec<Value> = serde_json::from_slice(&listed.stdout).unwrap();
        rows.iter().map(|row| row["depositId"].as_str().unwrap().to_owned()).collect()
    }
}
