//! The binary as a separate process.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use checkout_test_postgres::schema;
use checkout_test_support::{Leashed, patience};
use serde_json::Value;

use crate::support::eventually;

fn checkout() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkout"));
    command.env_clear().env("CHECKOUT_LOG", "error");
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    run_with(arguments, |_| {})
}

pub(crate) fn run_with(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Output {
    let mut command = checkout();
    change(&mut command);
    command.args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Runs the test on an empty database of each store and passes its URL.
pub(crate) fn on_both(test: impl Fn(&str)) {
    let folder = tempfile::tempdir().unwrap();
    test(&format!("sqlite:{}", folder.path().join("checkout.db").display()));
    test(&schema());
}

pub(crate) struct Gateway {
    process: Leashed,
    pub(crate) ready: Value,
}

impl Gateway {
    pub(crate) fn start(database: &Path, more: &[&str]) -> Self {
        Self::start_with(database, more, |_| {})
    }

    pub(crate) fn start_with(database: &Path, more: &[&str], change: impl FnOnce(&mut Command)) -> Self {
        let url = format!("sqlite:{}", database.display());
        Self::try_start(&url, more, change).expect("the gateway gets ready")
    }

    /// Starts a gateway with simulated chains, on either store.
    pub(crate) fn sandbox(database: &str, more: &[&str]) -> Self {
        Self::try_start(database, &[&["--sandbox"], more].concat(), |_| {}).expect("the gateway gets ready")
    }

    /// Returns `None` if the process ends before it is ready.
    pub(crate) fn try_start(
        database: &str,
        more: &[&str],
        change: impl FnOnce(&mut Command),
    ) -> Option<Self> {
        let mut command = checkout();
        change(&mut command);
        Self::launch(command, database, more)
    }

    /// Starts the gateway in a shell script that ends with `exec "$0" "$@"`.
    pub(crate) fn start_in_shell(script: &str, database: &str, more: &[&str]) -> Self {
        let mut command = Command::new("sh");
        command.env_clear().env("CHECKOUT_LOG", "off").args(["-c", script, env!("CARGO_BIN_EXE_checkout")]);
        Self::launch(command, database, more).expect("the gateway gets ready")
    }

    fn launch(mut command: Command, database: &str, more: &[&str]) -> Option<Self> {
        let fixed = ["serve", "--listen", "127.0.0.1:0", "--database", database];
        command.args(fixed).args(more).stdout(Stdio::piped());
        let mut process = Leashed::spawn(&mut command).unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let started = Self { process, ready: serde_json::from_str(&line).unwrap_or(Value::Null) };
        started.ready.is_object().then_some(started)
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    /// Waits for the process to end. Returns the signal that ended it.
    ///
    /// # Panics
    /// Panics if the process does not end in time.
    pub(crate) fn died_of(mut self) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return std::os::unix::process::ExitStatusExt::signal(&status);
            }
            assert!(started.elapsed() < patience(), "gateway {} is still running", self.id());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub(crate) fn base(&self) -> &str {
        self.ready["baseUrl"].as_str().unwrap().strip_prefix("http://").unwrap()
    }

    /// Sends a request with the business token. Returns status and JSON.
    pub(crate) fn call(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        self.try_call(method, path, body).expect("the gateway answers")
    }

    /// Returns `None` if the process ends before it answers.
    pub(crate) fn try_call(&self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        self.try_call_as(self.ready["businessToken"].as_str().unwrap_or("none"), method, path, body)
    }

    pub(crate) fn try_call_as(
        &self,
        token: &str,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Option<(u16, Value)> {
        let head = format!("Authorization: Bearer {token}\r\nContent-Type: application/json");
        self.send(method, path, &head, &body.to_string())
    }

    /// Sends a form without a token of the merchant, as a page does. Returns the JSON.
    pub(crate) fn form(&self, path: &str, body: &str) -> Value {
        let head = "Content-Type: application/x-www-form-urlencoded";
        let (status, answer) = self.send("POST", path, head, body).expect("the gateway answers");
        assert_eq!(status, 200, "{path} {answer}");
        answer
    }

    fn send(&self, method: &str, path: &str, head: &str, body: &str) -> Option<(u16, Value)> {
        let mut stream = TcpStream::connect(self.base()).ok()?;
        stream.set_read_timeout(Some(patience())).unwrap();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n{head}\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        )
        .ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, serde_json::from_str(body).unwrap_or(Value::Null)))
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.call("POST", path, body);
        assert!(status < 300, "{path} {status} {answer}");
        answer
    }

    /// Returns the body of a GET.
    pub(crate) fn text(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.base()).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    pub(crate) fn payment(&self, id: &str) -> Value {
        self.call("GET", &format!("/api/v1/payments/{id}"), &Value::Null).1
    }

    /// Everything that was earned can be withdrawn.
    pub(crate) fn until_all_is_final(&self) {
        eventually("all deposits are final", || {
            let (_, balances) = self.call("GET", "/api/v1/balances", &Value::Null);
            let is_nothing = |amount: &Value| {
                amount.as_str().is_none_or(|text| !text.contains(|digit| matches!(digit, '1'..='9')))
            };
            balances.as_array().is_some_and(|all| {
                !all.is_empty() && all.iter().all(|balance| is_nothing(&balance["pending"]))
            })
        });
    }

    /// Sends SIGKILL, while other threads may be waiting for answers.
    pub(crate) fn kill(&self) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-KILL", &id]).status().unwrap().success());
    }

    pub(crate) fn stop(mut self, signal: &str) -> Option<i32> {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        self.process.wait().unwrap().code()
    }
}
