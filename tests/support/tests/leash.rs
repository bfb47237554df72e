//! What a test started ends with it, also when the test is killed and when the process has started others.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use checkout_test_support::{Leashed, patience};

/// Set for the run of a test that is killed.
const KILLED: &str = "CHECKOUT_TEST_KILLED";

/// A process that starts another one, prints both process ids, and never ends.
const FAMILY: &str = "sleep 1000 & echo $$ $!; wait";

fn family() -> (Leashed, Vec<String>) {
    let mut parent = Leashed::spawn(Command::new("sh").args(["-c", FAMILY]).stdout(Stdio::piped())).unwrap();
    let mut line = String::new();
    BufReader::new(parent.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (parent, line.split_whitespace().map(str::to_owned).collect())
}

fn is_running(id: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", id]).output().unwrap();
    let state = String::from_utf8(state.stdout).unwrap();
    !state.trim().is_empty() && !state.starts_with('Z')
}

#[track_caller]
fn until_ended(ids: &[String]) {
    let started = Instant::now();
    while ids.iter().any(|id| is_running(id)) {
        assert!(started.elapsed() < patience(), "{ids:?} are running");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_dropped_process_takes_its_children_along() {
    let ((first, ids), (second, others)) = (family(), family());
    assert_eq!(ids.len(), 2);
    assert!(ids.iter().chain(&others).all(|id| is_running(id)));
    drop(first);
    until_ended(&ids);
    assert!(others.iter().all(|id| is_running(id)));
    drop(second);
    until_ended(&others);
}

#[test]
fn a_killed_test_takes_its_processes_along() {
    if std::env::var_os(KILLED).is_some() {
        let (_family, ids) = family();
        writeln!(std::io::stdout(), "family {}", ids.join(" ")).unwrap();
        sleep(2 * patience());
    }
    // This program again, as the test that is killed.
    let mut test = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_killed_test_takes_its_processes_along", "--nocapture"])
        .env(KILLED, "yes")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(test.stdout.take().unwrap()).lines().map_while(Result::ok);
    let line = lines.find_map(|line| Some(line.split_once("family ")?.1.to_owned())).unwrap();
    let ids: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    assert!(ids.len() == 2 && ids.iter().all(|id| is_running(id)), "{line}");
    // SIGKILL: nothing of the test runs any more.
    test.kill().unwrap();
    test.wait().unwrap();
    until_ended(&ids);
}
