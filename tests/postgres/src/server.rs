//! A server in a temporary folder, on a socket in that folder.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::programs;

/// How long a start may take on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Keeps the server until standard input ends, which it does however the test program ends; then leaves nothing behind.
const KEEPER: &str = r#"
trap : INT TERM
program=$0 folder=$1
shift
"$program" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=400 "$@" >"$folder/log" 2>&1 &
server=$!
cat >/dev/null
kill -QUIT $server
wait $server
rm -rf "$folder"
"#;

/// Runs until it is dropped, or the program ends.
#[derive(Debug)]
pub struct Server {
    keeper: Child,
    url: String,
}

impl Server {
    /// A server for tests: it waits for no disk. That loses what is committed when the machine dies, not when a program does.
    ///
    /// # Panics
    /// When a program is missing or fails; it says which and why.
    pub fn start() -> Self {
        Self::start_with(&["-c", "fsync=off", "-c", "full_page_writes=off"])
    }

    /// A server as in production, for measurements: what is committed is on the disk.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    pub fn start_durable() -> Self {
        Self::start_with(&[])
    }

    fn start_with(settings: &[&str]) -> Self {
        let initdb = programs::find("initdb");
        let folder =
            tempfile::Builder::new().prefix("checkout-postgres-").tempdir().expect("a temporary folder");
        let user = unprivileged();
        if let Some((user, group)) = user {
            chown(folder.path(), Some(user), Some(group)).expect("root gives a folder away");
        }
        // A collation that is not the order of bytes, as on most servers: what sorts by it would be found out.
        let made = as_user(&initdb, user)
            .args([
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--no-sync",
                "--no-instructions",
            ])
            .args(["--locale=C", "--locale-provider=icu", "--icu-locale=en-US", "--pgdata"])
            .arg(folder.path().join("data"))
            .current_dir(folder.path())
            .output()
            .expect("initdb starts");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));

        let folder = folder.keep();
        let keeper = as_user(Path::new("sh"), user)
            .args(["-c", KEEPER])
            .arg(initdb.with_file_name("postgres"))
            .arg(&folder)
            .args(settings)
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("sh starts");
        let url = format!("postgres://postgres@localhost/postgres?host={}", folder.display());
        let server = Self { keeper, url };
        server.wait_until_ready(&folder);
        server
    }

    /// Its user may do everything.
    pub fn url(&self) -> &str {
        &self.url
    }

    fn wait_until_ready(&self, folder: &Path) {
        let (started, is_ready) = (Instant::now(), programs::find("pg_isready"));
        loop {
            let asked = Command::new(&is_ready).args(["--quiet", "--dbname", &self.url]).status();
            if asked.expect("pg_isready starts").success() {
                return;
            }
            let log = || std::fs::read_to_string(folder.join("log")).unwrap_or_default();
            assert!(started.elapsed() < TIMEOUT, "PostgreSQL does not start: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// PostgreSQL refuses to run as root: the user and group that it runs as instead.
fn unprivileged() -> Option<(u32, u32)> {
    let id = |arguments: &[&str]| -> Option<u32> {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if id(&["-u"]) != Some(0) {
        return None;
    }
    let of = |user: &str| Some((id(&["-u", user])?, id(&["-g", user])?));
    Some(of("postgres").or_else(|| of("nobody")).expect("a system has the user nobody"))
}

fn as_user(program: &Path, user: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(program);
    if let Some((user, group)) = user {
        command.uid(user).gid(group);
    }
    command
}
