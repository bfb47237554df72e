//! PostgreSQL for tests: one server per test program, a schema or database per test.
//!
//! `CHECKOUT_TEST_POSTGRES` is the URL of a running server, whose user may create databases. Without it, a
//! server is started in a temporary folder. If PostgreSQL is not installed, [`schema`] and [`database`] panic
//! with instructions. No test passes without a server.
#![cfg(unix)]

mod programs;
mod server;

use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

pub use server::Server;

/// The URL of a running server.
pub const VARIABLE: &str = "CHECKOUT_TEST_POSTGRES";

/// Whether there is a server, or one can be started.
pub fn is_there() -> bool {
    named_server().is_some() || programs::newest("initdb").is_some()
}

/// Factor for the database's own limits of time in tests: at least four.
pub fn slowness() -> u32 {
    4 * checkout_test_support::factor()
}

/// Creates an empty schema in a shared database and returns its URL. Cheap.
///
/// # Panics
/// Panics if there is no server and none can be started, with instructions.
pub fn schema() -> String {
    let name = fresh_name();
    let base = server_url();
    sql(base, &format!("CREATE SCHEMA {name}"));
    let separator = if base.contains('?') { '&' } else { '?' };
    format!("{base}{separator}options=-csearch_path%3D{name}")
}

/// Creates an empty database and returns its URL.
///
/// # Panics
/// As [`schema`].
pub fn database() -> String {
    let name = fresh_name();
    let base = server_url();
    sql(base, &format!("CREATE DATABASE {name}"));
    named(base, &name)
}

/// Copies a database that nobody has open, and returns the URL of the copy.
///
/// # Panics
/// Panics if the server refuses.
pub fn copy_of(database: &str) -> String {
    let (name, original) = (fresh_name(), name_of(database));
    let base = server_url();
    sql(base, &format!("CREATE DATABASE {name} TEMPLATE {original}"));
    named(base, &name)
}

/// Closes a database to connections and ends the existing ones, or opens it again.
///
/// # Panics
/// Panics if the server refuses.
pub fn set_open(database: &str, open: bool) {
    let name = name_of(database);
    sql(server_url(), &format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS {open}"));
    if !open {
        let everybody =
            format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
        sql(server_url(), &everybody);
    }
}

/// Runs a query. Returns one line per row, with `|` between columns.
///
/// # Panics
/// Panics if it fails.
pub fn sql(url: &str, query: &str) -> String {
    let output = Command::new(programs::find("psql"))
        .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", "--dbname"])
        .args([url, "--command", query])
        .output()
        .expect("psql starts");
    assert!(output.status.success(), "{query}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

fn server_url() -> &'static str {
    static URL: OnceLock<String> = OnceLock::new();
    static SERVER: OnceLock<Server> = OnceLock::new();
    URL.get_or_init(|| named_server().unwrap_or_else(|| SERVER.get_or_init(Server::start).url().to_owned()))
}

fn named_server() -> Option<String> {
    std::env::var(VARIABLE).ok().filter(|url| !url.is_empty())
}

/// Other test programs may use the same server.
fn fresh_name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("checkout_test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The URL with another database.
fn named(url: &str, name: &str) -> String {
    let (before, query) =
        url.split_once('?').map_or((url, String::new()), |(url, query)| (url, format!("?{query}")));
    let authority = before.find("://").map_or(0, |at| at + 3);
    let end = before[authority..].find('/').map_or(before.len(), |at| authority + at);
    format!("{}/{name}{query}", &before[..end])
}

fn name_of(url: &str) -> &str {
    let before = url.split('?').next().unwrap_or_default();
    before.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        let check = |url: &str, expected: &str| {
            assert_eq!(named(url, "x"), expected, "{url}");
            assert_eq!(name_of(expected), "x");
        };
        check("postgres://user@host", "postgres://user@host/x");
        check("postgres://user@host:5432/postgres", "postgres://user@host:5432/x");
        check("postgres://user@localhost/postgres?host=/tmp/a", "postgres://user@localhost/x?host=/tmp/a");
    }

    #[test]
    fn a_schema_is_empty_and_its_own() {
        let (one, two) = (schema(), schema());
        sql(&one, "CREATE TABLE a (b TEXT); INSERT INTO a VALUES ('c')");
        sql(&two, "CREATE TABLE a (b TEXT)");
        assert_eq!(
            (sql(&one, "SELECT * FROM a"), sql(&two, "SELECT * FROM a")),
            ("c".to_owned(), String::new())
        );
    }
}
